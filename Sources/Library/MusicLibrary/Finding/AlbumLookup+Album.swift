import MusicModel

extension AlbumLookup {
  /// The album with this id and its tracks in playing order; `nil` where there is none any more.
  func album(_ id: Int64) throws -> Album? {
    let rows = try database.statement(
      """
      SELECT \(StoredTrack.columns) FROM track INDEXED BY track_album \(StoredTrack.tables)
      WHERE track.album = ?2 AND \(libraries.condition("track.library")) ORDER BY track.place
      """)
    rows.bind(libraries.first)
    rows.bind(id)
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

  /// The directories in which the tracks of this album are, with the times at which they had changed when they were
  /// read, and the library's path.
  static func directories(
    ofAlbum id: Int64, _ database: IndexHandle
  ) throws -> (root: [UInt8], directories: [(path: RelativePath, modificationTime: Int64)]) {
    let rows = try database.statement(
      """
      SELECT DISTINCT directory.path, directory.mtime, library.root FROM track INDEXED BY track_album
      JOIN directory ON directory.id = track.directory JOIN library ON library.id = track.library
      WHERE track.album = ?
      """)
    rows.bind(id)
    var root: [UInt8] = []
    var found: [(path: RelativePath, modificationTime: Int64)] = []
    while try rows.step() {
      found.append((RelativePath(rows.bytes(0)), rows.integer(1)))
      root = rows.bytes(2)
    }
    return (root, found)
  }
}
