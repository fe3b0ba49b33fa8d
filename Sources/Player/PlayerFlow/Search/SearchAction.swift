public import Flux
public import MusicModel

/// What is wanted of a search, or what was read for it.
public enum SearchAction: Sendable, Equatable {
  /// The text was typed so far: it is searched for when nothing more is typed.
  case type(String)
  /// Change the filters.
  case filter(FilterChange)
  /// Read on behind the last row; nothing while something is being read, or where there are no more.
  case loadMore
  /// Something was read.
  case report(SearchReport)
}

/// What was read for a search; by the number of what was asked.
public enum SearchReport: Sendable, Equatable {
  /// This page answers it.
  case answered(UInt64, LibraryPage<SearchHit>)
  /// It has no answer.
  case failed(UInt64, LibraryError)
  /// The library may hold something else than before.
  case libraryChanged
}

/// How filters change.
public enum FilterChange: Sendable, Hashable {
  /// Choose a value.
  case insert(String, of: LibraryFilters.Kind)
  /// Choose a value no longer.
  case remove(String, of: LibraryFilters.Kind)
  /// Choose no value of this kind, or with `nil` of any.
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

/// Carries what is wanted of a search, and what was read for it.
public typealias SearchDispatcher = Dispatcher<SearchAction>

extension SearchDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: SearchDispatcher { sharedSearchDispatcher }
}

private let sharedSearchDispatcher = SearchDispatcher()

/// Says what a view wants of a search: the only way from a view into the flow. From any thread.
public struct SearchActionCreator: Sendable {
  private let dispatcher: SearchDispatcher

  /// One that speaks to `dispatcher`.
  public init(dispatcher: SearchDispatcher) { self.dispatcher = dispatcher }

  /// Searches for `text` as soon as nothing more is typed.
  public func type(_ text: String) { dispatcher.dispatch(.type(text)) }

  /// Changes the filters.
  public func filter(_ change: FilterChange) { dispatcher.dispatch(.filter(change)) }

  /// Reads on behind the last row.
  public func loadMore() { dispatcher.dispatch(.loadMore) }
}
