/// What has a name of its own besides tracks and albums.
enum NameKind {
  case artists, genres

  /// The table of names, the one that links them with tracks, and its column.
  var tables: (names: String, links: String, column: String) {
    switch self {
    case .artists: ("artist", "credit", "artist")
    case .genres: ("genre", "track_genre", "genre")
    }
  }

  /// How `name_count` tells them apart.
  var number: Int {
    switch self {
    case .artists: 0
    case .genres: 1
    }
  }

  /// Where a track and its album hold the keys of its names.
  var keys: [String] {
    switch self {
    case .artists: ["words.artist", "words.album_artist", "album.artist_key"]
    case .genres: ["words.genre"]
    }
  }
}
