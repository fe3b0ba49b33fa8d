public import MusicModel

/// What is asked of a library by all views together.
public struct SearchRequest: Sendable, Hashable {
  /// What is listed.
  public var listing: SearchListing
  /// The query as it is written, or the text that is searched for.
  public var text: String
  /// What narrows it besides.
  public var filters: LibraryFilters
  /// The order of albums and tracks.
  public var order: LibraryOrder

  /// A request; at first all albums.
  public init(
    _ listing: SearchListing = .albums, text: String = "", filters: LibraryFilters = LibraryFilters(),
    order: LibraryOrder = LibraryOrder()
  ) {
    self.listing = listing
    self.text = text
    self.filters = filters
    self.order = order
  }
}

/// What of a library is listed.
public enum SearchListing: String, Sendable, Hashable, CaseIterable {
  /// Albums, in an order that can be chosen.
  case albums
  /// Tracks, in an order that can be chosen.
  case tracks
  /// Artists, by name.
  case artists
  /// Genres, by name.
  case genres
  /// What a text finds, best first: it is searched for as it stands and is no query.
  case hits
}

/// Something that is being read, or will be as soon as nothing more is typed.
public struct SearchAsk: Sendable, Hashable {
  /// Which rows of the answer.
  public enum Part: Sendable, Hashable {
    /// The first ones, of an answer of which nothing is known.
    case first
    /// Those that follow behind so many.
    case more(behind: Int)
    /// So many from the beginning, which were read before.
    case again(Int)
  }

  /// Its number: a later one has a greater number, and each has one of its own.
  public let number: UInt64
  /// What is asked.
  public let request: SearchRequest
  /// Which rows.
  public let part: Part
  /// The most rows that are read.
  public let limit: Int
  /// Whether its text is being typed, so that it waits for the next key.
  public let isTyped: Bool
}
