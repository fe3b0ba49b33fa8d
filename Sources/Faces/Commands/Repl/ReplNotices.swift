// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The notices that the REPL prints: problems, and tracks that have started. Used on the main thread.
final class ReplNotices {
  private let session: Session
  private let outputStyle: OutputStyle
  private var libraryNotices = PlaybackNotices()
  private var details = PlaybackDetails()
  private var reportedProblemCount = 0
  private var reportedTrackCount = 0
  private var hasReportedEnd = false
  /// Whether a command has already announced the next track that starts.
  private var isNextAnnounced = false

  /// Creates the notices of `session`, printed in the style `outputStyle`. In quiet style, tracks are omitted.
  init(_ session: Session, _ outputStyle: OutputStyle) {
    self.session = session
    self.outputStyle = outputStyle
    guard !session.ownsPlayer, let snapshot = session.player?.snapshot else { return }
    (reportedProblemCount, reportedTrackCount) = (snapshot.problemCount, snapshot.startedCount)
  }

  /// Returns the problems since the last call, one line each; not yet escaped for a terminal.
  func takeProblems() -> [String] {
    guard let snapshot = session.player?.snapshot else { return [] }
    var problems = session.takeWarnings()
    problems += snapshot.problems.suffix(max(0, snapshot.problemCount - reportedProblemCount))
    reportedProblemCount = snapshot.problemCount
    if !session.ownsPlayer, let library = session.openFlow?.flow.library.state {
      problems += libraryNotices.notices(for: library)
    }
    if snapshot.isEnded, !hasReportedEnd {
      hasReportedEnd = true
      isNextAnnounced = false
      problems.append("the player has ended")
    }
    return problems.map { "segue: \($0)" }
      + (outputStyle.isVerbose && session.ownsPlayer ? details.take(from: snapshot.status) : [])
  }

  /// Returns the tracks that have started since the last call, one line each, safe for a terminal.
  func takeTracks() -> [String] {
    guard let snapshot = session.player?.snapshot else { return [] }
    var started = snapshot.startedTracks.suffix(max(0, snapshot.startedCount - reportedTrackCount))
    reportedTrackCount = snapshot.startedCount
    if isNextAnnounced, started.popFirst() != nil { isNextAnnounced = false }
    guard !outputStyle.isQuiet else { return [] }
    let mark = outputStyle.isPlain ? "" : outputStyle.isASCII ? "playing " : "▶ "
    return started.map { mark + TrackLine.text($0, outputStyle) }
  }

  /// If a command has already announced a track, omits the notice that this track has started.
  func skipAnnounced() {
    guard session.hasAnnouncedTrack else { return }
    session.hasAnnouncedTrack = false
    let count = session.player?.snapshot.startedCount ?? 0
    if count > reportedTrackCount { reportedTrackCount = count } else { isNextAnnounced = true }
  }
}
