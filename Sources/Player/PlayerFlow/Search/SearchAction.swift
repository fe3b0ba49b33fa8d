public import Flux
public import MusicModel

/// What is wanted of a listing, or what was read of it.
public enum SearchAction: Sendable, Equatable {
  /// List this; by this text and in this order, or else by what was chosen before.
  case list(SearchListing, text: String?, order: LibraryOrder?)
  /// The text was typed so far: this, or else what is listed already, is listed by it when nothing more is typed.
  case type(String, in: SearchListing?)
  /// The text is finished: it is asked for at once.
  case submit(String)
  /// List in this order.
  case order(LibraryOrder)
  /// Change the filters.
  case filter(FilterChange)
  /// Read what is listed again, as far as it was read.
  case refresh
  /// Read on behind the last row; nothing while something is being read, or where there are no more.
  case loadMore
  /// Ask again what could not be answered.
  case retry
  /// Something was read.
  case report(SearchReport)
}

/// What was read for a listing; by the number of what was asked.
public enum SearchReport: Sendable, Equatable {
  /// This page answers it.
  case answered(UInt64, SearchPage)
  /// It has no answer.
  case failed(UInt64, SearchFault)
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

/// Carries what is wanted of a listing, and what was read of it.
public typealias SearchDispatcher = Dispatcher<SearchAction>

extension SearchDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: SearchDispatcher { sharedSearchDispatcher }
}

private let sharedSearchDispatcher = SearchDispatcher()

/// Says what a view wants of a listing: the only way from a view into the flow. From any thread.
public struct SearchActionCreator: Sendable {
  private let dispatcher: SearchDispatcher

  /// One that speaks to `dispatcher`.
  public init(dispatcher: SearchDispatcher) { self.dispatcher = dispatcher }

  /// Lists this; by this text and in this order, or else by what was chosen before.
  public func list(_ listing: SearchListing, text: String? = nil, order: LibraryOrder? = nil) {
    dispatcher.dispatch(.list(listing, text: text, order: order))
  }

  /// Lists this, or else what is listed already, by `text` as soon as nothing more is typed.
  public func type(_ text: String, in listing: SearchListing? = nil) {
    dispatcher.dispatch(.type(text, in: listing))
  }

  /// Asks for `text` at once.
  public func submit(_ text: String) { dispatcher.dispatch(.submit(text)) }

  /// Lists in this order.
  public func order(_ order: LibraryOrder) { dispatcher.dispatch(.order(order)) }

  /// Changes the filters.
  public func filter(_ change: FilterChange) { dispatcher.dispatch(.filter(change)) }

  /// Reads what is listed again.
  public func refresh() { dispatcher.dispatch(.refresh) }

  /// Reads on behind the last row.
  public func loadMore() { dispatcher.dispatch(.loadMore) }

  /// Asks again what could not be answered.
  public func retry() { dispatcher.dispatch(.retry) }
}
