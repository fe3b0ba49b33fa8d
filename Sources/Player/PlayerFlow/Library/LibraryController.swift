// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import Platform
import Synchronization
public import SystemPackage

/// Scans the library as requested, one scope at a time, on a thread of its own, and dispatches reports as actions.
///
/// It handles an action after the `LibraryStore` has reduced it. Every member may be called from any thread.
public final class LibraryController: Sendable {
  private let work: LibraryWork
  private let subscription: Subscription

  /// Creates a controller that performs the requests of `dispatcher` on `repository`. `store` must use the same
  /// dispatcher, and must have been created before.
  ///
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    _ repository: any LibraryRepository, store: LibraryStore, dispatcher: LibraryDispatcher,
    clock: any MonotonicClock = SystemClock()
  ) throws(Errno) {
    let work = LibraryWork(repository, store: store, dispatcher: dispatcher, clock: clock)
    self.work = work
    try work.startThread()
    subscription = dispatcher.subscribe { work.act(on: $0) }
    // Handle the requests from before this subscription.
    work.beginIfFree()
  }

  deinit { work.end() }

  /// Stops scanning permanently, waiting for at most `milliseconds`; returns whether the thread has ended. The results
  /// of the scan so far are preserved.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    subscription.cancel()
    work.end()
    return work.worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}

/// The work of the library controller's thread.
final class LibraryWork: Sendable {
  struct Pending {
    /// The scope that the thread is to scan next; `nil` if there is none.
    var job: ScanScope?
    /// Cancels the scan that is running or about to start.
    var cancellation: ScanCancellation?
    /// Whether the beginning of a scan has been dispatched, but not its end.
    var isBusy = false
  }

  private let repository: any LibraryRepository
  private let store: LibraryStore
  private let dispatcher: LibraryDispatcher
  private let clock: any MonotonicClock
  let worker = Worker(named: "segue-scan", Pending())

  init(
    _ repository: any LibraryRepository, store: LibraryStore, dispatcher: LibraryDispatcher,
    clock: any MonotonicClock
  ) {
    self.repository = repository
    self.store = store
    self.dispatcher = dispatcher
    self.clock = clock
  }

  /// Starts the thread, which performs its jobs until ``end()`` is called.
  func startThread() throws(Errno) {
    try worker.start(taking: { pending in
      pending.job.take().flatMap { scope in pending.cancellation.map { (scope, $0) } }
    }) {
      [self] in read($0, $1)
    }
  }

  /// Handles an action that the store has reduced. Called on the delivering thread.
  func act(on action: LibraryAction) {
    switch action {
    case .scan: beginIfFree()
    case .cancel: worker.withPending { $0.cancellation }?.cancel()
    case .report(.began): start()
    case .report(.ended), .report(.failed):
      worker.withPending { $0.isBusy = false }
      beginIfFree()
    case .report(.progressed), .report(.unwatched): break
    }
  }

  /// Starts to scan the waiting scope, if there is one, unless a scan is running.
  func beginIfFree() {
    guard store.state.waiting != nil else { return }
    let isFree = worker.withPending { pending in
      defer { pending.isBusy = true }
      return !pending.isBusy
    }
    if isFree { dispatcher.dispatch(.report(.began)) }
  }

  /// Ends the thread as soon as the repository returns.
  func end() {
    worker.close()
    worker.withPending { $0.cancellation }?.cancel()
  }

  /// Passes the scope that the store is scanning to the thread. If there is none, the scan was cancelled.
  private func start() {
    let scope = store.state.running
    worker.withPending { pending in
      pending.job = scope
      pending.cancellation = scope.map { _ in ScanCancellation() }
      pending.isBusy = scope != nil
    }
    if scope != nil { worker.wake() }
  }

  private func read(_ scope: ScanScope, _ cancellation: ScanCancellation) {
    let begin = clock.now
    let clock = clock
    let elapsed: @Sendable () -> Duration = {
      .nanoseconds(Int64(clamping: clock.now.nanoseconds - begin.nanoseconds))
    }
    let report: LibraryReport
    do throws(LibraryError) {
      let summary = try repository.scan(
        scope,
        progress: { [dispatcher] progress in
          dispatcher.dispatch(.report(.progressed(progress, elapsed: elapsed())))
        }, isCancelled: { cancellation.check() })
      report = .ended(summary, isComplete: !cancellation.wasSeen, elapsed: elapsed())
    } catch {
      report = .failed(error, elapsed: elapsed())
    }
    dispatcher.dispatch(.report(report))
  }
}

/// A request to end one library scan early.
final class ScanCancellation: Sendable {
  private let isRequested = Atomic(false)
  private let isSeen = Atomic(false)

  /// Requests the end of the scan. Can be called from any thread.
  func cancel() { isRequested.store(true, ordering: .relaxed) }

  /// Whether the scan has seen the request. A scan that ended without seeing it is complete.
  var wasSeen: Bool { isSeen.load(ordering: .relaxed) }

  /// Returns whether the scan should end, and records that it has seen the request. Called by the scan, from any
  /// thread.
  func check() -> Bool {
    guard isRequested.load(ordering: .relaxed) else { return false }
    isSeen.store(true, ordering: .relaxed)
    return true
  }
}
