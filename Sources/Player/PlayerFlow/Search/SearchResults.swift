// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

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
