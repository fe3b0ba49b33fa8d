// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import RemoteControl
import Screens
import Terminal

/// The `now` command: shows what the player of this or another process is playing, until the user leaves.
struct NowCommand: StateCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Show what is playing, until q or Escape.",
    discussion: """
      The keys are those of `segue play`, and control the running player; ? lists them. If no player is running, the exit status is 8. \
      On a terminal that cannot draw, the status is printed once.

      Example:
        now
      """)

  @OptionGroup var state: StateOptions

  @Flag(name: .customLong("inline"), inversion: .prefixedNo, help: .inline)
  var inline: Bool?

  func run(in session: Session) throws {
    guard session.outputStyle.draws || session.outputStyle.isForPeople, StandardStream.input.isTerminal,
      !session.soundGoesToStandardOutput
    else { throw PlayerError(.usage, "`now` needs a terminal: use `status` instead") }
    // Signals can be received only on the main thread, before other threads are started.
    let watched = try session.signals == nil && session.outputStyle.draws ? WatchedSignals() : nil
    try session.withPlayer(.player(state), changes: false) { player in
      guard let status = try session.view(player, watched) else {
        throw PlayerError(.nothingPlayable, "nothing is playing: play an album first, as in `play ALBUM`")
      }
      if session.signals == nil { session.status = status }
    }
  }
}

extension Session {
  /// After a command of the shell has started playback on a running player, shows that player if the terminal can be
  /// redrawn.
  func showPlayer(_ player: any PlayerPort) throws {
    guard !isConversation, outputStyle.draws, !outputStyle.isQuiet, StandardStream.input.isTerminal else { return }
    if let shown = try view(player, nil) { status = shown }
  }

  /// Shows what `player` is playing until the user leaves, or prints it once on a terminal that cannot be redrawn.
  /// Returns the exit status; `nil` if nothing is playing.
  fileprivate func view(_ player: any PlayerPort, _ watched: WatchedSignals?) throws -> ExitStatus? {
    let snapshot = player.snapshot
    guard snapshot.nowPlaying.track != nil else { return nil }
    guard outputStyle.draws else {
      printLines(StatusListing.lines(snapshot.status, columns: columns, outputStyle))
      return .success
    }
    return try show(.nowPlaying, of: player, libraryRequest(), nil, watched)
  }

  /// Shows `player` on the full screen, beginning with `screen`, until the user leaves it or the player ends, and
  /// returns the exit status. `library` is shown in place of the player's.
  func show(
    _ screen: Screen, of player: any PlayerPort, _ request: LibraryRequest, _ library: LibraryChoice? = nil,
    _ watched: WatchedSignals? = nil
  ) throws -> ExitStatus {
    let watched = try watched ?? (signals == nil ? WatchedSignals() : nil)
    let events = try watched?.events ?? EventQueue<ViewEvent>()
    let viewed = try ViewedPlayer(player, ViewedPlayer.Role())
    defer { viewed.end() }
    var opening = ScreenOpening(screen, quitting: .leave, isInline: isInline)
    opening.isLeftByGoingBack = true
    // The REPL prints the messages itself.
    opening.printsMessages = !isConversation
    let services = ScreenServices(self, request, library, player, viewed).full()
    let view = FullScreenView(self, of: viewed, services, events: events, opening)
    let ending =
      if let signals {
        try signals.whileDrawing({ events.post(.signal($0)) }, { try view.run() })
      } else {
        try withExtendedLifetime(watched) { try view.run() }
      }
    return if case .left(let status) = ending { status } else { .success }
  }
}

/// The signals that a view handles outside of the REPL.
struct WatchedSignals {
  let events: EventQueue<ViewEvent>
  private let watch: SignalWatch

  /// Starts catching signals. Call this on the main thread, before any threads other than worker threads are started.
  init() throws {
    let events = try EventQueue<ViewEvent>()
    self.events = events
    watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
  }
}
