// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import GRDB
package import MusicModel
import Platform
import SystemPackage
import Tagging

/// The play log: a row of `play` for every play, with what the track was then in `played_track`. It remains
/// when the track is forgotten.
///
/// `library_track` is the ID of the track in the library, which stays the same when its file is moved; NULL if it is
/// not in the library.
package enum PlayLogTables {
  static let creation =
    tables(", library_track INTEGER") + "\nCREATE INDEX play_time ON play (time, track);\n" + trackIndex

  /// The tables of the version that did not know the tracks of the library.
  static let originalCreation = tables("") + "\nCREATE INDEX play_time ON play (time);"

  private static let trackIndex =
    "CREATE INDEX played_library_track ON played_track (library_track) WHERE library_track > 0;"

  private static func tables(_ libraryTrack: String) -> String {
    """
    CREATE TABLE played_track (
      id INTEGER PRIMARY KEY,
      path BLOB NOT NULL,                 -- absolute
      segment INTEGER NOT NULL,           -- -1 for a whole file
      title TEXT NOT NULL,
      artist TEXT NOT NULL,
      album TEXT NOT NULL,
      album_artist TEXT NOT NULL,
      genre TEXT NOT NULL,
      duration INTEGER\(libraryTrack), -- milliseconds
      UNIQUE (path, segment, title, artist, album, album_artist, genre)
    );
    CREATE TABLE play (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,              -- when it began, in seconds since 1970
      track INTEGER NOT NULL,             -- in played_track
      heard INTEGER NOT NULL,             -- milliseconds
      origin TEXT NOT NULL
    );
    CREATE INDEX play_track ON play (track, time);
    """
  }

  /// Finds the tracks of the library that were played.
  static func migrate(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE played_track ADD COLUMN library_track INTEGER;
        DROP INDEX play_time;
        CREATE INDEX play_time ON play (time, track);
        \(trackIndex)
        """)
    let rows = try Row.fetchAll(database, sql: "SELECT id, path, segment FROM played_track")
    for row in rows {
      let track = try libraryTrack(at: FilePath(systemBytes: row.bytes(1)), segment: row[2], database)
      try database.execute(
        sql: "UPDATE played_track SET library_track = ? WHERE id = ?", arguments: [track, row[0] as Int64])
    }
  }

  /// Returns the ID of the track at an absolute path, in any library; `nil` if there is none.
  private static func libraryTrack(at path: FilePath, segment: Int64, _ database: Database) throws -> Int64? {
    let libraries = try database.cachedStatement(sql: "SELECT id, root FROM library ORDER BY length(root) DESC")
    let track = try database.cachedStatement(
      sql: """
        SELECT track.id FROM directory CROSS JOIN track ON track.directory = directory.id
        WHERE directory.library = ? AND directory.path = ? AND track.name = ? AND track.segment = ?
        """)
    for library in try Row.fetchAll(libraries) {
      guard let relative = RelativePath(path, below: FilePath(systemBytes: library.bytes(1))) else { continue }
      let found = try Int64.fetchOne(
        track, arguments: [library[0] as Int64, Data(relative.parent.bytes), Data(relative.name), segment])
      if let found { return found }
    }
    return nil
  }

  /// The SQL statement that gives the plays of the track `?2` to the track `?1`.
  package static let takeover =
    "UPDATE played_track SET library_track = ?1 WHERE library_track = ?2 AND library_track > 0"

  /// The SQL condition that a row of `track` has a play whose time is in an interval.
  static func hasPlay(_ interval: String) -> String {
    """
    EXISTS (SELECT 1 FROM played_track INDEXED BY played_library_track \
    CROSS JOIN play INDEXED BY play_track ON play.track = played_track.id\(interval) \
    WHERE played_track.library_track = track.id AND played_track.library_track > 0)
    """
  }

  /// Adds a play; returns its ID.
  package static func insert(_ play: LoggedPlay, _ database: Database) throws -> Int64 {
    let track = play.track
    let names: [String] = [
      track.title, track.artists.first ?? "", track.album ?? "", track.albumArtists.first ?? track.artists.first ?? "",
      track.genres.first ?? "",
    ]
    let key =
      StatementArguments([Data(track.path.systemBytes).databaseValue, (track.segment?.start ?? -1).databaseValue])
      + StatementArguments(names)
    let columns = ["path", "segment", "title", "artist", "album", "album_artist", "genre"]
    let isTrack = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO played_track (\(columns.joined(separator: ", ")), duration)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, arguments: key + [track.duration.map(milliseconds)])
    // A file that is missing by now may be that of a track that is already known.
    let segment = Int64(track.segment?.start ?? -1)
    if let libraryTrack = try libraryTrack(at: track.path, segment: segment, database) {
      try database.execute(
        sql: "UPDATE played_track SET library_track = ? WHERE library_track IS NOT ? AND \(isTrack)",
        arguments: [libraryTrack, libraryTrack] + key)
    }
    try database.execute(
      sql: "INSERT INTO play (time, track, heard, origin) SELECT ?, id, ?, ? FROM played_track WHERE \(isTrack)",
      arguments: [play.time, milliseconds(play.heard), play.origin] + key)
    return database.lastInsertedRowID
  }

  /// Changes how much was heard of a play.
  package static func setHeard(_ heard: Duration, ofPlay id: Int64, _ database: Database) throws {
    try database.execute(sql: "UPDATE play SET heard = ? WHERE id = ?", arguments: [milliseconds(heard), id])
  }

  static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (product, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000)
    return isOverflow ? 0 : product &+ attoseconds / 1_000_000_000_000_000
  }

  /// Returns the condition on `play.time`, with its values as parameters.
  static func condition(_ period: PlayPeriod, _ arguments: inout QueryArguments) -> String {
    var parts = ["1"]
    if let start = period.start { parts.append("play.time >= \(arguments.add(start))") }
    if let end = period.end { parts.append("play.time < \(arguments.add(end))") }
    return parts.joined(separator: " AND ")
  }

  /// Returns plays in a period, the latest first.
  package static func plays(
    _ period: PlayPeriod, offset: Int, limit: Int?, _ database: Database
  ) throws -> [LoggedPlay] {
    var arguments = QueryArguments()
    let condition = condition(period, &arguments)
    let window = "LIMIT \(arguments.add(Int64(limit ?? -1))) OFFSET \(arguments.add(Int64(offset)))"
    let rows = IndexStatement(
      database,
      """
      SELECT play.time, heard, origin, path, segment, title, artist, album, album_artist, genre, duration
      FROM play INDEXED BY play_time CROSS JOIN played_track ON played_track.id = play.track
      WHERE \(condition) ORDER BY play.time DESC, play.id DESC \(window)
      """)
    arguments.bind(to: rows)
    return try rows.all { row in
      var track = Track(path: FilePath(systemBytes: row.bytes(3)), title: row.text(5))
      if row.integer(4) >= 0 { track.segment = TrackSegment(start: Int(row.integer(4)), end: nil) }
      track.artists = [row.text(6)].filter { !$0.isEmpty }
      track.album = row.text(7).isEmpty ? nil : row.text(7)
      track.albumArtists = [row.text(8)].filter { !$0.isEmpty }
      track.genres = [row.text(9)].filter { !$0.isEmpty }
      track.duration = row.optionalInteger(10).map { .milliseconds($0) }
      return LoggedPlay(
        time: row.integer(0), heard: .milliseconds(row.integer(1)), origin: row.text(2), track: track)
    }
  }

  /// Returns the artists that were played within two hours of a play of one of `artists`, the most frequent ones, with
  /// the number of their albums that were.
  static func artistsPlayedWith(_ artists: [String], _ database: Database) throws -> [String: Int] {
    let rows = IndexStatement(
      database,
      """
      WITH seed AS (
        SELECT play.time FROM played_track CROSS JOIN play INDEXED BY play_track ON play.track = played_track.id
        WHERE played_track.artist IN (SELECT value FROM json_each(?)) ORDER BY play.time DESC LIMIT 1000
      )
      SELECT other.artist, count(DISTINCT other.album) AS albums FROM seed
      CROSS JOIN play INDEXED BY play_time ON play.time BETWEEN seed.time - 7200 AND seed.time + 7200
      CROSS JOIN played_track AS other ON other.id = play.track
      WHERE other.artist <> '' GROUP BY other.artist ORDER BY albums DESC, other.artist LIMIT 20
      """)
    let data = try JSONEncoder().encode(artists)
    rows.bind(String(decoding: data, as: UTF8.self))
    var found: [String: Int] = [:]
    while try rows.step() { found[rows.text(0)] = rows.int(1) }
    return found
  }

  /// Removes plays in a period, and the tracks that are in no play any more. Returns the number of plays.
  package static func remove(_ period: PlayPeriod, _ database: Database) throws -> Int {
    var arguments = QueryArguments()
    let condition = condition(period, &arguments)
    try database.execute(sql: "DELETE FROM play WHERE \(condition)", arguments: arguments.statementArguments)
    let count = database.changesCount
    try database.execute(sql: "DELETE FROM played_track WHERE id NOT IN (SELECT track FROM play)")
    return count
  }
}
