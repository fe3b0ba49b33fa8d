/// What has to be grouped again after tracks were removed, or became others.
struct LoosenedGroups {
  /// The keys of the tracks.
  var keys: Set<String> = []
  /// Their releases.
  var releases: Set<String> = []
  /// The albums that they were in.
  var albums: Set<Int64> = []

  /// Adds what depends on a track.
  mutating func insert(_ row: StoredTracks.Row) {
    keys.insert(row.key)
    if let release = row.release { releases.insert(release) }
    if let album = row.album { albums.insert(album) }
  }
}
