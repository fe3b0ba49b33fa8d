public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Drives the asking of a library: reads what a listing asks on a thread of its own, and brings the answers back as
/// actions.
///
/// The latest request wins: one that was not begun is never read, and the answer to one that was is dropped. It acts on
/// an action after the `SearchStore` has reduced it. Every member may be called from any thread.
public final class SearchController: Sendable {
  private let work: SearchWork
  private let thread: WorkerThread
  private let subscriptions: [Subscription]

  /// A controller that asks `repository` what `dispatcher` carries, and again when `library` says that it has changed.
  /// `store` follows the same dispatcher, and was made before. What is typed waits `typingMilliseconds` for the next
  /// key.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(
    _ repository: any LibraryRepository, language: QueryLanguage, store: SearchStore,
    library: LibraryStore, dispatcher: SearchDispatcher, clock: any MonotonicClock = SystemClock(),
    typingMilliseconds: UInt64 = 120
  ) throws(Errno) {
    let work = SearchWork(
      SearchReader(repository: repository, language: language), store: store, dispatcher: dispatcher,
      clock: clock, typingMilliseconds: typingMilliseconds)
    self.work = work
    thread = try WorkerThread(name: "segue-search") { work.run() }
    subscriptions = [
      dispatcher.subscribe { _ in work.act() }, library.observe { work.follow($0) },
    ]
    // What was asked before.
    work.act()
  }

  deinit { work.end() }

  /// Reads nothing more; says whether the thread has ended, at most within `milliseconds`.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    for subscription in subscriptions { subscription.cancel() }
    work.end()
    return thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}
