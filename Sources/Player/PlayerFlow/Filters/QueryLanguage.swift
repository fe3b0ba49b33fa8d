// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// Converts query text and filters to queries.
public struct QueryLanguage: Sendable {
  private let parse: @Sendable (String) throws(LibraryQueryError) -> LibraryQuery
  private let makeQuery: @Sendable (LibraryFilters) -> LibraryQuery

  /// Creates a language from a parser of query text and a function that converts filters to a query. Both may be called
  /// on any thread.
  public init(
    parse: @escaping @Sendable (String) throws(LibraryQueryError) -> LibraryQuery,
    makeQuery: @escaping @Sendable (LibraryFilters) -> LibraryQuery
  ) {
    self.parse = parse
    self.makeQuery = makeQuery
  }

  /// Returns the query for `text` combined with `filters`.
  ///
  /// - Throws: `LibraryQueryError` if the text is not a valid query.
  public func query(_ text: String, _ filters: LibraryFilters) throws(LibraryQueryError) -> LibraryQuery {
    let query = text.allSatisfy(\.isWhitespace) ? .everything : try parse(text)
    if filters.isEmpty { return query }
    let filter = makeQuery(filters)
    switch query {
    case .everything: return filter
    case .all(let parts): return .all(parts + [filter])
    default: return .all([query, filter])
    }
  }

  /// Returns the query for `filters`.
  public func query(_ filters: LibraryFilters) -> LibraryQuery { filters.isEmpty ? .everything : makeQuery(filters) }
}
