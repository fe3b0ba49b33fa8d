import GRDB
public import MusicModel
public import SystemPackage
import Tagging

/// What is asked of tracks character by character, as other players' protocols do: true or false of one track.
///
/// A `LibraryQuery` compares words as people do; this compares texts.
public indirect enum TrackFilter: Sendable, Hashable {
  /// Which text is compared.
  public enum Subject: Sendable, Hashable {
    /// A field; where a track has none of it, what stands in for it.
    case field(TrackTag)
    /// Every field.
    case anyField
    /// Where the file is, below the library's directory.
    case file
    /// A field that no track has.
    case absentField
  }

  /// How a text is compared.
  public enum Comparison: Sendable, Hashable {
    /// The text is all of a value.
    case equals
    /// It stands somewhere in a value.
    case contains
    /// A value begins with it.
    case begins
    /// A part of a value matches it as a regular expression of Perl's kind; what is none matches nothing.
    case matches
  }

  /// True of every track.
  case everything
  /// One value of the subject compares so with the text. A text without any character is equal to what a track does not
  /// have. Diacritics are ignored only along with case.
  case text(Subject, Comparison, String, ignoresCase: Bool, ignoresDiacritics: Bool = false)
  /// The file itself, or what lies in the directory, at this path below the library's directory.
  case within(FilePath)
  /// The file at this path below the library's directory.
  case file(FilePath)
  /// The file was changed at this time or later: nanoseconds since 1970.
  case modified(since: Int64)
  /// The track was added at this time or later: seconds since 1970.
  case added(since: Int64)
  /// The sound has this rate in Hz, these bits (0: none) and these channels, as far as they are given.
  case format(rate: Int?, bits: Int?, channels: Int?)
  /// True where the other is not.
  case not(TrackFilter)
  /// True where all are.
  case all([TrackFilter])
}

/// What the tracks of a filter are ordered by.
public struct TrackOrder: Sendable, Hashable {
  /// The keys. What is equal stays in the order ``library``.
  public enum Key: Sendable, Hashable {
    /// Artist, date, album, disc, number: the order in which albums are listed.
    case library
    /// A field, or what stands in for it.
    case field(TrackTag)
    /// When the file was changed.
    case modified
    /// When the track was added.
    case added
  }

  /// What decides.
  public var key: Key
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// The order by `key`.
  public init(_ key: Key = .library, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// What rows of `track` and `album` are sorted by.
  var sql: String {
    let way = isDescending ? " DESC" : ""
    let own: String
    switch key {
    case .library: return "album.sort\(way), album.id\(way), track.place\(way)"
    case .field(.title): own = "track.title_sort"
    case .field(let field): own = field.numberColumn ?? "\(field.columnWithFallback) COLLATE NOCASE"
    case .modified: own = "track.mtime"
    case .added: own = "track.added"
    }
    return "\(own)\(way), album.sort, album.id, track.place"
  }
}

/// A text of a track as the index holds it, value by value.
public enum TrackTag: Sendable, Hashable {
  /// The artists of the track.
  case artist
  /// What to sort the artists by.
  case artistSort
  /// The title of the album.
  case album
  /// What to sort the album by.
  case albumSort
  /// The artists of the album.
  case albumArtist
  /// What to sort the artists of the album by.
  case albumArtistSort
  /// The title.
  case title
  /// What to sort the title by.
  case titleSort
  /// The number on the disc.
  case track
  /// The genres.
  case genre
  /// The date of release, as ISO 8601 writes it as far as it is known.
  case date
  /// The composers.
  case composer
  /// The number of the disc.
  case disc
  /// The release's MusicBrainz identifier.
  case musicBrainzAlbumID
  /// One of the other tags.
  case further(FurtherTags.Kind)

  /// The function by which SQL reads the column `tags`: of one kind, or with NULL of all.
  static let reading = DatabaseFunction("segue_tags", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]) else { return nil }
    let kind = UInt8.fromDatabaseValue(values[1]).flatMap(FurtherTags.Kind.init)
    let found = FurtherTags(json: text).values.filter { kind == nil || $0.kind == kind }
    return found.isEmpty ? nil : found.map(\.text).joined(separator: "\u{1F}")
  }

  /// The texts that have columns of their own.
  static let textFields: [TrackTag] = [
    .artist, .artistSort, .album, .albumSort, .albumArtist, .albumArtistSort, .title, .titleSort, .genre, .composer,
    .musicBrainzAlbumID,
  ]

  /// What is a number, or made of numbers.
  static let numberFields: [TrackTag] = [.track, .disc, .date]

  /// The text as an expression on a row of `track`: several values with a U+001F between them, NULL for none.
  var column: String {
    switch self {
    case .artist: "track.artists"
    case .artistSort: "track.sort_artist"
    case .album: "track.album_title"
    case .albumSort: "track.sort_album"
    case .albumArtist: "track.album_artists"
    case .albumArtistSort: "track.sort_album_artist"
    case .title: "track.title"
    case .titleSort: "track.sort_title"
    case .track: "CAST(track.number AS TEXT)"
    case .genre: "track.genres"
    case .date:
      """
      (CASE WHEN track.year IS NOT NULL THEN printf('%04d', track.year) \
      || CASE WHEN track.month > 0 THEN printf('-%02d', track.month) ELSE '' END \
      || CASE WHEN track.month > 0 AND track.day > 0 THEN printf('-%02d', track.day) ELSE '' END END)
      """
    case .composer: "track.composers"
    case .disc: "CAST(track.disc AS TEXT)"
    case .musicBrainzAlbumID: "track.release"
    case .further(let kind):
      "(CASE WHEN \(kind.isInTags) THEN segue_tags(track.tags, \(kind.rawValue)) END)"
    }
  }

  /// What stands in for it where a track has none: the first of these that it has.
  public var fallbacks: [TrackTag] {
    switch self {
    case .artistSort, .albumArtist: [.artist]
    case .albumSort: [.album]
    case .albumArtistSort: [.albumArtist, .artistSort, .artist]
    case .titleSort: [.title]
    default: []
    }
  }

  /// The text, or what stands in for it.
  var columnWithFallback: String {
    if fallbacks.isEmpty { return column }
    return "coalesce(\(([self] + fallbacks).map(\.column).joined(separator: ", ")))"
  }

  /// What a number is sorted by.
  var numberColumn: String? {
    switch self {
    case .track: "track.number"
    case .disc: "track.disc"
    default: nil
    }
  }
}

extension FurtherTags.Kind {
  /// Whether a track may have such a tag: of those that have none, which are most, no more is read than that.
  var isInTags: String {
    "(track.tags IS NOT NULL AND (\(names.map { "instr(track.tags, '\"\($0)\":[') > 0" }.joined(separator: " OR "))))"
  }
}
