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

/// A search request: the text and filters that all views share.
public struct SearchRequest: Sendable, Hashable {
  /// The text to search for, taken literally and not as a query.
  public var text = ""
  /// The filters that narrow the search.
  public var filters = LibraryFilters()
}

/// A request for rows that are being loaded, or will be as soon as the user stops typing.
public struct PageRequest: Sendable, Hashable {
  /// The part of the rows that is requested.
  public enum Part: Sendable, Hashable {
    case first
    /// The rows after this many.
    case more(after: Int)
    /// This many rows from the beginning, which have been read before.
    case reload(Int)
  }

  /// The sequence number of the request; unique, and greater for a later one.
  public let number: UInt64
  /// The text and filters to search with.
  public let request: SearchRequest
  /// The part of the rows that is requested.
  public let part: Part
  /// The maximum number of rows to read.
  public let limit: Int
  /// Whether the user is typing the text, so that the request waits for the next key.
  public let isTyped: Bool
}

/// The answer to a search request, as far as it has been read.
public struct SearchResults: Sendable, Hashable {
  /// The request that these results answer.
  public let request: SearchRequest
  /// The rows of all pages, without duplicates.
  public private(set) var rows: [SearchHit]
  /// Whether there are more rows after the last page.
  public private(set) var hasMore: Bool
  /// The number of rows that were read, including duplicates. The next page begins there.
  private(set) var readCount: Int

  /// Creates the results of `request` from its first page.
  init(_ request: SearchRequest, _ page: LibraryPage<SearchHit>) {
    self.request = request
    rows = page.elements
    hasMore = page.hasMore
    readCount = page.elements.count
  }

  /// Appends the next page.
  mutating func append(_ page: LibraryPage<SearchHit>) {
    var known = Set(rows.map(\.key))
    rows += page.elements.filter { known.insert($0.key).inserted }
    // An empty page would be requested again forever.
    hasMore = page.hasMore && !page.elements.isEmpty
    readCount += page.elements.count
  }
}

extension SearchHit {
  /// The identity of a hit, by which duplicates are found.
  fileprivate enum Key: Hashable {
    case artist(String)
    case album(Int64)
    case track(Int64)
  }

  fileprivate var key: Key {
    switch self {
    case .artist(let entry): .artist(entry.name)
    case .album(let entry): .album(entry.id)
    case .track(let entry): .track(entry.id)
    }
  }
}
