import AudioCore
import MusicModel
import Synchronization

/// Knows which item of the queue each source of the engine is.
///
/// Every playing of an item is a source of its own, so that what the engine reports of an earlier one is told apart.
final class SourceBook: Sendable {
  private struct Pages {
    var lastNumber: UInt64 = 0
    var latestRequest: PlaybackSource.ID?
    var items: [PlaybackSource.ID: PlayQueue.Item.ID] = [:]
  }

  private let pages = Mutex(Pages())

  /// A source for playing `item` next. With `isFresh`, the sources so far are forgotten, and so is what is reported of
  /// them.
  func source(for item: PlayQueue.Item, isFresh: Bool) -> PlaybackSource {
    pages.withLock { pages in
      pages.lastNumber += 1
      let id = PlaybackSource.ID(rawValue: pages.lastNumber)
      if isFresh {
        pages.items = [:]
        pages.latestRequest = id
      }
      pages.items[id] = item.id
      return PlaybackSource(id: id, path: item.track.path)
    }
  }

  /// The item that the source is, or `nil` where it was forgotten.
  func item(of source: PlaybackSource.ID) -> PlayQueue.Item.ID? {
    pages.withLock { $0.items[source] }
  }

  /// Whether nothing fresh was made after this source.
  func isLatestRequest(_ source: PlaybackSource.ID) -> Bool {
    pages.withLock { $0.latestRequest == source }
  }

  /// Forgets the sources that were made before this one.
  func forgetSources(before source: PlaybackSource.ID) {
    pages.withLock { pages in pages.items = pages.items.filter { $0.key.rawValue >= source.rawValue } }
  }
}
