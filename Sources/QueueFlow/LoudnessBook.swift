import MusicModel
import Synchronization

/// Knows the loudness of the queue's items, so that nobody has to look at a file while they play.
final class LoudnessBook: Sendable {
  private struct Source: Sendable {
    let read: @Sendable ([Track]) -> [ReplayGainTags]
  }

  private let source: Source
  private let tags = Mutex<[PlayQueue.Item.ID: ReplayGainTags]>([:])

  /// A book that is filled by `read`.
  init(_ read: @escaping @Sendable ([Track]) -> [ReplayGainTags]) { source = Source(read: read) }

  /// Reads what is known of the items of `queue`, and forgets all others. May block on files.
  func read(_ queue: PlayQueue) {
    let found = source.read(queue.items.map(\.track))
    let entries = zip(queue.items, found).map { ($0.id, $1) }
    tags.withLock { $0 = Dictionary(entries) { first, _ in first } }
  }

  /// What is known of `item`: by its tags where it was not read.
  func tags(of item: PlayQueue.Item) -> ReplayGainTags {
    tags.withLock { $0[item.id] } ?? item.track.replayGain
  }
}
