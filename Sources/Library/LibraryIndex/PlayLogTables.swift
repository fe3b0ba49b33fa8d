// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import GRDB
package import MusicModel
import Platform
import SystemPackage

/// The play log: a row of `play` for every play, with what the track was then in `played_track`. It remains
/// when the track is forgotten.
package enum PlayLogTables {
  static let creation = """
    CREATE TABLE played_track (
      id INTEGER PRIMARY KEY,
      path BLOB NOT NULL,                 -- absolute
      segment INTEGER NOT NULL,           -- -1 for a whole file
      title TEXT NOT NULL,
      artist TEXT NOT NULL,
      album TEXT NOT NULL,
      album_artist TEXT NOT NULL,
      genre TEXT NOT NULL,
      duration INTEGER,                   -- milliseconds
      UNIQUE (path, segment, title, artist, album, album_artist, genre)
    );
    CREATE TABLE play (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,              -- when it began, in seconds since 1970
      track INTEGER NOT NULL,             -- in played_track
      heard INTEGER NOT NULL,             -- milliseconds
      origin TEXT NOT NULL
    );
    CREATE INDEX play_time ON play (time);
    CREATE INDEX play_track ON play (track, time);
    """

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
    try database.execute(
      sql: "INSERT OR IGNORE INTO played_track VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: key + [track.duration.map(milliseconds)])
    try database.execute(
      sql: """
        INSERT INTO play (time, track, heard, origin) SELECT ?, id, ?, ? FROM played_track
        WHERE path = ? AND segment = ? AND title = ? AND artist = ? AND album = ? AND album_artist = ? AND genre = ?
        """, arguments: [play.time, milliseconds(play.heard), play.origin] + key)
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
    var plays: [LoggedPlay] = []
    while try rows.step() {
      var track = Track(path: FilePath(systemBytes: rows.bytes(3)), title: rows.text(5))
      if rows.integer(4) >= 0 { track.segment = TrackSegment(start: Int(rows.integer(4)), end: nil) }
      track.artists = [rows.text(6)].filter { !$0.isEmpty }
      track.album = rows.text(7).isEmpty ? nil : rows.text(7)
      track.albumArtists = [rows.text(8)].filter { !$0.isEmpty }
      track.genres = [rows.text(9)].filter { !$0.isEmpty }
      track.duration = rows.optionalInteger(10).map { .milliseconds($0) }
      plays.append(
        LoggedPlay(
          time: rows.integer(0), heard: .milliseconds(rows.integer(1)), origin: rows.text(2), track: track))
    }
    return plays
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
