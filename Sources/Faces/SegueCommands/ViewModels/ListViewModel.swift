import Flux
import MusicModel
import QueueFlow

/// A list that follows what all views together want of the library.
struct ListViewModel<Row: ListRow>: ViewModel {
  /// What it lists.
  let listing: SearchListing
  private let store: SearchStore
  private let actions: SearchActionCreator

  /// A list of `listing`, whose rows are of this kind.
  init(_ listing: SearchListing, store: SearchStore, actions: SearchActionCreator) {
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
typealias SearchViewModel = ListViewModel<SearchHit>
