// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import Synchronization
import Testing

@testable import Screens

/// The output of a search without a view or a library. The tests answer its requests.
@Suite struct SearchViewModelTests {
  private let dispatcher = SearchDispatcher()
  private let store: SearchStore
  private let actions: SearchActionCreator
  private let search: SearchViewModel

  init() {
    store = SearchStore(pageSize: 2, dispatcher: dispatcher)
    actions = SearchActionCreator(dispatcher: dispatcher)
    search = SearchViewModel(store: store, actions: actions)
  }

  private func hit(_ id: Int64) -> SearchHit {
    .album(
      AlbumEntry(
        id: id, title: "Album \(id)", artist: nil, date: nil, isCompilation: false, trackCount: 1,
        duration: .seconds(60), added: 0))
  }

  /// Answers the current request.
  private func answer(_ rows: [SearchHit], hasMore: Bool = false) {
    guard let pageRequest = store.state.loading else { return }
    dispatcher.dispatch(.report(.answered(pageRequest.number, LibraryPage(rows, hasMore: hasMore))))
  }

  private var output: SearchOutput { SearchOutput(store.state) }

  @Test func `a search shows that it is loading, its rows, and more rows`() {
    search.accept(.type("blu"))
    #expect(output.note == "loading…" && output.rows.isEmpty && store.state.loading?.isTyped == true)
    answer([hit(1), hit(2)], hasMore: true)
    #expect(output.rows == [hit(1), hit(2)] && output.note == nil)
    search.accept(.loadMore)
    #expect(output.isLoading && output.rows.count == 2)
    answer([hit(3)])
    #expect(output.rows == [hit(1), hit(2), hit(3)] && !output.isLoading)
  }

  @Test func `rows are shown until the search for another text ends, which may find none`() {
    search.accept(.type("blu"))
    answer([hit(1)])
    search.accept(.type("blux"))
    #expect(output.rows == [hit(1)] && output.isLoading)
    answer([])
    #expect(output.note == "no matches")
  }

  @Test func `a library error is shown with a remedy`() throws {
    search.accept(.type("blu"))
    let pageRequest = try #require(store.state.loading)
    dispatcher.dispatch(.report(.failed(pageRequest.number, LibraryError(.index, "the index is locked"))))
    #expect(output.note == "the index is locked; try again")
    search.accept(.type("blue"))
    #expect(output.problem == nil && output.isLoading)
  }

  @Test func `filters are shown in words`() {
    for (value, kind) in [("1950s", LibraryFilters.Kind.decade), ("Jazz", .genre), ("Bebop", .genre)] {
      actions.filter(.insert(value, of: kind))
    }
    #expect(FilterText.text(store.state.wanted.filters) == "genre Jazz or Bebop · decade 1950s")
    actions.filter(.clear(nil))
    #expect(FilterText.text(store.state.wanted.filters) == nil)
  }

  @Test func `two views of one store always have the same output`() {
    let outputs = Mutex<[[SearchOutput]]>([[], []])
    let other = SearchViewModel(store: store, actions: actions)
    let observations = [search, other].enumerated().map { index, model in
      model.observe { output in outputs.withLock { $0[index].append(output) } }
    }
    search.accept(.type("blue"))
    answer([hit(1)])
    actions.filter(.insert("Jazz", of: .genre))
    answer([])
    withExtendedLifetime(observations) {
      let outputs = outputs.withLock { $0 }
      #expect(outputs[0] == outputs[1])
      #expect(outputs[0].last?.note == "no matches")
    }
  }

  @Test func `output is delivered at once, and then only when it changes`() {
    let outputs = Mutex<[SearchOutput]>([])
    let observation = search.observe { output in outputs.withLock { $0.append(output) } }
    search.accept(.type("a"))
    // The number of the current request is not part of the output.
    search.accept(.type("ab"))
    withExtendedLifetime(observation) { #expect(outputs.withLock { $0.map(\.isLoading) } == [false, true]) }
  }

  @Test func `inputs become outputs`() async {
    let (inputs, input) = AsyncStream<SearchViewModel.Input>.makeStream()
    var outputs = search.transform(inputs).makeAsyncIterator()
    #expect(await outputs.next()?.isLoading == false)
    input.yield(.type("blue"))
    #expect(await outputs.next()?.isLoading == true)
    input.finish()
    answer([hit(1)])
    #expect(await outputs.next()?.rows == [hit(1)])
  }
}
