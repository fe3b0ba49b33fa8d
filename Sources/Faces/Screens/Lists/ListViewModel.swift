import Flux
package import MusicModel
package import PlayerFlow

/// A list that follows what all views together want of the library.
package struct ListViewModel<Row: ListRow>: ViewModel {
  /// What it lists.
  let listing: SearchListing
  private let store: SearchStore
  private let actions: SearchActionCreator

  /// A list of `listing`, whose rows are of this kind.
  package init(_ listing: SearchListing, store: SearchStore, actions: SearchActionCreator) {
    self.listing = listing
    self.store = store
    self.actions = actions
  }

  func accept(_ input: ListInput) {
    switch input {
    // What is searched for is no query: each begins with nothing of the other.
    case .open:
      let isOther = (store.state.wanted.listing == .hits) != (listing == .hits)
      actions.list(listing, text: isOther ? "" : nil)
    case .type(let text): actions.type(text, in: listing)
    case .submit(let text): actions.list(listing, text: text)
    case .order(let order): actions.list(listing, order: order)
    case .filter(let change): actions.filter(change)
    case .refresh: actions.refresh()
    case .loadMore: actions.loadMore()
    case .retry: actions.retry()
    }
  }

  func observeStates(_ receive: @escaping @Sendable (ListOutput<Row>) -> Void) -> Subscription {
    store.observe { [listing] in receive(Self.output($0, listing)) }
  }

  /// What a list of `listing` shows in `state`; nothing while something else is listed.
  static func output(_ state: SearchState, _ listing: SearchListing) -> ListOutput<Row> {
    let isWanted = state.wanted.listing == listing
    let shown = state.shown.flatMap { $0.request.listing == listing ? $0 : nil }
    var request = shown?.request ?? state.wanted
    request.listing = listing
    var output = ListOutput<Row>(title: RequestTitle.text(request), text: isWanted ? state.wanted.text : "")
    if let shown {
      output.rows = Row.rows(of: shown.rows)
      output.hasMore = shown.hasMore
    }
    if isWanted {
      output.isLoading = state.loading != nil
      output.problem = state.failure.map { ViewProblem($0.fault) }
    }
    return output
  }
}

/// A list of albums.
typealias AlbumListViewModel = ListViewModel<AlbumEntry>

/// A list of tracks.
typealias TrackListViewModel = ListViewModel<TrackEntry>

/// A list of artists, or of genres.
typealias NameListViewModel = ListViewModel<NameEntry>

/// A search as one types.
package typealias SearchViewModel = ListViewModel<SearchHit>

/// What the user wants of a list.
enum ListInput: Sendable, Equatable {
  /// Show it.
  case open
  /// This was typed so far.
  case type(String)
  /// This was typed, and the line is finished.
  case submit(String)
  /// Show it in this order.
  case order(LibraryOrder)
  /// Change the filters.
  case filter(FilterChange)
  /// Read it again.
  case refresh
  /// The last row is in sight.
  case loadMore
  /// Try again what failed.
  case retry
}

/// What a list shows. Its texts are not yet safe for a terminal.
struct ListOutput<Row: Sendable & Equatable>: Sendable, Equatable {
  /// What is shown: the listing with the query, the filters and the order that the rows answer.
  var title: String
  /// The query, or the text that is searched for, as it is typed now.
  var text: String
  /// The rows.
  var rows: [Row] = []
  /// Whether there are more behind the last row.
  var hasMore = false
  /// Whether rows are being read: the first, more of them, or those of what is wanted now instead of these.
  var isLoading = false
  /// Why there are no rows, or no more, for what is wanted.
  var problem: ViewProblem?

  /// The line below the rows: what is going on, or that there is nothing.
  var note: String? {
    if let problem { return "\(problem.message); \(problem.advice)" }
    if isLoading { return "loading…" }
    return rows.isEmpty ? "nothing found" : nil
  }
}

/// A row of a list.
package protocol ListRow: Sendable, Equatable {
  /// The rows of this kind that were read; none where others were.
  static func rows(of rows: SearchRows) -> [Self]
}

extension AlbumEntry: ListRow {
  /// The albums among what was read.
  package static func rows(of rows: SearchRows) -> [AlbumEntry] {
    if case .albums(let rows) = rows { rows } else { [] }
  }
}

extension TrackEntry: ListRow {
  /// The tracks among what was read.
  package static func rows(of rows: SearchRows) -> [TrackEntry] {
    if case .tracks(let rows) = rows { rows } else { [] }
  }
}

extension NameEntry: ListRow {
  /// The artists or genres among what was read.
  package static func rows(of rows: SearchRows) -> [NameEntry] {
    switch rows {
    case .artists(let rows), .genres(let rows): rows
    default: []
    }
  }
}

extension SearchHit: ListRow {
  /// The hits among what was read.
  package static func rows(of rows: SearchRows) -> [SearchHit] {
    if case .hits(let rows) = rows { rows } else { [] }
  }
}
