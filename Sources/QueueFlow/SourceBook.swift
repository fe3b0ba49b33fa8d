import AudioCore
import MusicModel
import Synchronization

/// Knows which item of the queue each source of the engine is, and by how much it is made louder or softer.
///
/// Every playing of an item is a source of its own, so that what the engine reports of an earlier one is told apart.
final class SourceBook: Sendable {
  /// What is known of a source.
  struct Entry: Sendable {
    let item: PlayQueue.Item.ID
    var gain: ReplayGainDecision
  }

  private struct Pages {
    var lastNumber: UInt64 = 0
    var latestRequest: PlaybackSource.ID?
    var entries: [PlaybackSource.ID: Entry] = [:]
  }

  private let pages = Mutex(Pages())

  /// A source for playing `item` next. With `isFresh`, the sources so far are forgotten, and so is what is reported of
  /// them.
  func source(for item: PlayQueue.Item, gain: ReplayGainDecision, isFresh: Bool) -> PlaybackSource {
    pages.withLock { pages in
      pages.lastNumber += 1
      let id = PlaybackSource.ID(rawValue: pages.lastNumber)
      if isFresh {
        pages.entries = [:]
        pages.latestRequest = id
      }
      pages.entries[id] = Entry(item: item.id, gain: gain)
      return PlaybackSource(
        id: id, path: item.track.path, segment: item.track.segment.map { SourceSegment($0) },
        gain: SourceGain(gain))
    }
  }

  /// What is known of the source, or `nil` where it was forgotten.
  subscript(source: PlaybackSource.ID) -> Entry? { pages.withLock { $0.entries[source] } }

  /// The item that the source is, or `nil` where it was forgotten.
  func item(of source: PlaybackSource.ID) -> PlayQueue.Item.ID? { self[source]?.item }

  /// The earliest source for the item that is not forgotten: the one that is heard, if one is.
  func source(of item: PlayQueue.Item.ID) -> PlaybackSource.ID? {
    pages.withLock { pages in
      pages.entries.filter { $0.value.item == item }.keys.min { $0.rawValue < $1.rawValue }
    }
  }

  /// Has the source be made louder or softer like this.
  func setGain(_ gain: ReplayGainDecision, of source: PlaybackSource.ID) {
    pages.withLock { $0.entries[source]?.gain = gain }
  }

  /// Whether nothing fresh was made after this source.
  func isLatestRequest(_ source: PlaybackSource.ID) -> Bool {
    pages.withLock { $0.latestRequest == source }
  }

  /// Forgets the sources that were made before this one.
  func forgetSources(before source: PlaybackSource.ID) {
    pages.withLock { pages in pages.entries = pages.entries.filter { $0.key.rawValue >= source.rawValue } }
  }
}

extension SourceSegment {
  /// The part of a file that the track is.
  init(_ segment: TrackSegment) { self.init(start: segment.start, end: segment.end) }
}

extension SourceGain {
  /// What the engine makes of `decision`.
  init(_ decision: ReplayGainDecision) {
    self.init(factor: decision.factor, isLimited: decision.needsLimiter)
  }
}
