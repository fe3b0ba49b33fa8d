/// What the migration `names` adds: the names of a library's tracks in an index of their own, so that a face lists all
/// artists, or all albums with their artists, without reading the tracks.
enum NameIndex {
  static let name = "track_names"
  static let creation = """
    CREATE INDEX \(name) ON track (library, artists, album_artists, album_title, album) WHERE album IS NOT NULL;
    """

  /// Whether the index holds all that is asked of these fields.
  static func holds(_ fields: [TrackTag]) -> Bool {
    fields.allSatisfy { [.artist, .albumArtist, .album].contains($0) }
  }
}
