// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB

/// The statements that a ``TrackBrowser`` runs many times.
struct BrowserStatements {
  /// The tracks of a directory, in the order of the table's index.
  let unsorted: IndexStatement
  /// The files of a directory, in the order of the table's index.
  let unsortedFiles: IndexStatement
  /// The tracks of a directory in sorted order, which is rarely needed.
  let sorted: IndexStatement
  /// The IDs of the tracks of a directory in sorted order.
  let sortedIDs: IndexStatement
  /// The tracks whose IDs are in a JSON array, in the order of the array. Running it once for many tracks is faster
  /// than running a statement for each.
  let tracks: IndexStatement
  /// The track with an ID.
  let track: IndexStatement
  /// The path and the segment of the track with an ID.
  let name: IndexStatement
  /// The modification time of the file at a path, and the time when it was added.
  let times: IndexStatement
  /// The path of the directory with an ID.
  let path: IndexStatement
  /// The directories between two paths, and whether they contain tracks.
  let children: IndexStatement
  /// Whether a directory contains tracks at any depth.
  let content: IndexStatement

  init(_ database: Database) {
    let tables = "FROM directory CROSS JOIN track ON track.directory = directory.id"
    let isInDirectory = "directory.library = ? AND directory.path = ?"
    let rows = "\(tables) WHERE \(isInDirectory) AND track.album IS NOT NULL"
    let unsortedOrder = "ORDER BY track.name, track.segment LIMIT ?"
    func statement(_ sql: @autoclosure @escaping () -> String) -> IndexStatement {
      IndexStatement(database, cached: true, sql())
    }
    let isOnTitledDisc = TrackBrowser.isOnTitledDisc
    unsorted = statement("SELECT \(ListedTrack.columns), \(isOnTitledDisc) \(rows) \(unsortedOrder)")
    unsortedFiles = statement("SELECT \(ListedTrack.fileColumns), \(isOnTitledDisc) \(rows) \(unsortedOrder)")
    sorted = statement("SELECT \(ListedTrack.columns) \(rows) ORDER BY \(TrackBrowser.order)")
    sortedIDs = statement("SELECT track.id \(rows) ORDER BY \(TrackBrowser.order)")
    tracks = statement(
      """
      SELECT \(ListedTrack.columns), track.directory, track.library
      FROM json_each(?) AS listed CROSS JOIN track ON track.id = listed.value
      """)
    track = statement("SELECT \(StoredTrack.columns), track.mtime FROM track \(StoredTrack.tables) WHERE track.id = ?")
    name = statement(
      """
      SELECT library.root, directory.path, track.name, track.segment, track.segment_end
      FROM track \(StoredTrack.tables) WHERE track.id = ?
      """)
    times = statement("SELECT track.mtime, track.added \(tables) WHERE \(isInDirectory) AND track.name = ? LIMIT 1")
    path = statement("SELECT path FROM directory WHERE id = ?")
    children = statement(
      """
      SELECT path, mtime, EXISTS (SELECT 1 FROM track WHERE directory = directory.id AND album IS NOT NULL)
      FROM directory WHERE library = ? AND path >= ? AND path < ? ORDER BY path
      """)
    content = statement(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM directory CROSS JOIN track ON track.directory = directory.id
        WHERE directory.library = ?1 AND directory.path = ?2 AND track.album IS NOT NULL)
      OR EXISTS (SELECT 1 FROM directory CROSS JOIN track ON track.directory = directory.id
        WHERE directory.library = ?1 AND directory.path >= ?3 AND directory.path < ?4 AND track.album IS NOT NULL)
      """)
  }
}
