// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import Screens
import Terminal
import UnicodeText

/// The notices that the REPL prints: problems, and tracks that have started. Used on the main thread.
final class ReplNews {
  private let session: Session
  private let manner: OutputStyle
  /// The notices of the player in another process; `nil` if commands are for the player in this process.
  private let attached: AttachedNews?
  private var news = PlaybackNotices()
  private var details = PlaybackDetails()
  private var toldCount = 0
  /// The item that a command has already announced, so that its start need not be reported.
  private var saidItem: PlayQueue.Item.ID?

  /// Creates the notices of `session`, printed in the style `manner`. In quiet style, tracks are omitted.
  init(_ session: Session, _ manner: OutputStyle) {
    self.session = session
    self.manner = manner
    if case .attached(let socket) = session.face, let player = try? session.attachedPlayer(at: socket) {
      attached = AttachedNews(player, manner)
    } else {
      attached = nil
    }
  }

  /// Returns the problems since the last call, one line each; not yet safe to print on a terminal.
  func takeProblems() -> [String] {
    let library = session.openFlow.map { news.take(from: $0.flow.library.state) } ?? []
    let state = session.services.playback.state
    let problems =
      session.takeWarnings() + news.take(from: state) + library + (attached?.takeProblems() ?? [])
    return problems.map { "segue: \($0)" }
      + (manner.isVerbose ? details.take(from: state, session.services.queue.queue) : [])
  }

  /// Returns the tracks that have started since the last call, one line each, safe for a terminal.
  func takeTracks() -> [String] {
    let state = session.services.playback.state
    let begun = state.startedItems.suffix(max(0, state.startedCount - toldCount))
    toldCount = state.startedCount
    let queue = session.services.queue.queue
    let tracks = begun.compactMap { item -> String? in
      if item == saidItem {
        saidItem = nil
        return nil
      }
      guard !manner.isQuiet, let position = queue.position(of: item) else { return nil }
      return TrackLine.text(position: position, in: queue, manner)
    }
    let mark = manner.isPlain ? "" : manner.isASCII ? "playing " : "▶ "
    return (tracks + (attached?.takeTracks() ?? [])).map { mark + $0 }
  }

  /// If a command has already announced a track, omits the notice that this track has started.
  func passOverSaid() {
    guard session.hasSaidTrack else { return }
    session.hasSaidTrack = false
    if let attached { return attached.passOverSaid() }
    let item = session.services.queue.queue.current?.id
    let state = session.services.playback.state
    let hasBegun = state.startedCount > toldCount && state.startedItems.last == item
    if hasBegun { toldCount = state.startedCount } else { saidItem = item }
  }
}

/// The notices of the player in another process. Used on the main thread.
final class AttachedNews {
  private let player: AttachedPlayer
  private let manner: OutputStyle
  private var toldProblemCount: Int
  private var toldTrackCount: Int
  private var toldEndCount: Int
  /// Whether a command has already announced the next track that starts.
  private var isNextSaid = false

  /// Creates the notices of `player` from now on, printed in the style `manner`. In quiet style, tracks are omitted.
  init(_ player: AttachedPlayer, _ manner: OutputStyle) {
    self.player = player
    self.manner = manner
    let known = player.known
    (toldProblemCount, toldTrackCount, toldEndCount) = (
      known.problemCount, known.begunCount, known.endCount
    )
  }

  /// Returns the problems since the last call, one line each; not yet safe to print on a terminal.
  func takeProblems() -> [String] {
    let known = player.known
    var lines = Array(known.problems.suffix(max(0, known.problemCount - toldProblemCount)))
    toldProblemCount = known.problemCount
    if known.endCount != toldEndCount {
      toldEndCount = known.endCount
      isNextSaid = false
      lines.append("the player has ended")
    }
    return lines
  }

  /// Returns the tracks that have started since the last call, one line each, safe for a terminal.
  func takeTracks() -> [String] {
    let known = player.known
    var begun = known.begun.suffix(max(0, known.begunCount - toldTrackCount))
    toldTrackCount = known.begunCount
    if isNextSaid, begun.popFirst() != nil { isNextSaid = false }
    return manner.isQuiet ? [] : begun.map { TrackLine.text($0, manner) }
  }

  /// Omits the notice that a track has started, for a track that a command has already announced.
  func passOverSaid() {
    let count = player.known.begunCount
    if count > toldTrackCount { toldTrackCount = count } else { isNextSaid = true }
  }
}
