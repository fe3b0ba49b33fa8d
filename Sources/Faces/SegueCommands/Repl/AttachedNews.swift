import QueueFlow
import UnicodeText

/// What happened to the player of another process while nobody asked, in words. For the main thread.
final class AttachedNews {
  private let player: AttachedPlayer
  private let manner: TerminalManner
  private var toldProblemCount: Int
  private var toldTrackCount: Int
  private var toldEndCount: Int
  /// Whether a command has said which track begins next.
  private var isNextSaid = false

  /// The news of `player` from now on, to be written in this manner; of tracks only where that is not quiet.
  init(_ player: AttachedPlayer, _ manner: TerminalManner) {
    self.player = player
    self.manner = manner
    let known = player.known
    (toldProblemCount, toldTrackCount, toldEndCount) = (
      known.problemCount, known.begunCount, known.endCount
    )
  }

  /// Its problems that are new, a line each, not yet safe for a terminal; from now on they count as told.
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

  /// The tracks that it began, a line each, safe for a terminal; from now on they count as told.
  func takeTracks() -> [String] {
    let known = player.known
    var begun = known.begun.suffix(max(0, known.begunCount - toldTrackCount))
    toldTrackCount = known.begunCount
    if isNextSaid, begun.popFirst() != nil { isNextSaid = false }
    return manner.isQuiet ? [] : begun.map { TrackLine.text($0, manner) }
  }

  /// A command has said which track it plays: that it begins is no news then.
  func passOverSaid() {
    let count = player.known.begunCount
    if count > toldTrackCount { toldTrackCount = count } else { isNextSaid = true }
  }
}
