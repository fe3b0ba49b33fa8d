package import GRDB

/// How much there is under each artist and genre, kept in `name_count`, so that listing the great ones does not read
/// all of their tracks.
///
/// What is not kept there is counted anew. So whoever adds, moves or takes away a track of a name forgets that name
/// within the same transaction, and completes the counts when all is done.
package enum NameCounts {
  /// How many tracks a name has to have for its counts to be kept.
  static let fewest = 256

  /// What a name counts for in this library.
  static func count(
    _ name: Int64, _ kind: NameKind, library: Int64, _ database: Database
  ) throws -> (albums: Int, tracks: Int) {
    let kept = try database.cachedStatement(
      sql: "SELECT albums, tracks FROM name_count WHERE library = ? AND kind = ? AND name = ?")
    let row =
      try Row.fetchOne(kept, arguments: [library, kind.number, name])
      ?? Row.fetchOne(try counting(kind, database), arguments: [name, library])
    return (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
  }

  /// Whether any counts are kept.
  package static func areKept(_ kind: NameKind, library: Int64, _ database: Database) throws -> Bool {
    try Int64.fetchOne(
      database, sql: "SELECT 1 FROM name_count WHERE library = ? AND kind = ? LIMIT 1",
      arguments: [library, kind.number]) != nil
  }

  /// Forgets the counts of these names.
  package static func forget(
    _ names: some Sequence<Int64>, _ kind: NameKind, library: Int64, _ database: Database
  ) throws {
    let statement = try database.cachedStatement(
      sql: "DELETE FROM name_count WHERE library = ? AND kind = ? AND name = ?")
    for name in names { try statement.execute(arguments: [library, kind.number, name]) }
  }

  /// Counts what is not kept of these names, or of all, each in a transaction of its own.
  ///
  /// Of a name with fewer than `fewest` tracks none is kept: counting it takes no time.
  package static func complete(
    _ names: Set<Int64>?, _ kind: NameKind, library: Int64, fewest: Int = fewest, _ database: Database
  ) throws {
    let insertion = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO name_count VALUES (?, ?, ?, ?, ?)")
    for name in try great(names, kind, fewest, database) {
      try database.inSavepoint {
        let count = try count(name, kind, library: library, database)
        if count.tracks > 0 {
          try insertion.execute(arguments: [library, kind.number, name, count.albums, count.tracks])
        }
        return .commit
      }
    }
  }

  /// Those of these names, or of all, that have at least `fewest` tracks.
  private static func great(
    _ names: Set<Int64>?, _ kind: NameKind, _ fewest: Int, _ database: Database
  ) throws -> [Int64] {
    let (_, links, column) = kind.tables
    guard let names else {
      return try Int64.fetchAll(
        database, sql: "SELECT \(column) FROM \(links) GROUP BY \(column) HAVING count(*) >= ?",
        arguments: [fewest])
    }
    let statement = try database.cachedStatement(
      sql: "SELECT count(*) FROM (SELECT 1 FROM \(links) WHERE \(column) = ? LIMIT ?)")
    return try names.sorted().filter {
      try Int.fetchOne(statement, arguments: [$0, fewest]) ?? 0 >= fewest
    }
  }

  private static func counting(_ kind: NameKind, _ database: Database) throws -> Statement {
    let tables = kind.tables
    // An artist may be a track's and its album's.
    let tracks = kind == .artists ? "count(DISTINCT track.id)" : "count(*)"
    return try database.cachedStatement(
      sql: """
        SELECT count(DISTINCT track.album), \(tracks) FROM \(tables.links) AS link
        CROSS JOIN track ON track.id = link.track WHERE link.\(tables.column) = ? AND track.library = ?
        AND track.album IS NOT NULL
        """)
  }
}

/// What has a name of its own besides tracks and albums.
package enum NameKind {
  case artists, genres

  /// The table of names, the one that links them with tracks, and its column.
  package var tables: (names: String, links: String, column: String) {
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
