import Flux
package import MusicModel
package import PlayerFlow

/// A search as one types, which follows what all views together want of the library.
package struct SearchViewModel: ViewModel {
  /// What the user wants of it.
  enum Input: Sendable, Equatable {
    /// This was typed so far.
    case type(String)
    /// The last row is in sight.
    case loadMore
  }

  private let store: SearchStore
  private let actions: SearchActionCreator

  /// A search whose hits `store` publishes.
  package init(store: SearchStore, actions: SearchActionCreator) {
    self.store = store
    self.actions = actions
  }

  func accept(_ input: Input) {
    switch input {
    case .type(let text): actions.type(text)
    case .loadMore: actions.loadMore()
    }
  }

  func observeStates(_ receive: @escaping @Sendable (SearchOutput) -> Void) -> Subscription {
    store.observe { receive(SearchOutput($0)) }
  }
}

/// What a search shows. Its texts are not yet safe for a terminal.
struct SearchOutput: Sendable, Equatable {
  /// What was found.
  var rows: [SearchHit] = []
  /// Whether rows are being read: the first, more of them, or those of what is wanted now instead of these.
  var isLoading = false
  /// Why there are no rows, or no more, for what is wanted, and what to do.
  var problem: String?

  /// The line below the rows: what is going on, or that there is nothing.
  var note: String? {
    if let problem { return problem }
    if isLoading { return "loading…" }
    return rows.isEmpty ? "nothing found" : nil
  }
}

extension SearchOutput {
  /// What is shown in `state`.
  init(_ state: SearchState) {
    rows = state.shown?.rows ?? []
    isLoading = state.loading != nil
    problem = state.failure.map { "\($0.description); try again" }
  }
}

/// Filters in words: `genre Jazz or Bebop · decade 1950s`.
package enum FilterText {
  /// The words, or `nil` where none is chosen. Not yet safe for a terminal.
  package static func text(_ filters: LibraryFilters) -> String? {
    let parts = LibraryFilters.Kind.allCases.compactMap { kind in
      filters.values[kind].map { "\(kind.rawValue) \($0.joined(separator: " or "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
