public import MusicModel

/// The answer to a request, as far as it was read.
public struct SearchResults: Sendable, Hashable {
  /// What it answers.
  public let request: SearchRequest
  /// The rows of all pages, each once.
  public private(set) var rows: [SearchHit]
  /// Whether there are more behind them.
  public private(set) var hasMore: Bool
  /// How many rows were read, also those that came twice: where the next page begins.
  private(set) var readCount: Int

  /// The answer to `request` that begins with `page`.
  init(_ request: SearchRequest, _ page: LibraryPage<SearchHit>) {
    self.request = request
    rows = page.elements
    hasMore = page.hasMore
    readCount = page.elements.count
  }

  /// Adds the page that follows.
  mutating func append(_ page: LibraryPage<SearchHit>) {
    var known = Set(rows.map(\.key))
    rows += page.elements.filter { known.insert($0.key).inserted }
    // A page of nothing would be asked for again for ever.
    hasMore = page.hasMore && !page.elements.isEmpty
    readCount += page.elements.count
  }
}

extension SearchHit {
  /// What tells it from others.
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
