/// The answer to a request, as far as it was read.
public struct SearchResults: Sendable, Hashable {
  /// What it answers.
  public let request: SearchRequest
  /// The rows of all pages, each once.
  public private(set) var rows: SearchRows
  /// Whether there are more behind them.
  public private(set) var hasMore: Bool
  /// How many rows were read, also those that came twice: where the next page begins.
  private(set) var readCount: Int

  /// The answer to `request` that begins with `page`.
  init(_ request: SearchRequest, _ page: SearchPage) {
    self.request = request
    rows = page.rows
    hasMore = page.hasMore
    readCount = page.rows.count
  }

  /// Adds the page that follows.
  mutating func append(_ page: SearchPage) {
    rows = rows.appending(page.rows)
    // A page of nothing would be asked for again for ever.
    hasMore = page.hasMore && page.rows.count > 0
    readCount += page.rows.count
  }
}
