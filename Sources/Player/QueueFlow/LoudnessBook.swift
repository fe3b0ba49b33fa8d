import MusicModel
import Platform
import Synchronization

/// Knows the loudness of the few items that are about to be played; whatever is not known is read on a thread of its
/// own, since that may block on files.
final class LoudnessBook: Sendable {
  private struct Source: Sendable {
    let read: @Sendable ([Track]) -> [ReplayGainTags]
    let onNews: @Sendable () -> Void
  }

  fileprivate struct Desk {
    /// What is known of the items that matter.
    var tags: [PlayQueue.Item.ID: ReplayGainTags] = [:]
    /// What is to be read.
    var missing: [PlayQueue.Item] = []
    var thread: WorkerThread?
    var isEnding = false
  }

  private let source: Source
  private let desk = Mutex(Desk())
  private let signal = ThreadSignal()

  /// A book that is filled by `read`, which may block. `onNews` is called when there is more in it, on the reading
  /// thread.
  init(
    _ read: @escaping @Sendable ([Track]) -> [ReplayGainTags], onNews: @escaping @Sendable () -> Void
  ) {
    source = Source(read: read, onNews: onNews)
  }

  /// Ends the reading thread, as soon as what it reads lets it.
  func end() {
    desk.withLock { $0.isEnding = true }
    signal.wake()
  }

  /// What is known of `item`, or `nil` where it was not read yet.
  func tags(of item: PlayQueue.Item.ID) -> ReplayGainTags? { desk.withLock { $0.tags[item] } }

  /// These items matter now, and no others: what is not known of them is read.
  func want(_ items: [PlayQueue.Item]) {
    let isMore = desk.withLock { desk in
      let wanted = Set(items.map(\.id))
      desk.tags = desk.tags.filter { wanted.contains($0.key) }
      desk.missing = items.filter { desk.tags[$0.id] == nil }
      guard !desk.missing.isEmpty else { return false }
      if desk.thread == nil {
        desk.thread = try? WorkerThread(name: "segue-loudness") { [weak self, signal] in
          while let self, self.readMissing() { signal.wait() }
        }
      }
      // Without a thread there are still the tags.
      if desk.thread == nil { desk.keep(items.map { ($0.id, $0.track.replayGain) }) }
      return true
    }
    if isMore { signal.wake() }
  }

  /// Reads until nothing is missing; `false` where the thread is to end.
  private func readMissing() -> Bool {
    while true {
      let (missing, isEnding) = desk.withLock { ($0.missing, $0.isEnding) }
      if isEnding { return false }
      if missing.isEmpty { return true }
      let found = source.read(missing.map(\.track))
      // Whatever reads too little leaves the tags.
      let tags = missing.enumerated().map { index, item in
        (item.id, index < found.count ? found[index] : item.track.replayGain)
      }
      desk.withLock { $0.keep(tags) }
      source.onNews()
    }
  }
}

extension LoudnessBook.Desk {
  /// Keeps what was read of items; what is no longer wanted is forgotten when something else is.
  fileprivate mutating func keep(_ found: [(PlayQueue.Item.ID, ReplayGainTags)]) {
    for (item, tags) in found { self.tags[item] = tags }
    missing.removeAll { tags[$0.id] != nil }
  }
}
