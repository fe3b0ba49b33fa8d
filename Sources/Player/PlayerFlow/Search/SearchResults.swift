public import MusicModel

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

/// A part of a listing, as it was read.
public struct SearchPage: Sendable, Hashable {
  /// The rows.
  public var rows: SearchRows
  /// Whether there are more behind them.
  public var hasMore: Bool

  /// A page of these rows.
  public init(_ rows: SearchRows, hasMore: Bool = false) {
    self.rows = rows
    self.hasMore = hasMore
  }
}

/// Rows of one listing, in their order.
public enum SearchRows: Sendable, Hashable {
  /// Albums.
  case albums([AlbumEntry])
  /// Tracks.
  case tracks([TrackEntry])
  /// Artists.
  case artists([NameEntry])
  /// Genres.
  case genres([NameEntry])
  /// What a text found, best first.
  case hits([SearchHit])

  /// What they are rows of.
  public var listing: SearchListing {
    switch self {
    case .albums: .albums
    case .tracks: .tracks
    case .artists: .artists
    case .genres: .genres
    case .hits: .hits
    }
  }

  /// How many there are.
  public var count: Int {
    switch self {
    case .albums(let rows): rows.count
    case .tracks(let rows): rows.count
    case .artists(let rows), .genres(let rows): rows.count
    case .hits(let rows): rows.count
    }
  }

  /// These rows and those of `next` which are not among them; those of another listing stay out.
  func appending(_ next: SearchRows) -> SearchRows {
    switch (self, next) {
    case (.albums(let rows), .albums(let more)): .albums(rows.appending(more, by: \.id))
    case (.tracks(let rows), .tracks(let more)): .tracks(rows.appending(more, by: \.id))
    case (.artists(let rows), .artists(let more)): .artists(rows.appending(more, by: \.name))
    case (.genres(let rows), .genres(let more)): .genres(rows.appending(more, by: \.name))
    case (.hits(let rows), .hits(let more)): .hits(rows.appending(more, by: \.key))
    default: self
    }
  }
}

extension Array {
  fileprivate func appending<Key: Hashable>(_ more: [Element], by key: (Element) -> Key) -> [Element] {
    var known = Set(map(key))
    return self + more.filter { known.insert(key($0)).inserted }
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

/// Something that was asked in vain.
public struct SearchFailure: Sendable, Hashable {
  /// What was asked.
  public let ask: SearchAsk
  /// Why there is no answer.
  public let fault: SearchFault
}

/// Why a request has no answer.
public enum SearchFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The query cannot be understood: why, in words, and the column where, from 1.
  case query(String, column: Int)
  /// The library cannot be asked.
  case library(LibraryFault)

  /// One line. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .query(let message, let column): "column \(column): \(message)"
    case .library(let fault): fault.description
    }
  }
}
