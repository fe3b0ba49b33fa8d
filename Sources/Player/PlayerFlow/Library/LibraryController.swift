public import Flux
public import MusicModel
public import Platform
import Synchronization
public import SystemPackage

/// Drives the reading of a library: reads what was asked for, one scope at a time, on a thread of its own, and reports
/// as actions.
///
/// It acts on an action after the `LibraryStore` has reduced it. Every member may be called from any thread.
public final class LibraryController: Sendable {
  private let work: LibraryWork
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
    try work.startThread()
    subscription = dispatcher.subscribe { work.act(on: $0) }
    // What was asked for before.
    work.beginIfFree()
  }

  deinit { work.end() }

  /// Stops reading for good; says whether the thread has ended, at most within `milliseconds`. What was read is kept.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    subscription.cancel()
    work.end()
    return work.worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}

/// What the library controller's thread works on.
final class LibraryWork: Sendable {
  struct Desk {
    /// What is to be read next by the thread.
    var job: ScanScope?
    /// Asks for the end of what is being read, or is about to be.
    var cancellation: ScanCancellation?
    /// Whether a beginning was dispatched whose end was not yet.
    var isBusy = false
  }

  private let repository: any LibraryRepository
  private let store: LibraryStore
  private let dispatcher: LibraryDispatcher
  private let clock: any MonotonicClock
  let worker = Worker(named: "segue-scan", Desk())

  init(
    _ repository: any LibraryRepository, store: LibraryStore, dispatcher: LibraryDispatcher,
    clock: any MonotonicClock
  ) {
    self.repository = repository
    self.store = store
    self.dispatcher = dispatcher
    self.clock = clock
  }

  /// Starts the thread, which reads what it is given until the end.
  func startThread() throws(Errno) {
    try worker.start(taking: { desk in desk.job.take().flatMap { scope in desk.cancellation.map { (scope, $0) } } }) {
      [self] in read($0, $1)
    }
  }

  /// Acts on what the store has reduced; on the delivering thread.
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

  /// Has what waits be read, unless something is being read.
  func beginIfFree() {
    guard store.state.waiting != nil else { return }
    let isFree = worker.withPending { desk in
      defer { desk.isBusy = true }
      return !desk.isBusy
    }
    if isFree { dispatcher.dispatch(.report(.began)) }
  }

  /// Has the thread end as soon as the repository lets it.
  func end() {
    worker.close()
    worker.withPending { $0.cancellation }?.cancel()
  }

  /// Hands the thread what the store says is being read; it was cancelled where the store says nothing.
  private func start() {
    let scope = store.state.running
    worker.withPending { desk in
      desk.job = scope
      desk.cancellation = scope.map { _ in ScanCancellation() }
      desk.isBusy = scope != nil
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
      report = .ended(summary, isComplete: !cancellation.wasHeeded, elapsed: elapsed())
    } catch {
      report = .failed(error, elapsed: elapsed())
    }
    dispatcher.dispatch(.report(report))
  }
}

/// Asks one reading of the library to end early.
final class ScanCancellation: Sendable {
  private let isAsked = Atomic(false)
  private let isTold = Atomic(false)

  /// Asks it to end. From any thread.
  func cancel() { isAsked.store(true, ordering: .relaxed) }

  /// Whether who reads was told to end: who ends without asking again has read all.
  var wasHeeded: Bool { isTold.load(ordering: .relaxed) }

  /// Answers who reads. From any thread.
  func check() -> Bool {
    guard isAsked.load(ordering: .relaxed) else { return false }
    isTold.store(true, ordering: .relaxed)
    return true
  }
}
