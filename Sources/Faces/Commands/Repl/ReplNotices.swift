// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import Screens
import Terminal
import UnicodeText

/// The notices that the REPL prints: problems, and tracks that have started. Used on the main thread.
final class ReplNotices {
  private let session: Session
  private let outputStyle: OutputStyle
  /// The notices of the player in another process; `nil` if commands are for the player in this process.
  private let attached: AttachedNotices?
  private var notices = PlaybackNotices()
  private var details = PlaybackDetails()
  private var reportedTrackCount = 0
  /// The item that a command has already announced, so that its start need not be reported.
  private var announcedItem: PlayQueue.Item.ID?

  /// Creates the notices of `session`, printed in the style `outputStyle`. In quiet style, tracks are omitted.
  init(_ session: Session, _ outputStyle: OutputStyle) {
    self.session = session
    self.outputStyle = outputStyle
    if case .attached(let socket) = session.origin, let player = try? session.attachedPlayer(at: socket) {
      attached = AttachedNotices(player, outputStyle)
    } else {
      attached = nil
    }
  }

  /// Returns the problems since the last call, one line each; not yet escaped for a terminal.
  func takeProblems() -> [String] {
    let library = session.openFlow.map { notices.notices(for: $0.flow.library.state) } ?? []
    let state = session.services.playback.state
    let problems =
      session.takeWarnings() + notices.notices(for: state) + library + (attached?.takeProblems() ?? [])
    return problems.map { "segue: \($0)" }
      + (outputStyle.isVerbose ? details.take(from: state, session.services.queue.queue) : [])
  }

  /// Returns the tracks that have started since the last call, one line each, safe for a terminal.
  func takeTracks() -> [String] {
    let state = session.services.playback.state
    let started = state.startedItems.suffix(max(0, state.startedCount - reportedTrackCount))
    reportedTrackCount = state.startedCount
    let queue = session.services.queue.queue
    let tracks = started.compactMap { item -> String? in
      if item == announcedItem {
        announcedItem = nil
        return nil
      }
      guard !outputStyle.isQuiet, let position = queue.position(of: item) else { return nil }
      return TrackLine.text(position: position, in: queue, outputStyle)
    }
    let mark = outputStyle.isPlain ? "" : outputStyle.isASCII ? "playing " : "▶ "
    return (tracks + (attached?.takeTracks() ?? [])).map { mark + $0 }
  }

  /// If a command has already announced a track, omits the notice that this track has started.
  func skipAnnounced() {
    guard session.hasAnnouncedTrack else { return }
    session.hasAnnouncedTrack = false
    if let attached { return attached.skipAnnounced() }
    let item = session.services.queue.queue.current?.id
    let state = session.services.playback.state
    let hasStarted = state.startedCount > reportedTrackCount && state.startedItems.last == item
    if hasStarted { reportedTrackCount = state.startedCount } else { announcedItem = item }
  }
}

/// The notices of the player in another process. Used on the main thread.
final class AttachedNotices {
  private let player: AttachedPlayer
  private let outputStyle: OutputStyle
  private var reportedProblemCount: Int
  private var reportedTrackCount: Int
  private var reportedEndCount: Int
  /// Whether a command has already announced the next track that starts.
  private var isNextAnnounced = false

  /// Creates the notices of `player` from now on, printed in the style `outputStyle`. In quiet style, tracks are
  /// omitted.
  init(_ player: AttachedPlayer, _ outputStyle: OutputStyle) {
    self.player = player
    self.outputStyle = outputStyle
    let snapshot = player.snapshot
    (reportedProblemCount, reportedTrackCount, reportedEndCount) = (
      snapshot.problemCount, snapshot.startedCount, snapshot.endCount
    )
  }

  /// Returns the problems since the last call, one line each; not yet escaped for a terminal.
  func takeProblems() -> [String] {
    let snapshot = player.snapshot
    var lines = Array(snapshot.problems.suffix(max(0, snapshot.problemCount - reportedProblemCount)))
    reportedProblemCount = snapshot.problemCount
    if snapshot.endCount != reportedEndCount {
      reportedEndCount = snapshot.endCount
      isNextAnnounced = false
      lines.append("the player has ended")
    }
    return lines
  }

  /// Returns the tracks that have started since the last call, one line each, safe for a terminal.
  func takeTracks() -> [String] {
    let snapshot = player.snapshot
    var started = snapshot.startedTracks.suffix(max(0, snapshot.startedCount - reportedTrackCount))
    reportedTrackCount = snapshot.startedCount
    if isNextAnnounced, started.popFirst() != nil { isNextAnnounced = false }
    return outputStyle.isQuiet ? [] : started.map { TrackLine.text($0, outputStyle) }
  }

  /// Omits the notice that a track has started, for a track that a command has already announced.
  func skipAnnounced() {
    let count = player.snapshot.startedCount
    if count > reportedTrackCount { reportedTrackCount = count } else { isNextAnnounced = true }
  }
}
