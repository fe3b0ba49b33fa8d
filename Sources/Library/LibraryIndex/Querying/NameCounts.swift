// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB

/// The album and track counts of artists and genres. The table `name_count` caches the counts of names with many
/// tracks, so that listing these names does not read all of their tracks.
///
/// Counts that are not cached are computed. Code that adds, moves or removes a track must therefore delete the counts
/// of the track's names in the same transaction, and complete the cache at the end.
package enum NameCounts {
  /// The number of tracks from which the counts of a name are cached.
  static let minimumTrackCount = 256

  /// Returns the album and track counts of a name in this library.
  static func count(
    _ name: Int64, _ kind: NameKind, library: Int64, _ database: Database
  ) throws -> (albums: Int, tracks: Int) {
    let cached = try database.cachedStatement(
      sql: "SELECT albums, tracks FROM name_count WHERE library = ? AND kind = ? AND name = ?")
    let row =
      try Row.fetchOne(cached, arguments: [library, kind.number, name])
      ?? Row.fetchOne(try countStatement(kind, database), arguments: [name, library])
    return (Int(clamping: row?.long(0) ?? 0), Int(clamping: row?.long(1) ?? 0))
  }

  /// Whether any counts of this kind are cached.
  package static func hasCachedCounts(_ kind: NameKind, library: Int64, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database, sql: "SELECT 1 FROM name_count WHERE library = ? AND kind = ? LIMIT 1",
      arguments: [library, kind.number]) != nil
  }

  /// Deletes the cached counts of these names.
  package static func invalidate(
    _ names: some Sequence<Int64>, _ kind: NameKind, library: Int64, _ database: Database
  ) throws {
    let statement = try database.cachedStatement(
      sql: "DELETE FROM name_count WHERE library = ? AND kind = ? AND name = ?")
    for name in names { try statement.execute(arguments: [library, kind.number, name]) }
  }

  /// Computes and caches the missing counts of these names, or of all names if `nil`, each in a transaction of its own.
  ///
  /// Names with fewer than `minimumTrackCount` tracks are left out, because their tracks are quickly counted.
  package static func complete(
    _ names: Set<Int64>?, _ kind: NameKind, library: Int64, minimumTrackCount: Int = minimumTrackCount,
    _ database: Database
  ) throws {
    let insertion = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO name_count VALUES (?, ?, ?, ?, ?)")
    for name in try frequentNames(names, kind, minimumTrackCount, database) {
      try database.inSavepoint {
        let count = try count(name, kind, library: library, database)
        if count.tracks > 0 {
          try insertion.execute(arguments: [library, kind.number, name, count.albums, count.tracks])
        }
        return .commit
      }
    }
  }

  /// Returns the names, among these or among all names if `nil`, that have at least `minimumTrackCount` tracks.
  private static func frequentNames(
    _ names: Set<Int64>?, _ kind: NameKind, _ minimumTrackCount: Int, _ database: Database
  ) throws -> [Int64] {
    let (_, links, column) = kind.tables
    guard let names else {
      return try Int64.fetchAll(
        database, sql: "SELECT \(column) FROM \(links) GROUP BY \(column) HAVING count(*) >= ?",
        arguments: [minimumTrackCount])
    }
    let statement = try database.cachedStatement(
      sql: "SELECT count(*) FROM (SELECT 1 FROM \(links) WHERE \(column) = ? LIMIT ?)")
    return try names.sorted().filter {
      try Int.fetchOne(statement, arguments: [$0, minimumTrackCount]) ?? 0 >= minimumTrackCount
    }
  }

  /// Whether a cached count of this kind, in any library, is wrong. Counts the tracks of all names that have one.
  static func areDamaged(_ kind: NameKind, _ database: Database) throws -> Bool {
    try Row.fetchAll(
      database, sql: "SELECT library, name, albums, tracks FROM name_count WHERE kind = ?", arguments: [kind.number]
    ).contains { row in
      let count = try Row.fetchOne(countStatement(kind, database), arguments: [row[1] as Int64, row[0] as Int64])
      return count?[0] != row[2] as Int64? || count?[1] != row[3] as Int64?
    }
  }

  private static func countStatement(_ kind: NameKind, _ database: Database) throws -> Statement {
    let tables = kind.tables
    // A track can have the same artist as its album, which is stored as two credits.
    let tracks = kind == .artists ? "count(DISTINCT track.id)" : "count(*)"
    return try database.cachedStatement(
      sql: """
        SELECT count(DISTINCT track.album), \(tracks) FROM \(tables.links) AS link
        CROSS JOIN track ON track.id = link.track WHERE link.\(tables.column) = ? AND track.library = ?
        AND track.album IS NOT NULL
        """)
  }
}

/// A kind of name, other than the titles of tracks and albums.
package enum NameKind {
  case artists, genres

  /// The table of names, the table that links names to tracks, and that table's column for the name.
  package var tables: (names: String, links: String, column: String) {
    switch self {
    case .artists: ("artist", "credit", "artist")
    case .genres: ("genre", "track_genre", "genre")
    }
  }

  /// The value of the column `kind` in `name_count`.
  var number: Int {
    switch self {
    case .artists: 0
    case .genres: 1
    }
  }

  /// The columns of a track and its album that contain the keys of its names.
  var keys: [String] {
    switch self {
    case .artists: ["words.artist", "words.album_artist", "album.artist_key"]
    case .genres: ["words.genre"]
    }
  }
}
