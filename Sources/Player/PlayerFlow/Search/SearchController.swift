// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Sends the requests of a search to the library, on a thread of its own, and dispatches the answers as actions.
///
/// The latest request wins: an earlier one that has not begun is never read, and the answer to one that has begun is
/// dropped. The controller handles an action after the `SearchStore` has reduced it. Every member may be called from
/// any thread.
public final class SearchController: Sendable {
  private let work: SearchWork
  private let subscriptions: [Subscription]

  /// Creates a controller that sends the requests of `dispatcher` to `repository`, and repeats the last one when
  /// `library` reports a change. `store` must use the same dispatcher, and must have been created before. After each
  /// key, the search waits `typingMilliseconds` for the next one.
  ///
  /// - Throws: `Errno` if the system cannot create the thread.
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
      dispatcher.subscribe { _ in work.act() }, library.observe { work.receive($0) },
    ]
    // Handle the request from before this subscription.
    work.act()
  }

  deinit { work.worker.close() }

  /// Ends the thread, waiting for at most `milliseconds`; returns whether it has ended.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    for subscription in subscriptions { subscription.cancel() }
    work.worker.close()
    return work.worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}

/// The work of the search controller's thread.
final class SearchWork: Sendable {
  struct Pending {
    var schedule: SearchSchedule
    /// The last version of the library that was received; `nil` if there was none.
    var libraryVersion: UInt64?
  }

  private let reader: SearchReader
  private let store: SearchStore
  private let dispatcher: SearchDispatcher
  private let clock: any MonotonicClock
  let worker: Worker<Pending>

  init(
    _ reader: SearchReader, store: SearchStore, dispatcher: SearchDispatcher, clock: any MonotonicClock,
    typingMilliseconds: UInt64
  ) {
    self.reader = reader
    self.store = store
    self.dispatcher = dispatcher
    self.clock = clock
    worker = Worker(
      named: "segue-search", Pending(schedule: SearchSchedule(typingMilliseconds: typingMilliseconds)), clock: clock)
  }

  /// Receives the state that the store has just reduced.
  func act() {
    // The state is read under the lock, so that no caller replaces a newer state with an older one.
    let hasWork = worker.withPending { [store, clock] in $0.schedule.receive(store.state, at: clock.now) }
    if hasWork { worker.wake() }
  }

  func receive(_ library: LibraryState) {
    let hasChanged = worker.withPending { pending in
      defer { pending.libraryVersion = library.version }
      return pending.libraryVersion.map { $0 != library.version } ?? false
    }
    if hasChanged { dispatcher.dispatch(.report(.libraryChanged)) }
  }

  /// Answers the request that is due. Returns when to check again, or `nil` to wait for a change.
  func step() -> MonotonicInstant? {
    let now = clock.now
    switch worker.withPending({ $0.schedule.next(at: now) }) {
    case .read(let pageRequest): read(pageRequest)
    case .wait(let deadline): return deadline
    }
    return now
  }

  private func read(_ pageRequest: PageRequest) {
    do throws(LibraryError) {
      dispatcher.dispatch(.report(.answered(pageRequest.number, try reader.page(pageRequest))))
    } catch {
      dispatcher.dispatch(.report(.failed(pageRequest.number, error)))
    }
  }
}

/// The schedule of a search: which request to answer next, and when. Only the newest request is ever answered.
struct SearchSchedule {
  /// The next step of the search thread.
  enum Step: Sendable {
    case read(PageRequest)
    /// Check again at this instant; if it is `nil`, when there is a new request.
    case wait(until: MonotonicInstant?)
  }

  /// How long to wait for the next key after one was typed, in milliseconds.
  let typingMilliseconds: UInt64
  /// The request to answer from the instant `due` on; `nil` if there is none.
  private var pageRequest: PageRequest?
  private var due = MonotonicInstant(nanoseconds: 0)
  /// The number of the last request that was received.
  private var number: UInt64?

  init(typingMilliseconds: UInt64) { self.typingMilliseconds = typingMilliseconds }

  /// Receives the newest state of the search. Returns whether it contains a new request, which is to be answered.
  mutating func receive(_ state: SearchState, at now: MonotonicInstant) -> Bool {
    guard state.loading?.number != number else { return false }
    pageRequest = state.loading
    number = pageRequest?.number
    due = now.advanced(byMilliseconds: pageRequest?.isTyped == true ? typingMilliseconds : 0)
    return pageRequest != nil
  }

  /// Returns the next step. Each request is returned once.
  mutating func next(at now: MonotonicInstant) -> Step {
    if due <= now, let pageRequest = pageRequest.take() { return .read(pageRequest) }
    return .wait(until: pageRequest == nil ? nil : due)
  }
}

/// Reads the answers to search requests from a repository. Its functions block while the repository does.
struct SearchReader: Sendable {
  let repository: any LibraryRepository
  let language: QueryLanguage

  /// Returns the page of rows that answers `pageRequest`.
  func page(_ pageRequest: PageRequest) throws(LibraryError) -> LibraryPage<SearchHit> {
    let request = pageRequest.request
    if request.text.allSatisfy(\.isWhitespace) { return LibraryPage([]) }
    let offset = if case .more(let count) = pageRequest.part { count } else { 0 }
    return try repository.hits(
      request.text, among: language.query(request.filters), window: .init(offset: offset, limit: pageRequest.limit))
  }
}

/// Converts query text and filters to queries.
public struct QueryLanguage: Sendable {
  private let parse: @Sendable (String) throws(LibraryQueryError) -> LibraryQuery
  private let makeQuery: @Sendable (LibraryFilters) -> LibraryQuery

  /// Creates a language from a parser of query text and a function that converts filters to a query. Both may be called
  /// on any thread.
  public init(
    parse: @escaping @Sendable (String) throws(LibraryQueryError) -> LibraryQuery,
    makeQuery: @escaping @Sendable (LibraryFilters) -> LibraryQuery
  ) {
    self.parse = parse
    self.makeQuery = makeQuery
  }

  /// Returns the query for `text` combined with `filters`.
  ///
  /// - Throws: `LibraryQueryError` if the text is not a valid query.
  public func query(_ text: String, _ filters: LibraryFilters) throws(LibraryQueryError) -> LibraryQuery {
    let query = text.allSatisfy(\.isWhitespace) ? .everything : try parse(text)
    if filters.isEmpty { return query }
    let filter = makeQuery(filters)
    switch query {
    case .everything: return filter
    case .all(let parts): return .all(parts + [filter])
    default: return .all([query, filter])
    }
  }

  /// Returns the query for `filters`.
  public func query(_ filters: LibraryFilters) -> LibraryQuery { filters.isEmpty ? .everything : makeQuery(filters) }
}
