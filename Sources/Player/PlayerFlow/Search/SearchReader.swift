public import MusicModel

/// Asks a repository what a listing asks. Its calls block while the repository does.
struct SearchReader: Sendable {
  let repository: any LibraryRepository
  let language: QueryLanguage

  /// The page that answers `ask`.
  func page(_ ask: SearchAsk) throws(SearchFault) -> SearchPage {
    let request = ask.request
    let query = try language.query(request.listing == .hits ? "" : request.text, request.filters)
    var offset = 0
    if case .more(let count) = ask.part { offset = count }
    do throws(LibraryFault) {
      switch request.listing {
      case .albums:
        let page = try repository.albums(
          query, order: request.order, window: .init(offset: offset, limit: ask.limit))
        return SearchPage(.albums(page.elements), hasMore: page.hasMore)
      case .tracks:
        let page = try repository.tracks(
          query, order: request.order, window: .init(offset: offset, limit: ask.limit))
        return SearchPage(.tracks(page.elements), hasMore: page.hasMore)
      case .artists:
        let page = try repository.artists(query, window: .init(offset: offset, limit: ask.limit))
        return SearchPage(.artists(page.elements), hasMore: page.hasMore)
      case .genres:
        let page = try repository.genres(query, window: .init(offset: offset, limit: ask.limit))
        return SearchPage(.genres(page.elements), hasMore: page.hasMore)
      case .hits:
        return try hits(request.text, among: query, offset: offset, limit: ask.limit)
      }
    } catch {
      throw .library(error)
    }
  }

  /// What a text finds has no pages of its own: more of it is asked for, and one hit beyond says whether there are
  /// more.
  private func hits(
    _ text: String, among query: LibraryQuery, offset: Int, limit: Int
  ) throws(LibraryFault) -> SearchPage {
    if text.allSatisfy(\.isWhitespace) { return SearchPage(.hits([])) }
    let page = try repository.hits(text, among: query, window: .init(offset: offset, limit: limit))
    return SearchPage(.hits(page.elements), hasMore: page.hasMore)
  }
}

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
