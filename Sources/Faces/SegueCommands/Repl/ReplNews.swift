import MusicModel
import QueueFlow
import UnicodeText

/// What happened while nobody asked, in words: problems, and the tracks that were begun. For the main thread.
final class ReplNews {
  private let session: Session
  private let manner: TerminalManner
  /// The news of the player that commands are for, where that runs in another process.
  private let attached: AttachedNews?
  private var news = News()
  private var details = PlaybackDetails()
  private var toldCount = 0
  /// The item that a command has said it plays.
  private var saidItem: PlayQueue.Item.ID?

  /// The news of `session`, to be written in this manner; of tracks only where that is not quiet.
  init(_ session: Session, _ manner: TerminalManner) {
    self.session = session
    self.manner = manner
    if case .attached(let socket) = session.face, let player = try? session.attachedPlayer(at: socket) {
      attached = AttachedNews(player, manner)
    } else {
      attached = nil
    }
  }

  /// What is new, a line each, not yet safe for a terminal; from now on it counts as told.
  func takeProblems() -> [String] {
    let library = session.openFlow.map { news.take(from: $0.flow.library.state) } ?? []
    let state = session.services.playback.state
    let problems =
      session.takeWarnings() + news.take(from: state) + library + (attached?.takeProblems() ?? [])
    return problems.map { "segue: \($0)" }
      + (manner.isVerbose ? details.take(from: state, session.services.queue.queue) : [])
  }

  /// The tracks that were begun, a line each, safe for a terminal; from now on they count as told.
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

  /// Where a command has said which track it plays, that it begins is no news.
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
