import GRDB

/// How much there is under each artist and genre, kept in `name_count`, so that listing the great ones does not read all of their tracks.
///
/// What is not kept there is counted anew. So whoever adds, moves or takes away a track of a name forgets that name within the same
/// transaction, and completes the counts when all is done.
enum NameCounts {
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

  /// Forgets the counts of these names, in every library.
  static func forget(_ names: some Sequence<Int64>, _ kind: NameKind, _ database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "DELETE FROM name_count WHERE library IN (SELECT id FROM library) AND kind = ? AND name = ?")
    for name in names { try statement.execute(arguments: [kind.number, name]) }
  }

  /// Counts what is not kept.
  static func complete(library: Int64, _ database: Database) throws {
    for kind in [NameKind.artists, .genres] {
      let missing = try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM \(kind.tables.names) AS name WHERE NOT EXISTS (SELECT 1 FROM name_count
          WHERE library = ? AND kind = ? AND name_count.name = name.id)
          """, arguments: [library, kind.number])
      let insertion = try database.cachedStatement(sql: "INSERT INTO name_count VALUES (?, ?, ?, ?, ?)")
      for name in missing {
        let count = try count(name, kind, library: library, database)
        try insertion.execute(arguments: [library, kind.number, name, count.albums, count.tracks])
      }
    }
  }

  private static func counting(_ kind: NameKind, _ database: Database) throws -> Statement {
    let tables = kind.tables
    return try database.cachedStatement(
      sql: """
        SELECT count(DISTINCT track.album), count(DISTINCT track.id) FROM \(tables.links) AS link
        CROSS JOIN track ON track.id = link.track WHERE link.\(tables.column) = ? AND track.library = ?
        AND track.album IS NOT NULL
        """)
  }
}
