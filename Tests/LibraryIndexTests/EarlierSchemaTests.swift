// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex

/// The indexes of all earlier versions of Segue, in `Fixtures/Schemas/index.sql`.
@Suite struct EarlierSchemaTests {
  private static let family: Int64 = 0x5365_6700
  private static let migrations = [
    "loudness", "library", "segments", "snapshot", "stickers", "listing", "carried", "names",
    "no listing", "checksums", "no snapshot", "joined words", "identity", "sticker numbers", "play log",
    "played tracks",
  ]
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Creates the index that the version of Segue with schema number `schema` has left.
  private func createIndex(schema: Int) throws -> FilePath {
    let path = directory.file("index.sqlite")
    let statements = try Fixture.schemas("index.sql")
    #expect(statements.count == Self.migrations.count)
    // A migration may break references for a moment.
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(path: path.string, configuration: configuration)
    try database.writeWithoutTransaction { database in
      try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      for (migration, statements) in zip(Self.migrations, statements).prefix(schema) {
        try database.execute(sql: statements)
        try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration])
      }
      // The first version set no number.
      if schema > 1 { try database.execute(sql: "PRAGMA user_version = \(Self.family + Int64(schema))") }
    }
    try database.close()
    return path
  }

  @Test(arguments: 1...16)
  func `an index of an earlier schema is opened with everything in it`(schema: Int) throws {
    let path = try createIndex(schema: schema)
    let index = try LibraryIndex(directory: directory.path)
    #expect(index.warning == nil)
    let database = try DatabaseQueue(path: path.string)
    try database.writeWithoutTransaction { database in
      try IndexSchema.addFunctions(to: database)
      #expect(try Int64.fetchOne(database, sql: "PRAGMA user_version") == IndexSchema.version)
      #expect(try IndexSchema.hasExpectedTables(database))
      #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
      try database.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')")
      #expect(try Double.fetchOne(database, sql: "SELECT loudness FROM loudness") == -14.5)
      if schema >= 2 {
        #expect(try String.fetchAll(database, sql: "SELECT words FROM joined_word WHERE joined = 'js'") == ["j s"])
        #expect(try Int.fetchOne(database, sql: "SELECT doc FROM search_terms WHERE term = 'prelude'") ?? 0 > 0)
      }
      let sticker = "SELECT value FROM sticker WHERE track = ? AND name = ?"
      if schema >= 5 { #expect(try String.fetchOne(database, sql: sticker, arguments: [1, "rating"]) == "8") }
      if schema >= 13 {
        // Counts have new names; the higher one remains.
        for (track, name, value) in [(1, "playCount", "12"), (1, "lastPlayed", "2000"), (2, "playCount", "3")] {
          #expect(try String.fetchOne(database, sql: sticker, arguments: [track, name]) == value, "\(track) \(name)")
        }
        #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM sticker") == 4)
      }
      if schema >= 15 {
        // The tracks of the library that were played are found by their files.
        let tracks = try Row.fetchAll(database, sql: "SELECT title, library_track FROM played_track ORDER BY id")
        #expect(tracks.map { $0["title"] as String } == ["Prelude", "Elsewhere"])
        #expect(tracks.map { $0["library_track"] as Int64? } == [1, nil])
        #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM play") == 3)
      }
      let carried = "SELECT value FROM carried WHERE name = ?"
      if schema >= 7 { #expect(try String.fetchOne(database, sql: carried, arguments: ["rating"]) == "2") }
      if schema >= 13 { #expect(try String.fetchOne(database, sql: carried, arguments: ["playCount"]) == "4") }
    }
    guard schema >= 2 else { return }
    let tracks = try database.read { database in
      try TrackBrowser(database, libraries: LibraryScope(1)).tracks([1, 2])
    }
    #expect(tracks.map(\.track.title) == ["Prelude", "Allemande"])
  }
}
