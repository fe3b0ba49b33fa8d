import MusicModel

extension AlbumLookup {
  /// The album with this id and its tracks in playing order; `nil` where there is none any more.
  func album(_ id: Int64) throws -> Album? {
    let rows = try database.statement(
      """
      SELECT \(StoredTrack.columns) FROM track INDEXED BY track_album \(StoredTrack.tables)
      WHERE track.album = ? AND track.library = ? ORDER BY track.place
      """)
    rows.bind(id)
    rows.bind(library)
    var tracks: [Track] = []
    while try rows.step() { tracks.append(StoredTrack.entry(StatementRow(statement: rows)).track) }
    let albums = try database.statement("SELECT \(StoredAlbum.columns) FROM album WHERE album.id = ?")
    albums.bind(id)
    guard !tracks.isEmpty, try albums.step() else { return nil }
    let entry = StoredAlbum.entry(StatementRow(statement: albums))
    var album = Album(
      title: entry.title, artist: entry.artist, isCompilation: entry.isCompilation, tracks: tracks)
    album.sortTitle = tracks.lazy.compactMap(\.sortNames.album).first
    album.sortArtist = tracks.lazy.compactMap(\.sortNames.albumArtist).first
    album.date = entry.date
    return album
  }

  /// The directories in which the tracks of this album are, with the times at which they had changed when they were read.
  static func directories(
    ofAlbum id: Int64, _ database: IndexHandle
  ) throws -> [(path: RelativePath, modificationTime: Int64)] {
    let rows = try database.statement(
      """
      SELECT DISTINCT directory.path, directory.mtime FROM track INDEXED BY track_album
      JOIN directory ON directory.id = track.directory WHERE track.album = ?
      """)
    rows.bind(id)
    var found: [(path: RelativePath, modificationTime: Int64)] = []
    while try rows.step() { found.append((RelativePath(rows.bytes(0)), rows.integer(1))) }
    return found
  }
}
