// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// The `watch` command: prints player events.
struct WatchCommand: StateCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print player events, one per line.",
    discussion: """
      Events are track changes, titles of streams, chapters, pauses, queue edits, volume and mode changes, library scans and problems. The command ends when the player \
      ends. With --json, each event is an object whose key `event` is one of: status (the whole state, always first), track, title (what a stream plays now), chapter, state, seek, \
      queue, volume, modes, crossfade, replaygain, outputs, playlists, scan, problem and missed. `missed` counts the events that were dropped \
      because the reader was too slow; a new `status` follows it.

      With --reconnect, the command waits for a player if none is running or the last one has ended. The event `waiting` reports that; the \
      next `status` means that a player is running again.

      Examples:
        watch
        watch --reconnect
        watch --json | jq --unbuffered -r 'select(.event == "track") | .song.title'
      """)

  /// The maximum time in milliseconds before the next attempt to reach a player that does not respond.
  private static let retryInterval: UInt64 = 2_000

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @Flag(name: .long, help: "Wait for a player if none is running, and for the next one when it ends.")
  var reconnect = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let socket = session.socket(state.socket, stateDirectory: state.stateDir)
    let absoluteSocket = try? socket.absolute()
    var arrival = ArrivalWatch(for: reconnect ? absoluteSocket : nil)
    var hasReportedWaiting = false
    while true {
      var isConnected = false
      var longestWait = UInt64.max
      do throws(ControlClientError) {
        try watch(try RemotePlayer(socket), in: session, &isConnected)
        return
      } catch {
        guard reconnect, Self.mayRecover(error), session.outputError == nil else {
          return try Self.reportEnd(error, at: socket, in: session)
        }
        // A player that resumes responding does not create a new socket, so try again from time to time.
        if error != .notListening { longestWait = Self.retryInterval }
        if isConnected {
          hasReportedWaiting = false
          arrival.restart()
        }
      }
      if !hasReportedWaiting, !show(PlayerEvent(.waiting), in: session) { return }
      hasReportedWaiting = true
      while !arrival.wait(longest: longestWait) {}
    }
  }

  /// Prints the state and the events of `player` until it ends, or nobody reads them any more.
  private func watch(
    _ player: RemotePlayer, in session: Session, _ isConnected: inout Bool
  ) throws(ControlClientError) {
    let hasChanged = ThreadSignal()
    let subscription = player.observe(everyPosition: false) { hasChanged.wake() }
    defer { subscription.cancel() }
    var count: Int?
    while true {
      let snapshot = player.snapshot
      if snapshot.isEnded, count == nil { throw .unreachable(.connectionReset) }
      isConnected = true
      let (events, missedCount) = snapshot.events.events(after: count ?? snapshot.events.count)
      if missedCount > 0 {
        var missed = PlayerEvent(.missed)
        missed.count = missedCount + events.count
        guard show(missed, in: session) else { return }
      }
      if count == nil || missedCount > 0 {
        var event = PlayerEvent(.status)
        event.status = snapshot.status
        guard show(event, in: session) else { return }
      } else {
        for event in events { guard show(event, in: session) else { return } }
      }
      // The last events may arrive together with the end.
      if snapshot.isEnded { throw .unreachable(.connectionReset) }
      count = snapshot.events.count
      hasChanged.wait()
    }
  }

  /// Prints `event`. Returns whether that succeeded.
  private func show(_ event: PlayerEvent, in session: Session) -> Bool {
    if json {
      var event = event
      event.song?.findCover(session.services.library.covers)
      event.status?.song?.findCover(session.services.library.covers)
      if let text = JSONText.text(event) { session.printLine(data: text) }
    } else if let text = EventText.text(event, session.outputStyle) {
      session.printLine(text.safeForTerminal)
    }
    return session.outputError == nil
  }

  /// Returns whether a later attempt to connect may succeed after this error.
  private static func mayRecover(_ failure: ControlClientError) -> Bool {
    switch failure {
    case .notListening, .unreachable, .stopped: true
    case .notAPlayer, .refused, .insecure: false
    }
  }

  private static func reportEnd(_ failure: ControlClientError, at socket: FilePath, in session: Session) throws {
    switch failure {
    case .notListening: throw PlayerError.noPlayer
    case .unreachable(.connectionReset): session.printError("segue: the player has ended")
    case .stopped, .unreachable, .notAPlayer, .refused, .insecure: throw PlayerError(failure, at: socket)
    }
  }
}

/// Formats player events as text.
enum EventText {
  /// Returns the event as one line, not yet escaped for a terminal. Returns `nil` if the event is not to be
  /// printed.
  static func text(_ event: PlayerEvent, _ style: OutputStyle = OutputStyle()) -> String? {
    switch event.event {
    case .status:
      guard let status = event.status else { return nil }
      return "\(status.phase.rawValue)" + (status.song.map { ": \(text($0))" } ?? "")
    case .track, .title:
      return event.song.map {
        "\(PhaseSign.text(.playing, isASCII: style.isPlain || style.isASCII)) \(text($0))"
      }
    case .chapter:
      return event.chapter.map { "chapter \(event.chapterNumber ?? 0) of \(event.chapterCount ?? 0): \($0)" }
    case .state: return event.phase?.rawValue
    case .end: return "end of the queue"
    case .rating:
      let mark: TrackMark? =
        event.rating.map { .rating($0) } ?? event.albumRating.map { .albumRating($0) } ?? event.liked.map { .liked($0) }
      return mark.map { mark in
        let title = mark.isOfAlbums ? event.song?.album : event.song?.title
        return RatedTracks(count: event.count ?? 1, title: title ?? "", mark: mark).text
      }
    case .seek:
      return event.elapsed.flatMap { Duration(reportedSeconds: $0) }.map {
        "at " + (style.isPlain ? TimeText.words($0) : TimeText.text($0))
      }
    case .queue:
      let count = ItemCount.text(event.queueCount ?? 0, "track")
      return "queue: \(event.edit.map { "\($0), " } ?? "")\(count)"
    case .volume: return event.volume.map { "volume \($0)" }
    case .speed: return event.speed.map { "speed \(SpeedText.factor($0))" }
    case .modes: return event.modes.map(text)
    case .crossfade:
      return event.crossfade.map {
        CrossfadeText.text($0, albums: event.crossfadeAlbums == true, onNext: event.crossfadeOnNext ?? 0)
      }
    case .replayGain: return event.replayGain.map { "ReplayGain \($0)" }
    case .outputs:
      guard event.isOutputEnabled != false else { return "the output is disabled" }
      return event.output.map { "output \($0.name), \(FormatText.text($0.format))" } ?? "no output"
    case .playlists: return "playlists changed"
    case .waiting: return "waiting for a player"
    case .scan: return event.scan.map(text)
    case .problem: return event.problem
    case .missed: return "\(event.count ?? 0) events missed"
    }
  }

  private static func text(_ song: PlayerStatus.Song) -> String {
    [song.title, song.artist ?? "", song.album ?? ""].filter { !$0.isEmpty }.joined(separator: " - ")
  }

  private static func text(_ modes: PlayerStatus.Modes) -> String {
    "repeat \(modes.repeat), random \(modes.random), single \(modes.single), "
      + "consume \(modes.consume ? "on" : "off"), stop-after \(modes.stopAfter)"
  }

  private static func text(_ scan: PlayerEvent.Scan) -> String {
    guard scan.phase == "ended" else {
      let seen = scan.seen.map { " \($0)" } ?? ""
      return "scan \(scan.phase)\(seen)" + (scan.total.map { " of \($0)" } ?? "")
    }
    let counts = [
      ("added", scan.added), ("changed", scan.changed), ("moved", scan.moved), ("removed", scan.removed),
      ("problems", scan.problems),
    ]
    return "scan ended: " + counts.map { "\($1 ?? 0) \($0)" }.joined(separator: ", ")
  }
}
