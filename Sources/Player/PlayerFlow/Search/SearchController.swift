public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Drives the asking of a library: reads what a search asks on a thread of its own, and brings the answers back as
/// actions.
///
/// The latest request wins: one that was not begun is never read, and the answer to one that was is dropped. It acts on
/// an action after the `SearchStore` has reduced it. Every member may be called from any thread.
public final class SearchController: Sendable {
  private let work: SearchWork
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
    try work.worker.start { work.step() }
    subscriptions = [
      dispatcher.subscribe { _ in work.act() }, library.observe { work.follow($0) },
    ]
    // What was asked before.
    work.act()
  }

  deinit { work.worker.close() }

  /// Reads nothing more; says whether the thread has ended, at most within `milliseconds`.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    for subscription in subscriptions { subscription.cancel() }
    work.worker.close()
    return work.worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}

/// What the search controller's thread works on.
final class SearchWork: Sendable {
  struct Desk {
    var schedule: SearchSchedule
    /// The library's version that was taken notice of last.
    var libraryVersion: UInt64?
  }

  private let reader: SearchReader
  private let store: SearchStore
  private let dispatcher: SearchDispatcher
  private let clock: any MonotonicClock
  let worker: Worker<Desk>

  init(
    _ reader: SearchReader, store: SearchStore, dispatcher: SearchDispatcher, clock: any MonotonicClock,
    typingMilliseconds: UInt64
  ) {
    self.reader = reader
    self.store = store
    self.dispatcher = dispatcher
    self.clock = clock
    worker = Worker(
      named: "segue-search", Desk(schedule: SearchSchedule(typingMilliseconds: typingMilliseconds)), clock: clock)
  }

  /// Takes notice of what the store has reduced.
  func act() {
    // Looked up under the lock: whoever comes second sees what is at least as new.
    let hasWork = worker.withPending { [store, clock] in $0.schedule.follow(store.state, at: clock.now) }
    if hasWork { worker.wake() }
  }

  /// Takes notice of how the library stands.
  func follow(_ library: LibraryState) {
    let hasChanged = worker.withPending { desk in
      defer { desk.libraryVersion = library.version }
      return desk.libraryVersion.map { $0 != library.version } ?? false
    }
    if hasChanged { dispatcher.dispatch(.report(.libraryChanged)) }
  }

  /// Reads what is due, and gives when to look again, if ever.
  func step() -> MonotonicInstant? {
    let now = clock.now
    switch worker.withPending({ $0.schedule.next(at: now) }) {
    case .read(let ask): read(ask)
    case .wait(let deadline): return deadline
    }
    return now
  }

  private func read(_ ask: SearchAsk) {
    do throws(LibraryError) {
      dispatcher.dispatch(.report(.answered(ask.number, try reader.page(ask))))
    } catch {
      dispatcher.dispatch(.report(.failed(ask.number, error)))
    }
  }
}

/// What is to be read for a search, and when: of what was asked, only the newest is ever read.
struct SearchSchedule {
  /// What the thread does next.
  enum Step: Sendable {
    /// Read this.
    case read(SearchAsk)
    /// Look again then; without a moment, when there is something new.
    case wait(until: MonotonicInstant?)
  }

  /// How long a typed text waits for the next key.
  let typingMilliseconds: UInt64
  /// What is to be read, from then on.
  private var ask: SearchAsk?
  private var due = MonotonicInstant(nanoseconds: 0)
  /// The number of what was taken notice of last.
  private var number: UInt64?

  init(typingMilliseconds: UInt64) { self.typingMilliseconds = typingMilliseconds }

  /// Takes notice of `state`, which is the newest; says whether there is something new to read.
  mutating func follow(_ state: SearchState, at now: MonotonicInstant) -> Bool {
    guard state.loading?.number != number else { return false }
    ask = state.loading
    number = ask?.number
    due = now.advanced(byMilliseconds: ask?.isTyped == true ? typingMilliseconds : 0)
    return ask != nil
  }

  /// What to do now; each ask is given once.
  mutating func next(at now: MonotonicInstant) -> Step {
    if due <= now, let ask = ask.take() { return .read(ask) }
    return .wait(until: ask == nil ? nil : due)
  }
}
