import GRDB
public import MusicModel

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
