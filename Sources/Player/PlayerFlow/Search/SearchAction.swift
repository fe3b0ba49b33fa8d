// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel

/// A request to the search, or the result of one.
public enum SearchAction: Sendable, Equatable {
  /// Search for this text, as soon as the user stops typing.
  case type(String)
  case filter(FilterChange)
  /// Load the page after the last row. Ignored while something is loading, or if there are no more rows.
  case loadMore
  /// A request was answered or failed, or the library changed.
  case report(SearchReport)
}

/// The result of a search request, which is identified by its number.
public enum SearchReport: Sendable, Equatable {
  case answered(UInt64, LibraryPage<SearchHit>)
  case failed(UInt64, LibraryError)
  /// The content of the library may have changed.
  case libraryChanged
}

/// A change to the filters of a search.
public enum FilterChange: Sendable, Hashable {
  case insert(String, of: LibraryFilters.Kind)
  case remove(String, of: LibraryFilters.Kind)
  /// Remove all values of this kind; if it is `nil`, of all kinds.
  case clear(LibraryFilters.Kind?)

  func apply(to filters: inout LibraryFilters) {
    switch self {
    case .insert(let value, of: let kind): filters.insert(value, of: kind)
    case .remove(let value, of: let kind): filters.remove(value, of: kind)
    case .clear(let kind): filters.removeAll(of: kind)
    }
  }
}

/// Delivers requests to the search, and their results.
public typealias SearchDispatcher = Dispatcher<SearchAction>

extension SearchDispatcher {
  /// The shared dispatcher of the running program. Only the composition root uses it directly.
  public static var shared: SearchDispatcher { sharedSearchDispatcher }
}

private let sharedSearchDispatcher = SearchDispatcher()

/// Dispatches a view's requests to the search: the only way from a view into the flow. Can be used from any thread.
public struct SearchActionCreator: Sendable {
  private let dispatcher: SearchDispatcher

  /// Creates an action creator for `dispatcher`.
  public init(dispatcher: SearchDispatcher) { self.dispatcher = dispatcher }

  /// Searches for `text`, as soon as the user stops typing.
  public func type(_ text: String) { dispatcher.dispatch(.type(text)) }

  /// Changes the filters.
  public func filter(_ change: FilterChange) { dispatcher.dispatch(.filter(change)) }

  /// Loads the page after the last row.
  public func loadMore() { dispatcher.dispatch(.loadMore) }
}
