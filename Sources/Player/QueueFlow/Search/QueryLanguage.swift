public import MusicModel

/// How texts and filters become queries.
public struct QueryLanguage: Sendable {
  private let parse: @Sendable (String) throws(SearchFault) -> LibraryQuery
  private let narrow: @Sendable (LibraryFilters) -> LibraryQuery

  /// A language that is read by `parse`, which throws `SearchFault.query`, and in which `narrow` says what filters
  /// mean. Both are called on any thread.
  public init(
    parse: @escaping @Sendable (String) throws(SearchFault) -> LibraryQuery,
    narrow: @escaping @Sendable (LibraryFilters) -> LibraryQuery
  ) {
    self.parse = parse
    self.narrow = narrow
  }

  /// The query that `text` and `filters` are together.
  ///
  /// - Throws: `SearchFault.query` where the text is no query.
  public func query(_ text: String, _ filters: LibraryFilters) throws(SearchFault) -> LibraryQuery {
    let query = text.allSatisfy(\.isWhitespace) ? .everything : try parse(text)
    if filters.isEmpty { return query }
    let filter = narrow(filters)
    switch query {
    case .everything: return filter
    case .all(let parts): return .all(parts + [filter])
    default: return .all([query, filter])
    }
  }
}
