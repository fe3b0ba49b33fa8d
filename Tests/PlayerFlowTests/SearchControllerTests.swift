// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import TestSupport
import Testing

/// The library queries that a search causes, and the use of their answers.
@Suite struct SearchControllerTests {
  private func albums(_ ids: ClosedRange<Int64>) -> FakeRepository {
    let repository = FakeRepository()
    repository.state.change { $0.albums = ids.map { .numbered($0) } }
    return repository
  }

  private func searchCall(_ text: String, limit: Int = 4) -> FakeRepository.Call {
    .search(text, .everything, limit: limit)
  }

  @Test func `typed text is searched for only after 120 ms without a key`() throws {
    let flow = try SearchFlow()
    flow.actions.type("a")
    #expect(flow.clock.awaitSleeper(untilMilliseconds: 120))
    flow.clock.advance(byMilliseconds: 119)
    flow.actions.type("ab")
    #expect(flow.clock.awaitSleeper(untilMilliseconds: 239))
    flow.clock.advance(byMilliseconds: 119)
    flow.actions.type("abc")
    #expect(flow.clock.awaitSleeper(untilMilliseconds: 358))
    #expect(flow.repository.calls.isEmpty)
    flow.clock.advance(byMilliseconds: 120)
    #expect(flow.wait { $0.shown?.request.text == "abc" })
    #expect(flow.repository.calls == [searchCall("abc")])
  }

  @Test func `the latest request wins, earlier ones are not read or not shown`() throws {
    let repository = FakeRepository(blocksCalls: true)
    repository.state.change { $0.albums = [.numbered(1)] }
    let flow = try SearchFlow(repository)
    flow.type("a")
    #expect(repository.awaitCalls(1))
    flow.type("ab")
    flow.type("abc")
    repository.grantOne()
    #expect(repository.awaitCalls(2))
    #expect(flow.state.shown == nil && flow.state.loading?.request.text == "abc")
    repository.grantOne()
    #expect(flow.awaitIdle())
    #expect(flow.state.shown?.request.text == "abc")
    #expect(repository.calls == [searchCall("a"), searchCall("abc")])
    #expect(flow.states.value.allSatisfy { $0.shown == nil || $0.shown?.request.text == "abc" })
  }

  @Test func `pages are read on request`() throws {
    let flow = try SearchFlow(albums(1...7))
    flow.type("(a")
    #expect(flow.awaitIdle())
    #expect(flow.state.shown?.rows.albumIDs == [1, 2, 3] && flow.state.shown?.hasMore == true)
    for count in [6, 7] {
      flow.actions.loadMore()
      #expect(flow.awaitIdle())
      #expect(flow.state.shown?.rows.albumIDs == Array(1...Int64(count)))
    }
    #expect(flow.state.shown?.hasMore == false)
    #expect(flow.repository.calls == [searchCall("(a"), searchCall("(a", limit: 7), searchCall("(a", limit: 10)])
  }

  @Test func `when the library changes, all loaded rows are read again`() throws {
    let flow = try SearchFlow(albums(2...9))
    flow.type("a")
    #expect(flow.awaitIdle())
    flow.actions.loadMore()
    #expect(flow.awaitIdle())
    flow.repository.state.change { $0.albums.insert(.numbered(1), at: 0) }
    flow.changeLibrary()
    #expect(flow.wait { $0.shown?.rows.albumIDs == [1, 2, 3, 4, 5, 6] })
    #expect(flow.state.shown?.hasMore == true)
    #expect(flow.repository.calls.count == 3)
  }

  @Test func `an error of the library stays in the state until the next request`() throws {
    let error = LibraryError(.index, "the index cannot be read")
    let flow = try SearchFlow(albums(1...1))
    flow.repository.state.change { $0.error = error }
    flow.type("a")
    #expect(flow.awaitIdle())
    #expect(flow.state.failure == error)
    flow.repository.state.change { $0.error = nil }
    flow.type("ab")
    #expect(flow.awaitIdle())
    #expect(flow.state.failure == nil && flow.state.shown?.rows.albumIDs == [1])
  }

  @Test func `filters are part of the request along with the text`() throws {
    let flow = try SearchFlow()
    flow.type("a")
    #expect(flow.awaitIdle())
    flow.actions.filter(.insert("Jazz", of: .genre))
    #expect(flow.wait { $0.shown?.request.filters.isEmpty == false })
    let jazz = LibraryQuery.any([.text(.genre, TextPattern("Jazz", kind: .exact))])
    #expect(flow.repository.calls.last == .search("a", jazz, limit: 4))
  }

  @Test func `nothing is searched for without a text`() throws {
    let flow = try SearchFlow(albums(1...5))
    flow.type(" ")
    #expect(flow.awaitIdle())
    #expect(flow.state.shown?.rows == [] && flow.repository.calls.isEmpty)
  }

  @Test func `two views of one store always agree, and a late one sees the present state`() throws {
    let flow = try SearchFlow(albums(1...7))
    let observed = Watched<[SearchState?]>([nil, nil, nil])
    var views = (0..<2).map { view in
      flow.store.observe { state in observed.change { $0[view] = state } }
    }
    flow.type("a")
    #expect(flow.awaitIdle())
    flow.actions.filter(.insert("Jazz", of: .genre))
    #expect(flow.awaitIdle())
    flow.actions.loadMore()
    #expect(flow.awaitIdle())
    views.append(flow.store.observe { state in observed.change { $0[2] = state } })
    let state = flow.state
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5, 6])
    withExtendedLifetime(views) {
      #expect(observed.wait { $0.allSatisfy { $0 == state } })
    }
  }

  @Test func `after bursts of typing, filters and answers, the last request is shown`() throws {
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed))
      let flow = try SearchFlow(FakeRepository(blocksCalls: true))
      flow.repository.state.change { $0.albums = [.numbered(1)] }
      for _ in 0..<30 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 3: flow.actions.type(["a", "ab", "abc"].randomElement(using: &random) ?? "")
        case 2: flow.actions.filter(Bool.random(using: &random) ? .insert("Jazz", of: .genre) : .clear(.genre))
        case 4: flow.clock.advance(byMilliseconds: UInt64.random(in: 1..<200, using: &random))
        default: flow.repository.grantOne()
        }
      }
      flow.repository.grantAll()
      flow.type("last")
      #expect(flow.awaitIdle())
      #expect(flow.state.shown?.request == flow.state.wanted && flow.state.wanted.text == "last")
    }
  }

  @Test func `the controller answers requests from before its creation`() throws {
    let dispatcher = SearchDispatcher()
    let store = SearchStore(pageSize: 3, dispatcher: dispatcher)
    let repository = FakeRepository()
    dispatcher.dispatch(.type("a"))
    let controller = try SearchController(
      repository, language: .words, store: store, library: LibraryStore(dispatcher: LibraryDispatcher()),
      dispatcher: dispatcher, typingMilliseconds: 0)
    #expect(repository.awaitCalls(1))
    #expect(controller.shutDown(within: 20_000))
    #expect(repository.calls == [searchCall("a")])
    #expect(store.state.shown?.request.text == "a")
  }

  @Test func `the controller can be shut down during a call, and reads nothing afterwards`() throws {
    let repository = FakeRepository(blocksCalls: true)
    let flow = try SearchFlow(repository)
    flow.type("a")
    #expect(repository.awaitCalls(1))
    #expect(!flow.controller.shutDown(within: 0))
    repository.grantAll()
    #expect(flow.controller.shutDown(within: 20_000))
    flow.type("b")
    #expect(repository.calls.count == 1)
  }
}

/// A search flow with a library that answers when the test allows it.
final class SearchFlow: Sendable {
  let dispatcher = SearchDispatcher()
  let libraryDispatcher = LibraryDispatcher()
  let repository: FakeRepository
  let library: LibraryStore
  let store: SearchStore
  let controller: SearchController
  let actions: SearchActionCreator
  let clock = ManualClock()
  /// All published states, newest last.
  let states = Watched<[SearchState]>([])
  /// The numbers of marker actions, which have no effect, that have been sent and received.
  private let markerCounts = Watched((sent: 0, received: 0))
  private let subscriptions: [Subscription]

  init(_ repository: FakeRepository = FakeRepository(), pageSize: Int = 3) throws {
    self.repository = repository
    library = LibraryStore(dispatcher: libraryDispatcher)
    store = SearchStore(pageSize: pageSize, dispatcher: dispatcher)
    controller = try SearchController(
      repository, language: .words, store: store, library: library, dispatcher: dispatcher, clock: clock)
    actions = SearchActionCreator(dispatcher: dispatcher)
    subscriptions = [
      store.observe { [states] state in states.change { $0.append(state) } },
      dispatcher.subscribe { [markerCounts] action in
        if action == Self.marker { markerCounts.change { $0.received += 1 } }
      },
    ]
  }

  deinit {
    repository.grantAll()
    _ = controller.shutDown(within: 2000)
  }

  var state: SearchState { store.state }

  /// Types `text`, and advances the clock to the time at which it is searched for.
  func type(_ text: String) {
    actions.type(text)
    // Another thread may be delivering. The delay after a key begins only once the action is reduced.
    _ = awaitDelivery()
    clock.advance(byMilliseconds: 120)
  }

  /// Blocks until the newest state satisfies `isReached`. Returns `false` on timeout.
  func wait(until isReached: (SearchState) -> Bool) -> Bool {
    states.wait { $0.last.map(isReached) ?? false }
  }

  /// Blocks until everything dispatched so far is reduced and nothing is loading.
  func awaitIdle() -> Bool { awaitDelivery() && wait { $0.loading == nil } }

  /// Blocks until everything dispatched so far is delivered.
  private func awaitDelivery() -> Bool {
    let number = markerCounts.change { counts in
      counts.sent += 1
      return counts.sent
    }
    dispatcher.dispatch(Self.marker)
    return markerCounts.wait { $0.received >= number }
  }

  /// An action without effect: an answer to no request.
  private static let marker = SearchAction.report(.answered(0, LibraryPage([])))

  /// Reports a change of the library, as a scan would.
  func changeLibrary() {
    var summary = ScanSummary()
    summary.addedCount = 1
    libraryDispatcher.dispatch(.scan(.everything))
    libraryDispatcher.dispatch(.report(.began))
    libraryDispatcher.dispatch(.report(.ended(summary, isComplete: true, elapsed: .zero)))
  }
}

extension QueryLanguage {
  /// A language in which a text matches anywhere.
  static let words = QueryLanguage { text throws(LibraryQueryError) in
    .text(.anywhere, TextPattern(text))
  } makeQuery: { filters in
    .any(
      LibraryFilters.Kind.allCases.flatMap { kind in
        (filters.values[kind] ?? []).map { .text(.genre, TextPattern($0, kind: .exact)) }
      })
  }
}

extension [SearchHit] {
  /// The ids of the albums among the hits.
  var albumIDs: [Int64] {
    compactMap { if case .album(let entry) = $0 { entry.id } else { nil } }
  }
}
