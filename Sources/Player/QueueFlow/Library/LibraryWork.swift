import Flux
import MusicModel
import Platform
import Synchronization

/// What the library controller's thread works on.
final class LibraryWork: Sendable {
  private struct Desk {
    /// What is to be read next by the thread.
    var job: ScanScope?
    /// Asks for the end of what is being read, or is about to be.
    var cancellation: ScanCancellation?
    /// Whether a beginning was dispatched whose end was not yet.
    var isBusy = false
    var isEnding = false
  }

  private let repository: any LibraryRepository
  private let store: LibraryStore
  private let dispatcher: LibraryDispatcher
  private let clock: any MonotonicClock
  private let desk = Mutex(Desk())
  private let signal = ThreadSignal()

  init(
    _ repository: any LibraryRepository, store: LibraryStore, dispatcher: LibraryDispatcher,
    clock: any MonotonicClock
  ) {
    self.repository = repository
    self.store = store
    self.dispatcher = dispatcher
    self.clock = clock
  }

  /// Acts on what the store has reduced; on the delivering thread.
  func act(on action: LibraryAction) {
    switch action {
    case .scan, .retry: beginIfFree()
    case .cancel: desk.withLock { $0.cancellation }?.cancel()
    case .report(.began): start()
    case .report(.ended), .report(.failed):
      desk.withLock { $0.isBusy = false }
      beginIfFree()
    case .report(.progressed), .report(.unwatched): break
    }
  }

  /// Has what waits be read, unless something is being read.
  func beginIfFree() {
    guard store.state.waiting != nil else { return }
    let isFree = desk.withLock { desk in
      defer { desk.isBusy = true }
      return !desk.isBusy
    }
    if isFree { dispatcher.dispatch(.report(.began)) }
  }

  /// Has the thread end as soon as the repository lets it.
  func end() {
    let cancellation = desk.withLock { desk in
      desk.isEnding = true
      return desk.cancellation
    }
    cancellation?.cancel()
    signal.wake()
  }

  /// Reads what it is given until the end.
  func run() {
    while true {
      let (job, isEnding) = desk.withLock { desk in
        (desk.job.take().flatMap { scope in desk.cancellation.map { (scope, $0) } }, desk.isEnding)
      }
      if isEnding { return }
      if let (scope, cancellation) = job { read(scope, cancellation) } else { signal.wait() }
    }
  }

  /// Hands the thread what the store says is being read; it was cancelled where the store says nothing.
  private func start() {
    let scope = store.state.running
    desk.withLock { desk in
      desk.job = scope
      desk.cancellation = scope.map { _ in ScanCancellation() }
      desk.isBusy = scope != nil
    }
    if scope != nil { signal.wake() }
  }

  private func read(_ scope: ScanScope, _ cancellation: ScanCancellation) {
    let begin = clock.now
    let clock = clock
    let elapsed: @Sendable () -> Duration = {
      .nanoseconds(Int64(clamping: clock.now.nanoseconds - begin.nanoseconds))
    }
    let report: LibraryReport
    do throws(LibraryFault) {
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
