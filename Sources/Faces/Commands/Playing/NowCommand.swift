// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Terminal

/// The `now` command: shows what the player of this or another process is playing, until the user leaves.
struct NowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Show what is playing, until q or Escape.",
    discussion: """
      The keys are those of `segue play`, and control the running player; ? lists them. If no player is running, the exit status is 8. \
      On a terminal that cannot draw, the status is printed once.

      Example:
        now
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    guard session.outputStyle.draws || session.outputStyle.isForPeople, StandardStream.input.isTerminal,
      !session.soundGoesToStandardOutput
    else { throw PlayerError(.usage, "`now` needs a terminal: use `status` instead") }
    guard let socket = socket(in: session) else { return try showLocalPlayer(in: session) }
    guard let status = try Self.show(socket, in: session) else { throw Self.nothingPlaying }
    if session.signals == nil { session.status = status }
  }

  /// Returns the socket of the player to show; `nil` for the player of this process.
  private func socket(in session: Session) -> FilePath? {
    if state.socket == nil, state.stateDir == nil {
      switch session.origin {
      case .attached(let socket): return socket
      case .repl, .remote: return nil
      case .commandLine: break
      }
    }
    return session.socket(state.socket, stateDirectory: state.stateDir)
  }

  private func showLocalPlayer(in session: Session) throws {
    guard session.services.queue.queue.currentPosition != nil else { throw Self.nothingPlaying }
    guard session.outputStyle.draws else { return Self.printStatus(PlayerStatus(session), in: session) }
    let viewed = LocalViewedPlayer(session, .leave)
    let status = try Self.view(in: session) { events in
      ForegroundView(session, of: viewed, events: events, ending: .leave)
    }
    if session.signals == nil { session.status = status }
  }

  /// Shows what the player at `socket` is playing until the user leaves, and returns the exit status. Returns `nil` if
  /// nothing is playing.
  static func show(_ socket: FilePath, in session: Session) throws -> ExitStatus? {
    // Signals can be received only on the main thread.
    let watched = try session.signals == nil && session.outputStyle.draws ? WatchedSignals() : nil
    let player = try session.attachedPlayer(at: socket)
    do throws(ControlClientError) {
      try player.beginView()
    } catch {
      throw Forwarding.error(error, at: socket)
    }
    let snapshot = player.snapshot
    guard snapshot.scene?.track != nil, let status = snapshot.status else {
      player.endView()
      return nil
    }
    guard session.outputStyle.draws else {
      player.endView()
      printStatus(status, in: session)
      return .success
    }
    let viewed = try RemoteViewedPlayer(player, session)
    return try view(in: session, watched) { events in
      ForegroundView(session, of: viewed, events: events, ending: .leave)
    }
  }

  private static var nothingPlaying: PlayerError {
    PlayerError(.nothingPlayable, "nothing is playing: play an album first, as in `play ALBUM`")
  }

  /// Prints the status once, for a terminal that cannot be redrawn.
  private static func printStatus(_ status: PlayerStatus, in session: Session) {
    session.printLines(StatusListing.lines(status, columns: session.columns, session.outputStyle))
  }

  private static func view(
    in session: Session, _ watched: WatchedSignals? = nil,
    _ make: (EventQueue<ForegroundView.Event>) -> ForegroundView
  ) throws -> ExitStatus {
    let events = try watched?.events ?? EventQueue<ForegroundView.Event>()
    let view = make(events)
    if let signals = session.signals {
      return try signals.whileDrawing({ events.post(.signal($0)) }, { try view.run() })
    }
    return try withExtendedLifetime(watched) { try view.run() }
  }
}

/// The signals that a view handles outside of the REPL.
private struct WatchedSignals {
  let events: EventQueue<ForegroundView.Event>
  private let watch: SignalWatch

  /// Starts catching signals. Call this on the main thread, before any threads other than worker threads are started.
  init() throws {
    let events = try EventQueue<ForegroundView.Event>()
    self.events = events
    watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
  }
}
