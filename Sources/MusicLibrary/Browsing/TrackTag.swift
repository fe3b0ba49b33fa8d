/// A text of a track as the index holds it, value by value.
public enum TrackTag: String, Sendable, Hashable, CaseIterable {
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
    }
  }

  /// What stands in for it where a track has none.
  var fallback: TrackTag? {
    switch self {
    case .artistSort, .albumArtist: .artist
    case .albumSort: .album
    case .albumArtistSort: .albumArtist
    default: nil
    }
  }

  /// The text, or what stands in for it.
  var columnWithFallback: String {
    guard let fallback else { return column }
    return "coalesce(\(column), \(fallback.columnWithFallback))"
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
