import Flux
import MusicModel
import PlayerFlow
import Synchronization
import Testing

@testable import Screens

/// What lists show, without a view and without a library: the answers are dispatched by the test.
@Suite struct ListViewModelTests {
  private let dispatcher = SearchDispatcher()
  private let store: SearchStore
  private let actions: SearchActionCreator
  private let albums: AlbumListViewModel
  private let tracks: TrackListViewModel
  private let search: SearchViewModel

  init() {
    store = SearchStore(pageSize: 2, dispatcher: dispatcher)
    actions = SearchActionCreator(dispatcher: dispatcher)
    albums = AlbumListViewModel(.albums, store: store, actions: actions)
    tracks = TrackListViewModel(.tracks, store: store, actions: actions)
    search = SearchViewModel(.hits, store: store, actions: actions)
  }

  private func album(_ id: Int64) -> AlbumEntry {
    AlbumEntry(
      id: id, title: "Album \(id)", artist: nil, date: nil, isCompilation: false, trackCount: 1,
      duration: .seconds(60), added: 0)
  }

  /// Answers what is being read.
  private func answer(_ rows: SearchRows, hasMore: Bool = false) {
    guard let ask = store.state.loading else { return }
    dispatcher.dispatch(.report(.answered(ask.number, SearchPage(rows, hasMore: hasMore))))
  }

  private func fail(_ fault: SearchFault) {
    guard let ask = store.state.loading else { return }
    dispatcher.dispatch(.report(.failed(ask.number, fault)))
  }

  private var shown: ListOutput<AlbumEntry> { AlbumListViewModel.output(store.state, .albums) }

  @Test func `a list says that it loads, shows its rows, and what comes behind them`() {
    albums.accept(.open)
    #expect(shown.note == "loading…" && shown.rows.isEmpty && shown.title == "Albums")
    answer(.albums([album(1), album(2)]), hasMore: true)
    #expect(shown.rows.map(\.id) == [1, 2] && shown.hasMore && shown.note == nil)
    albums.accept(.loadMore)
    #expect(shown.isLoading && shown.rows.count == 2)
    answer(.albums([album(3)]))
    #expect(shown.rows.map(\.id) == [1, 2, 3] && !shown.hasMore && !shown.isLoading)
  }

  @Test func `the title says what the rows answer: query, filters and order`() {
    albums.accept(.submit("coltrane year:1957..1965"))
    for (value, kind) in [("1950s", LibraryFilters.Kind.decade), ("Jazz", .genre), ("Bebop", .genre)] {
      albums.accept(.filter(.insert(value, of: kind)))
    }
    albums.accept(.order(LibraryOrder(.added, isDescending: true)))
    answer(.albums([album(1)]))
    let title =
      "Albums: coltrane year:1957..1965 · genre Jazz or Bebop · decade 1950s · by added, last first"
    #expect(shown.title == title)
    // The rows stay, under the title of what they answer, while another request is being read.
    albums.accept(.filter(.clear(nil)))
    #expect(shown.title == title && shown.rows.count == 1 && shown.isLoading)
    answer(.albums([]))
    #expect(shown.title == "Albums: coltrane year:1957..1965 · by added, last first")
    #expect(shown.note == "nothing found")
  }

  @Test func `a query that is wrong says where, and what to do`() {
    albums.accept(.submit("year:x"))
    fail(.query("a year is a number", column: 6))
    #expect(shown.problem?.column == 6 && shown.rows.isEmpty)
    #expect(shown.note == "a year is a number; change the query")
  }

  @Test func `a fault of the library can be tried again`() {
    albums.accept(.open)
    fail(.library(LibraryFault(.index, "the index is locked")))
    #expect(shown.note == "the index is locked; try again")
    albums.accept(.retry)
    #expect(shown.problem == nil && shown.isLoading)
  }

  @Test func `a list shows nothing while something else is listed`() {
    albums.accept(.submit("blue"))
    answer(.albums([album(1)]))
    tracks.accept(.open)
    answer(.tracks([]))
    #expect(shown == ListOutput(title: "Albums: blue", text: ""))
    #expect(TrackListViewModel.output(store.state, .tracks).note == "nothing found")
    #expect(TrackListViewModel.output(store.state, .tracks).title == "Tracks: blue")
  }

  @Test func `a search follows what is typed, and begins without the query of another list`() {
    albums.accept(.submit("year:1959"))
    answer(.albums([album(1)]))
    search.accept(.open)
    answer(.hits([]))
    search.accept(.type("blu"))
    let output = SearchViewModel.output(store.state, .hits)
    #expect(output.text == "blu" && output.isLoading && output.title == "Search")
    #expect(store.state.loading?.isTyped == true)
    answer(.hits([.album(album(2))]))
    #expect(SearchViewModel.output(store.state, .hits).rows == [.album(album(2))])
    #expect(SearchViewModel.output(store.state, .hits).title == "Search: blu")
    albums.accept(.open)
    #expect(store.state.wanted.text == "")
  }

  @Test func `two lists of one store always show the same`() {
    let other = AlbumListViewModel(.albums, store: store, actions: actions)
    let seen = Mutex<[[ListOutput<AlbumEntry>]]>([[], []])
    let observations = [albums, other].enumerated().map { index, list in
      list.observe { output in seen.withLock { $0[index].append(output) } }
    }
    albums.accept(.submit("blue"))
    answer(.albums([album(1)]))
    other.accept(.filter(.insert("Jazz", of: .genre)))
    answer(.albums([]))
    withExtendedLifetime(observations) {
      let seen = seen.withLock { $0 }
      #expect(seen[0] == seen[1])
      #expect(seen[0].last?.title == "Albums: blue · genre Jazz")
    }
  }

  @Test func `what is drawn is given at once, and then only what is something else`() {
    let seen = Mutex<[ListOutput<AlbumEntry>]>([])
    let observation = albums.observe { output in seen.withLock { $0.append(output) } }
    albums.accept(.open)
    // Which request is being read is nothing that a list shows.
    actions.refresh()
    withExtendedLifetime(observation) { #expect(seen.withLock { $0.map(\.isLoading) } == [false, true]) }
  }

  @Test func `inputs become outputs`() async {
    let (inputs, input) = AsyncStream<ListInput>.makeStream()
    var outputs = albums.transform(inputs).makeAsyncIterator()
    #expect(await outputs.next()?.isLoading == false)
    input.yield(.submit("blue"))
    let loading = await outputs.next()
    #expect(loading?.isLoading == true && loading?.title == "Albums: blue")
    input.finish()
    answer(.albums([album(1)]))
    #expect(await outputs.next()?.rows.map(\.id) == [1])
  }
}
