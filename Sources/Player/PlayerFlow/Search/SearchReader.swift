public import MusicModel

/// Asks a repository what a search asks. Its calls block while the repository does.
struct SearchReader: Sendable {
  let repository: any LibraryRepository
  let language: QueryLanguage

  /// The page that answers `ask`.
  func page(_ ask: SearchAsk) throws(LibraryError) -> LibraryPage<SearchHit> {
    let request = ask.request
    if request.text.allSatisfy(\.isWhitespace) { return LibraryPage([]) }
    let offset = if case .more(let count) = ask.part { count } else { 0 }
    return try repository.hits(
      request.text, among: language.query(request.filters), window: .init(offset: offset, limit: ask.limit))
  }
}

/// How texts and filters become queries.
public struct QueryLanguage: Sendable {
  private let parse: @Sendable (String) throws(LibraryQueryError) -> LibraryQuery
  private let narrow: @Sendable (LibraryFilters) -> LibraryQuery

  /// A language that is read by `parse`, and in which `narrow` says what filters mean. Both are called on any thread.
  public init(
    parse: @escaping @Sendable (String) throws(LibraryQueryError) -> LibraryQuery,
    narrow: @escaping @Sendable (LibraryFilters) -> LibraryQuery
  ) {
    self.parse = parse
    self.narrow = narrow
  }

  /// The query that `text` and `filters` are together.
  ///
  /// - Throws: `LibraryQueryError` where the text is no query.
  public func query(_ text: String, _ filters: LibraryFilters) throws(LibraryQueryError) -> LibraryQuery {
    let query = text.allSatisfy(\.isWhitespace) ? .everything : try parse(text)
    if filters.isEmpty { return query }
    let filter = narrow(filters)
    switch query {
    case .everything: return filter
    case .all(let parts): return .all(parts + [filter])
    default: return .all([query, filter])
    }
  }

  /// The query that `filters` are.
  public func query(_ filters: LibraryFilters) -> LibraryQuery { filters.isEmpty ? .everything : narrow(filters) }
}
