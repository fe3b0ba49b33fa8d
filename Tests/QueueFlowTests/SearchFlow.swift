import Flux
import MusicModel
import Platform
import QueueFlow
import TestSupport

/// A search flow on a library that answers as the test says.
final class SearchFlow: Sendable {
  let dispatcher = SearchDispatcher()
  let libraryDispatcher = LibraryDispatcher()
  let repository: FakeRepository
  let library: LibraryStore
  let store: SearchStore
  let controller: SearchController
  let actions: SearchActionCreator
  let clock = ManualClock()
  /// Every state that was published, the newest last.
  let states = Watched<[SearchState]>([])
  /// How many actions were dispatched that mean nothing, and how many came.
  private let marks = Watched((sent: 0, come: 0))
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
      dispatcher.subscribe { [marks] action in
        if action == Self.mark { marks.change { $0.come += 1 } }
      },
    ]
  }

  deinit {
    repository.grantAll()
    _ = controller.shutDown(within: 2000)
  }

  var state: SearchState { store.state }

  /// Blocks until `isReached` holds of the newest state; `false` where it never does.
  func wait(until isReached: (SearchState) -> Bool) -> Bool {
    states.wait { $0.last.map(isReached) ?? false }
  }

  /// Blocks until all that was dispatched until now is reduced, and nothing is being read.
  func awaitRest() -> Bool {
    let number = marks.change { marks in
      marks.sent += 1
      return marks.sent
    }
    dispatcher.dispatch(Self.mark)
    return marks.wait { $0.come >= number }
      && wait { $0.loading == nil && $0.choices?.isLoading != true }
  }

  /// An answer to nothing.
  private static let mark = SearchAction.report(.answered(0, SearchPage(.albums([]))))

  /// Has the library change, as a scan would.
  func changeLibrary() {
    var summary = ScanSummary()
    summary.addedCount = 1
    libraryDispatcher.dispatch(.scan(.everything))
    libraryDispatcher.dispatch(.report(.began))
    libraryDispatcher.dispatch(.report(.ended(summary, isComplete: true, elapsed: .zero)))
  }
}

extension QueryLanguage {
  /// A language in which a text is looked for anywhere, and "(" is a mistake.
  static let words = QueryLanguage { text throws(SearchFault) in
    if let place = text.firstIndex(of: "(") {
      throw .query("there is no )", column: text.distance(from: text.startIndex, to: place) + 1)
    }
    return .word(text)
  } narrow: { filters in
    .any(
      LibraryFilters.Kind.allCases.flatMap { kind in
        (filters.values[kind] ?? []).map { .text(.genre, TextPattern($0, kind: .exact)) }
      })
  }
}

extension LibraryQuery {
  /// The query that looks for `text` anywhere.
  static func word(_ text: String) -> LibraryQuery { .text(.anywhere, TextPattern(text)) }
}

extension SearchRows {
  /// The ids, where they are of albums.
  var albumIDs: [Int64] {
    if case .albums(let rows) = self { rows.map(\.id) } else { [] }
  }
}
