import Flux
import MusicModel
import Platform
import Synchronization
import SystemPackage

/// Looks whether the files of the queue's items went or came back, on a thread of its own, since that blocks on slow
/// mounts; and marks the items by actions.
///
/// It looks only where something happened: when an item begins, when one could not be read, and when the library was
/// read anew. Its thread sleeps otherwise.
final class AvailabilityWatch: Sendable {
  /// What is to be looked at.
  struct Look: OptionSet, Sendable {
    let rawValue: UInt8

    /// The next items, and some of those that were gone: an item began.
    static let nearby = Look(rawValue: 1)
    /// The next items until one is there: one was not.
    static let untilPresent = Look(rawValue: 2)
    /// Many of the next ones, and all that were gone: the library has changed.
    static let far = Look(rawValue: 4)
  }

  private struct Desk {
    var look: Look = []
    var thread: WorkerThread?
    var isEnding = false
  }

  private let search: AvailabilitySearch
  private let dispatcher: QueueDispatcher
  private let desk = Mutex(Desk())
  private let signal = ThreadSignal()

  /// One that looks at the items of `queue` and dispatches to `dispatcher`. `isThere` says whether a file is there, and
  /// `nil` where that cannot be told; it may block.
  init(
    queue: QueueListener, dispatcher: QueueDispatcher, isThere: @escaping @Sendable (FilePath) -> Bool?
  ) {
    search = AvailabilitySearch(queue: queue, isThere: isThere)
    self.dispatcher = dispatcher
  }

  /// Has the thread look; where the system grants none, nobody does. From any thread.
  func look(_ look: Look) {
    desk.withLock { desk in
      desk.look.formUnion(look)
      guard desk.thread == nil, !desk.isEnding else { return }
      desk.thread = try? WorkerThread(name: "segue-files") { [weak self, signal] in
        while self?.work() == true { signal.wait() }
      }
    }
    signal.wake()
  }

  /// Ends the thread, as soon as what it looks at lets it.
  func end() {
    desk.withLock { $0.isEnding = true }
    signal.wake()
  }

  /// Does what is to be done; `false` where the thread is to end.
  private func work() -> Bool {
    while true {
      let (look, isEnding) = desk.withLock { desk in
        defer { desk.look = [] }
        return (desk.look, desk.isEnding)
      }
      if isEnding { return false }
      if look.isEmpty { return true }
      search.run(look, isCancelled: { desk.withLock { $0.isEnding } }) { gone, back in
        dispatcher.dispatch(.availability(gone: gone, back: back))
      }
    }
  }
}
