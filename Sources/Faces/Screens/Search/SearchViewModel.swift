// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import MusicModel
package import PlayerFlow

/// The view model of a search as the user types; all views share its state.
package struct SearchViewModel: ViewModel {
  /// The user's intents.
  enum Input: Sendable, Equatable {
    /// The text typed so far.
    case type(String)
    /// The last row is visible.
    case loadMore
  }

  private let store: SearchStore
  private let actions: SearchActionCreator

  /// Creates the view model for the hits that `store` publishes.
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

/// The content of a search. Its texts are not yet safe for a terminal.
struct SearchOutput: Sendable, Equatable {
  /// The hits.
  var rows: [SearchHit] = []
  /// Whether rows are being loaded: the first, more, or those of a changed search.
  var isLoading = false
  /// The reason that there are no rows, or no more, with a remedy.
  var problem: String?

  /// The line below the rows: the progress, or that nothing was found.
  var note: String? {
    if let problem { return problem }
    if isLoading { return "loading…" }
    return rows.isEmpty ? "no matches" : nil
  }
}

extension SearchOutput {
  /// Creates the output for `state`.
  init(_ state: SearchState) {
    rows = state.shown?.rows ?? []
    isLoading = state.loading != nil
    problem = state.failure.map { "\($0.description); try again" }
  }
}

/// The filters in words: `genre Jazz or Bebop · decade 1950s`.
package enum FilterText {
  /// Returns the words, or `nil` if no filter is selected. Not yet safe for a terminal.
  package static func text(_ filters: LibraryFilters) -> String? {
    let parts = LibraryFilters.Kind.allCases.compactMap { kind in
      filters.values[kind].map { "\(kind.rawValue) \($0.joined(separator: " or "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
