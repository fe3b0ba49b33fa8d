// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel

/// A request to a search, or the result of one.
public enum SearchAction: Sendable, Equatable {
  /// Search for this text, as soon as no more is typed.
  case type(String)
  /// Change the filters.
  case filter(FilterChange)
  /// Load the page after the last row. Ignored while something is loading, or when there are no more rows.
  case loadMore
  /// A request was answered or failed, or the library changed.
  case report(SearchReport)
}

/// The result of a request, which is identified by its number.
public enum SearchReport: Sendable, Equatable {
  /// This page answers the request.
  case answered(UInt64, LibraryPage<SearchHit>)
  /// The request failed.
  case failed(UInt64, LibraryError)
  /// The content of the library may have changed.
  case libraryChanged
}

/// A change to the filters.
public enum FilterChange: Sendable, Hashable {
  /// Add a value.
  case insert(String, of: LibraryFilters.Kind)
  /// Remove a value.
  case remove(String, of: LibraryFilters.Kind)
  /// Remove all values of this kind or, with `nil`, of all kinds.
  case clear(LibraryFilters.Kind?)

  /// Applies the change to `filters`.
  func apply(to filters: inout LibraryFilters) {
    switch self {
    case .insert(let value, of: let kind): filters.insert(value, of: kind)
    case .remove(let value, of: let kind): filters.remove(value, of: kind)
    case .clear(let kind): filters.removeAll(of: kind)
    }
  }
}

/// Delivers requests to a search, and their results.
public typealias SearchDispatcher = Dispatcher<SearchAction>

extension SearchDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: SearchDispatcher { sharedSearchDispatcher }
}

private let sharedSearchDispatcher = SearchDispatcher()

/// Dispatches the requests of a view to a search: the only way from a view into the flow. From any thread.
public struct SearchActionCreator: Sendable {
  private let dispatcher: SearchDispatcher

  /// Creates an action creator for `dispatcher`.
  public init(dispatcher: SearchDispatcher) { self.dispatcher = dispatcher }

  /// Searches for `text`, as soon as no more is typed.
  public func type(_ text: String) { dispatcher.dispatch(.type(text)) }

  /// Changes the filters.
  public func filter(_ change: FilterChange) { dispatcher.dispatch(.filter(change)) }

  /// Loads the page after the last row.
  public func loadMore() { dispatcher.dispatch(.loadMore) }
}
