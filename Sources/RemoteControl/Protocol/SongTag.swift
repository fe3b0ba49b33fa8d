/// The tags of a song that the protocol knows and Segue has, by their names there.
enum SongTag: String, Sendable, Hashable, CaseIterable {
  /// The artists of the track.
  case artist = "Artist"
  /// What to sort the artists by.
  case artistSort = "ArtistSort"
  /// The title of the album.
  case album = "Album"
  /// What to sort the album by.
  case albumSort = "AlbumSort"
  /// The artists of the album.
  case albumArtist = "AlbumArtist"
  /// What to sort the artists of the album by.
  case albumArtistSort = "AlbumArtistSort"
  /// The title.
  case title = "Title"
  /// The number on the disc.
  case track = "Track"
  /// The genres.
  case genre = "Genre"
  /// When it was released.
  case date = "Date"
  /// The composers.
  case composer = "Composer"
  /// The number of the disc.
  case disc = "Disc"
  /// The release's MusicBrainz identifier.
  case musicBrainzAlbumID = "MUSICBRAINZ_ALBUMID"

  /// The tag that a client calls `name`, in whatever case.
  init?(name: String) {
    let key = name.lowercased()
    guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == key }) else { return nil }
    self = tag
  }
}
