import Flux
import MusicModel
import Platform
import Synchronization

/// Looks up ReplayGain values on a thread of its own, since that may block on files, and dispatches what it found.
final class ReplayGainLookup: Sendable {
  private struct Source: Sendable {
    let read: @Sendable ([Track]) -> [ReplayGainTags]
  }

  private struct Work {
    /// The items that are to be looked up.
    var items: [PlayQueue.Item] = []
    var thread: WorkerThread?
    var isEnding = false
  }

  private let source: Source
  private let dispatcher: QueueDispatcher
  private let work = Mutex(Work())
  private let signal = ThreadSignal()

  /// A lookup by `read`, which may block, and gives the values of tracks in their order.
  init(dispatcher: QueueDispatcher, _ read: @escaping @Sendable ([Track]) -> [ReplayGainTags]) {
    source = Source(read: read)
    self.dispatcher = dispatcher
  }

  /// Looks up these items, and no others any more.
  func lookUp(_ items: [PlayQueue.Item]) {
    let hasThread = work.withLock { work in
      work.items = items
      if work.thread == nil {
        work.thread = try? WorkerThread(name: "segue-loudness") { [weak self, signal] in
          while let self, self.run() { signal.wait() }
        }
      }
      return work.thread != nil
    }
    // Without a thread there are still the tags.
    if hasThread { signal.wake() } else { dispatchFound(items, []) }
  }

  /// Ends the thread, as soon as what it reads lets it.
  func end() {
    work.withLock { $0.isEnding = true }
    signal.wake()
  }

  /// Looks up until nothing is left to do; `false` where the thread is to end.
  private func run() -> Bool {
    while true {
      let (items, isEnding) = work.withLock { work in
        defer { work.items = [] }
        return (work.items, work.isEnding)
      }
      if isEnding { return false }
      if items.isEmpty { return true }
      dispatchFound(items, source.read(items.map(\.track)))
    }
  }

  private func dispatchFound(_ items: [PlayQueue.Item], _ found: [ReplayGainTags]) {
    // Whatever reads too little leaves the tags.
    let values = items.enumerated().map { index, item in
      (item.id, index < found.count ? found[index] : item.track.replayGain)
    }
    dispatcher.dispatch(.replayGain(Dictionary(values) { $1 }))
  }
}
