public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Drives the reading of a library: reads what was asked for, one scope at a time, on a thread of its own, and reports
/// as actions.
///
/// It acts on an action after the `LibraryStore` has reduced it. Every member may be called from any thread.
public final class LibraryController: Sendable {
  private let work: LibraryWork
  private let thread: WorkerThread
  private let subscription: Subscription

  /// A controller that reads through `repository` what `dispatcher` asks for. `store` follows the same dispatcher, and
  /// was made before.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(
    _ repository: any LibraryRepository, store: LibraryStore, dispatcher: LibraryDispatcher,
    clock: any MonotonicClock = SystemClock()
  ) throws(Errno) {
    let work = LibraryWork(repository, store: store, dispatcher: dispatcher, clock: clock)
    self.work = work
    thread = try WorkerThread(name: "segue-scan") { work.run() }
    subscription = dispatcher.subscribe { work.act(on: $0) }
    // What was asked for before.
    work.beginIfFree()
  }

  deinit { work.end() }

  /// Stops reading for good; says whether the thread has ended, at most within `milliseconds`. What was read is kept.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    subscription.cancel()
    work.end()
    return thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}
