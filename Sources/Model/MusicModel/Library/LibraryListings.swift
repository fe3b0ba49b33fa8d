/// A part of a listing.
public struct LibraryPage<Element: Sendable>: Sendable {
  /// Which part is asked for.
  public struct Window: Sendable, Hashable {
    /// How many elements come before it.
    public var offset: Int
    /// The most elements that it has; `nil` for all that follow.
    public var limit: Int?

    /// The part that begins behind `offset` elements. Negative numbers count as 0.
    public init(offset: Int = 0, limit: Int? = nil) {
      self.offset = max(0, offset)
      self.limit = limit.map { max(0, $0) }
    }
  }

  /// The elements, in the order that was asked for.
  public var elements: [Element]
  /// Whether there are more behind them.
  public var hasMore: Bool

  /// A page of these elements.
  public init(_ elements: [Element], hasMore: Bool = false) {
    self.elements = elements
    self.hasMore = hasMore
  }
}

extension LibraryPage: Equatable where Element: Equatable {}

/// What a listing is ordered by.
public struct LibraryOrder: Sendable, Hashable {
  /// The keys, by the words that the user writes. Of what is equal, the tracks of an album stay in playing order; the
  /// rest has an order that stays the same.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// Artist, date, album, disc, number: the order in which albums are listed.
    case album
    /// The title.
    case title
    /// The artist, by sort name; albums follow by date.
    case artist
    /// The date of release.
    case year
    /// The day and time of adding.
    case added
    /// How long it lasts.
    case duration
  }

  /// What decides first.
  public var key: Key
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// The order by `key`.
  public init(_ key: Key = .album, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// A track of a library, with what the library knows beyond its tags.
public struct TrackEntry: Sendable, Hashable, Identifiable {
  /// Stays the same as long as the file is in the library, wherever it is moved.
  public var id: Int64
  /// The track; its path is absolute.
  public var track: Track
  /// The album that it is in; `nil` while the library is being read.
  public var albumID: Int64?
  /// When it was added: seconds since 1970.
  public var added: Int64

  /// The track `track` under `id`.
  public init(id: Int64, track: Track, albumID: Int64?, added: Int64) {
    self.id = id
    self.track = track
    self.albumID = albumID
    self.added = added
  }
}

/// An album of a library, without its tracks.
public struct AlbumEntry: Sendable, Hashable, Identifiable {
  /// Stays the same as long as some of its tracks stay together.
  public var id: Int64
  /// The title.
  public var title: String
  /// Who made it, as it is shown; `nil` where unknown.
  public var artist: String?
  /// When it was released.
  public var date: ReleaseDate?
  /// Whether its tracks are by several artists.
  public var isCompilation: Bool
  /// How many tracks it has.
  public var trackCount: Int
  /// How long they last in all, as far as that is known.
  public var duration: Duration
  /// When the first of its tracks was added: seconds since 1970.
  public var added: Int64

  /// An album of these facts.
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

/// An artist, or a genre, of a library: a name, and how much there is under it.
public struct NameEntry: Sendable, Hashable {
  /// The name as most of the tags spell it.
  public var name: String
  /// How many albums there are under it.
  public var albumCount: Int
  /// How many tracks there are under it.
  public var trackCount: Int

  /// The name `name`.
  public init(name: String, albumCount: Int, trackCount: Int) {
    self.name = name
    self.albumCount = albumCount
    self.trackCount = trackCount
  }
}

/// Something that a search by text found, best first.
public enum SearchHit: Sendable, Hashable {
  /// An artist.
  case artist(NameEntry)
  /// An album.
  case album(AlbumEntry)
  /// A track.
  case track(TrackEntry)
}
