// SPDX-License-Identifier: GPL-3.0-or-later

/// One page of a listing.
public struct LibraryPage<Element: Sendable>: Sendable {
  /// The range of elements to return from a listing.
  public struct Window: Sendable, Hashable {
    /// The number of elements to skip.
    public var offset: Int
    /// The maximum number of elements; `nil` for all remaining ones.
    public var limit: Int?

    /// Creates a window that starts after `offset` elements. Negative numbers count as 0.
    public init(offset: Int = 0, limit: Int? = nil) {
      self.offset = max(0, offset)
      self.limit = limit.map { max(0, $0) }
    }
  }

  /// The elements, in the requested order.
  public var elements: [Element]
  /// Whether the listing has more elements after this page.
  public var hasMore: Bool

  public init(_ elements: [Element], hasMore: Bool = false) {
    self.elements = elements
    self.hasMore = hasMore
  }
}

extension LibraryPage: Equatable where Element: Equatable {}

/// The sort order of a listing.
public struct LibraryOrder: Sendable, Hashable {
  /// The sort keys. The raw values are the words that users type. Tracks with equal keys stay in playing order within
  /// their album; otherwise their order is arbitrary but stable.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// Artist, date, album, disc and track number: the order in which albums are listed.
    case album
    case title
    /// The artist, by sort name; the albums of an artist are sorted by date.
    case artist
    /// The release date.
    case year
    /// The time when the track was added to the library.
    case added
    case duration
    /// The rating; that of an artist or a genre is the average of its rated tracks, and so is that of an album unless
    /// it has one of its own.
    case rating
    /// The rating that the user has given to the album as a whole.
    case albumRating = "album-rating"
    /// The number of times that the tracks were played.
    case plays
    /// The number of times that the tracks were skipped.
    case skips
    /// The time when a track was last played.
    case played

    /// Whether the key is not a tag, but what users and the player note of tracks. What it is not noted of comes last
    /// in either direction.
    public var isMark: Bool {
      switch self {
      case .rating, .albumRating, .plays, .skips, .played: true
      case .album, .title, .artist, .year, .added, .duration: false
      }
    }
  }

  /// The sort key.
  public var key: Key
  /// Whether the order is descending.
  public var isDescending: Bool

  /// Creates the order by `key`.
  public init(_ key: Key = .album, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// A track of a library, with the data that only the library has about it.
public struct TrackEntry: Sendable, Hashable, Identifiable {
  /// The track's ID, which stays the same as long as the file is in the library, even if the file is moved.
  public var id: Int64
  /// The track; its path is absolute.
  public var track: Track
  /// The ID of the track's album; `nil` during a scan.
  public var albumID: Int64?
  /// The time when the track was added to the library, in seconds since 1970.
  public var added: Int64

  public init(id: Int64, track: Track, albumID: Int64?, added: Int64) {
    self.id = id
    self.track = track
    self.albumID = albumID
    self.added = added
  }
}

/// An album of a library, without its tracks.
public struct AlbumEntry: Sendable, Hashable, Identifiable {
  /// The album's ID, which stays the same as long as some of its tracks stay together.
  public var id: Int64
  public var title: String
  /// The artist to display; `nil` if unknown.
  public var artist: String?
  public var date: ReleaseDate?
  /// Whether the album is a compilation, with tracks by several artists.
  public var isCompilation: Bool
  /// The number of tracks.
  public var trackCount: Int
  /// The total duration of the tracks whose duration is known.
  public var duration: Duration
  /// The time when the first track was added to the library, in seconds since 1970.
  public var added: Int64

  public init(
    id: Int64, title: String, artist: String?, date: ReleaseDate?, isCompilation: Bool, trackCount: Int,
    duration: Duration, added: Int64
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.date = date
    self.isCompilation = isCompilation
    self.trackCount = trackCount
    self.duration = duration
    self.added = added
  }
}

/// What users and the player note of a track or an album, besides its tags. For an album, the counts are the sums of
/// those of its tracks, and the rating is its own or, if it has none, the average of its rated tracks.
public struct RowMarks: Sendable, Hashable {
  /// The time when it was added to the library, in seconds since 1970.
  public var added: Int64
  /// The rating from 1 to 10, two for each star; `nil` if there is none.
  public var rating: Int?
  /// Whether the user likes the track, or a track of the album.
  public var isLiked = false
  /// The number of times that it was played; `nil` if it never was.
  public var plays: Int?
  /// The number of times that it was skipped; `nil` if it never was.
  public var skips: Int?
  /// The time when it was last played, in seconds since 1970; `nil` if it never was.
  public var lastPlayed: Int64?

  /// Creates what is known of something that was added at this time, and nothing else.
  public init(added: Int64) { self.added = added }
}

/// An artist or a genre of a library, with its album and track counts.
public struct NameEntry: Sendable, Hashable {
  /// The name in its most frequent spelling.
  public var name: String
  /// The number of albums.
  public var albumCount: Int
  /// The number of tracks.
  public var trackCount: Int

  public init(name: String, albumCount: Int, trackCount: Int) {
    self.name = name
    self.albumCount = albumCount
    self.trackCount = trackCount
  }
}

/// A result of a text search.
public enum SearchHit: Sendable, Hashable {
  case artist(NameEntry)
  case album(AlbumEntry)
  case track(TrackEntry)
}

/// Filters that narrow every listing in addition to the query. A track must have one of the chosen values of each kind.
public struct LibraryFilters: Sendable, Hashable {
  /// The kinds of filters. The raw values are the words that users type.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case genre
    /// An artist of the track or of its album.
    case artist
    /// A decade, such as "1950s".
    case decade
    /// A format, named by its file name suffix.
    case format
  }

  /// The chosen values of each kind, in the order in which they were chosen. A kind without values is not used as a
  /// filter.
  public private(set) var values: [Kind: [String]] = [:]

  public init() {}

  /// Whether no values are chosen.
  public var isEmpty: Bool { values.isEmpty }

  /// Adds a value, unless it is already chosen.
  public mutating func insert(_ value: String, of kind: Kind) {
    if values[kind]?.contains(value) != true { values[kind, default: []].append(value) }
  }

  /// Removes a value if it is chosen.
  public mutating func remove(_ value: String, of kind: Kind) {
    values[kind]?.removeAll { $0 == value }
    if values[kind]?.isEmpty == true { values[kind] = nil }
  }

  /// Removes all values of a kind, or the values of all kinds if `kind` is `nil`.
  public mutating func removeAll(of kind: Kind? = nil) {
    if let kind { values[kind] = nil } else { values = [:] }
  }
}

extension LibraryFilters {
  /// The query that matches the filters: one of the chosen values of each kind that has any.
  ///
  /// A decade is written "1950s" or "1950"; any other text matches no track.
  public var query: LibraryQuery {
    .conjunction(
      Kind.allCases.compactMap { kind in
        values[kind].map { LibraryQuery.disjunction($0.map { value in Self.query(kind, value) }) }
      })
  }

  private static func query(_ kind: Kind, _ value: String) -> LibraryQuery {
    switch kind {
    case .genre: .text(.genre, TextPattern(value, kind: .exact))
    case .artist: .text(.artist, TextPattern(value, kind: .exact))
    case .format: .text(.format, TextPattern(value, kind: .exact))
    case .decade: decade(value).map { .number(.year, QueryRange(from: $0, to: $0 + 9)) } ?? .nothing
    }
  }

  private static func decade(_ text: String) -> Int? {
    let digits = text.last?.lowercased() == "s" ? text.dropLast() : text[...]
    guard let year = Int(digits), (0...9990).contains(year), year % 10 == 0 else { return nil }
    return year
  }
}
