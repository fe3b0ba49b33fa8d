// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import MusicModel
package import PlayerFlow

/// The view model of a search that is repeated as the user types. All copies share the state of one store.
package struct SearchViewModel: ViewModel {
  /// An intent of the user.
  enum Input: Sendable, Equatable {
    /// Searches for the text typed so far.
    case type(String)
    /// Loads more hits, since the user has moved past the last one.
    case loadMore
  }

  private let store: SearchStore
  private let actions: SearchActionCreator

  /// Creates the view model of searches whose hits `store` publishes.
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

/// The content of the search view. Its text is not yet escaped for a terminal.
struct SearchOutput: Sendable, Equatable {
  /// The hits that have been loaded.
  var rows: [SearchHit] = []
  /// Whether hits are being loaded: the first ones, more, or those for a new text.
  var isLoading = false
  /// Why the search failed, and what to do about it; `nil` if it did not.
  var problem: String?

  /// The line below the hits: the problem, "loading…" or "no matches"; `nil` if none of these applies.
  var note: String? {
    if let problem { return problem }
    if isLoading { return "loading…" }
    return rows.isEmpty ? "no matches" : nil
  }
}

extension SearchOutput {
  /// Creates the output for the search state `state`.
  init(_ state: SearchState) {
    rows = state.shown?.rows ?? []
    isLoading = state.loading != nil
    problem = state.failure.map { "\($0.description); try again" }
  }
}

/// Describes filters in words, such as `genre Jazz or Bebop · decade 1950s`.
package enum FilterText {
  /// Returns the description, or `nil` if no filter is set. Not yet escaped for a terminal.
  package static func text(_ filters: LibraryFilters) -> String? {
    let parts = LibraryFilters.Kind.allCases.compactMap { kind in
      filters.values[kind].map { "\(kind.rawValue) \($0.joined(separator: " or "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
