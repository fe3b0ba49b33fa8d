// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import FoundationEssentials
import GRDB
import Platform
import SystemPackage

/// The schema of the index, and the functions that open the database.
enum IndexSchema {
  /// The `user_version` in the header of an up-to-date database: "Seg", followed by the number of migrations.
  static let version: Int64 = 0x5365_6711
  private static let family: Int64 = 0x5365_6700

  /// Opens the database at `path` and migrates it to the current schema. Only one process may do so at a time.
  static func open(_ path: FilePath) throws(LibraryIndexError) -> DatabaseQueue {
    try perform(path) {
      DatabaseFile(path).createPrivate()
      let database = try connect(path)
      let found = try database.userVersion
      if found == version { return database }
      if found > version, found & ~0xFF == family { throw LibraryIndexError.tooNew(path) }
      if try database.unsafeRead(isForeign) {
        try database.close()
        throw LibraryIndexError.foreign(path, setAsideAs: try setAside(path))
      }
      if try database.unsafeRead(migrator.hasBeenSuperseded) { throw LibraryIndexError.tooNew(path) }
      // A new database contains nothing that a power loss could destroy, and waiting for the disk would take longer
      // than everything else.
      let isNew = try found == 0 && database.unsafeRead(isEmpty)
      try database.writeWithoutTransaction {
        if isNew { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        try $0.execute(sql: "PRAGMA journal_mode = WAL")
      }
      if isNew { try create(database) } else { try migrator.migrate(database) }
      try database.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA user_version = \(version)")
        if isNew { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      }
      return database
    }
  }

  /// Opens another connection to the database at `path`, which must have the current schema.
  static func connect(_ path: FilePath) throws -> DatabaseQueue {
    guard String(validating: path) != nil else {
      throw LibraryIndexError.unusable(path, "its path is not valid UTF-8")
    }
    return try DatabaseFile(path).connect(.anyPossible, label: "index") { try addFunctions(to: $0) }
  }

  /// Opens an empty database in memory.
  static func connectInMemory() throws -> DatabaseQueue {
    let database = try DatabaseFile.connectInMemory(label: "index") { try addFunctions(to: $0) }
    try create(database)
    return database
  }

  /// Removes everything from a database in memory.
  static func empty(_ database: DatabaseQueue) throws {
    try database.write { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 6) <> 'search'")
      try database.execute(
        sql: tables.map { "DELETE FROM \($0); " }.joined() + "INSERT INTO search (search) VALUES ('delete-all')")
    }
  }

  /// Adds the functions that the schema and the queries use.
  static func addFunctions(to database: Database) throws {
    database.add(function: TrackTag.sqlFunction)
    database.add(function: TrackTag.yearFunction)
    try TextFunctions.add(to: database)
    try TrackIDFunction.add(to: database)
    try RowChecksum.addFunction(to: database)
  }

  /// Opens another connection to the database at `path`. Throws if the database does not exist or does not have the
  /// current schema.
  static func connectToPresent(_ path: FilePath) throws -> DatabaseQueue {
    _ = try FileStatus(of: path)
    let database = try connect(path)
    guard try database.userVersion == version else {
      throw LibraryIndexError.unusable(path, "it is from another version of Segue")
    }
    return database
  }

  /// Whether the write-ahead log is so large that it should be checkpointed. If it is not and the program is killed,
  /// the next process that opens the index must first read the whole log.
  static func needsCheckpoint(_ path: FilePath) -> Bool {
    DatabaseFile(path).logSize > 64 * 1024
  }

  /// Runs an operation that may find the database damaged. A disk that fails temporarily can also return wrong pages,
  /// so the file is set aside only if the damage shows again: when the database is reopened or, for a value that cannot
  /// be decoded, when the operation is run a second time.
  static func perform<Value>(
    _ path: FilePath, isRetry: Bool = false, _ body: () throws -> Value
  ) throws(LibraryIndexError) -> Value {
    do {
      return try body()
    } catch let error as LibraryIndexError {
      throw error
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_NOMEM, .SQLITE_ERROR:
        if isDamaged(path) { throw .damaged(path, setAsideAs: try setAside(path)) }
        throw .unusable(path, reason(error))
      default: throw .unusable(path, reason(error))
      }
    } catch is RowDecodingError {
      // A column contains a value of a type that its definition excludes. SQLite's integrity check does not find this.
      guard isRetry else { return try perform(path, isRetry: true, body) }
      throw .damaged(path, setAsideAs: try setAside(path))
    } catch {
      throw .unusable(path, "\(error)")
    }
  }

  /// Returns the reason why a database that is not damaged cannot be used.
  private static func reason(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: "it was temporarily unreadable; try again"
    case .SQLITE_NOMEM: "out of memory"
    default: error.reason
    }
  }

  private static func isDamaged(_ path: FilePath) -> Bool {
    DatabaseCheck(tables: LibraryTables.creation(.current)).isDamaged {
      try connect(path)
    } testing: { database in
      // SQLite's integrity check does not cover the full-text index, which has a check of its own.
      if try isCurrent(database) { try database.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')") }
      return try hasExpectedTables(database)
    }
  }

  /// Returns whether the tables are as the migrations create them, or cannot be compared because the database is of
  /// another version.
  static func hasExpectedTables(_ database: Database) throws -> Bool {
    guard try isCurrent(database), let tables = try? tables.get() else { return true }
    return try tables.match(database)
  }

  private static func isCurrent(_ database: Database) throws -> Bool {
    try Int64.fetchOne(database, sql: "PRAGMA user_version") == version
  }

  private static let tables = Result { try ExpectedTables { try create($0) } }

  /// Creates the tables in an empty database, which takes a tenth of the time that migrations take.
  private static func create(_ database: DatabaseQueue) throws {
    let creation = [
      LoudnessTable.creation, LibraryTables.creation(.current), StickerTable.creation,
      StickerTable.objectCreation, PlayLogTables.creation, SalvagedTable.creation,
      NameIndex.creation, PropertyIndex.creation, JoinedWords.creation, IdentityTables.creation,
      "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
    ]
    try database.write { database in
      try database.execute(sql: creation.joined(separator: ";\n"))
      let insertion = try database.makeStatement(sql: "INSERT INTO grdb_migrations VALUES (?)")
      for migration in migrator.migrations { try insertion.execute(arguments: [migration]) }
    }
  }

  private static func isEmpty(_ database: Database) throws -> Bool {
    try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master") == nil
  }

  /// Whether the database contains tables that another program created.
  private static func isForeign(_ database: Database) throws -> Bool {
    let names = try Set(
      String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"))
    if names.isEmpty { return false }
    guard names.contains("grdb_migrations") else { return true }
    let known = try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    // If the creation of the index was interrupted before the first migration, there is no other table.
    return known.isEmpty ? names.count > 1 : !known.contains("loudness")
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("loudness") { try $0.execute(sql: LoudnessTable.originalCreation) }
    migrator.registerMigration("library") { try $0.execute(sql: LibraryTables.creation(.original)) }
    migrator.registerMigration("segments") { try $0.execute(sql: LibraryTables.segmentMigration) }
    // The migrations without statements created tables that are no longer used.
    migrator.registerMigration("snapshot") { _ in }
    migrator.registerMigration("stickers") { try $0.execute(sql: StickerTable.creation) }
    migrator.registerMigration("listing") { _ in }
    migrator.registerMigration("carried") { try $0.execute(sql: SalvagedTable.creation) }
    migrator.registerMigration("names") { try $0.execute(sql: NameIndex.creation) }
    migrator.registerMigration("no listing") { try $0.execute(sql: "DROP TABLE IF EXISTS listing") }
    migrator.registerMigration("checksums") { try $0.execute(sql: RowChecksum.migration) }
    migrator.registerMigration("no snapshot") {
      try $0.execute(sql: "DROP TABLE IF EXISTS snapshot; DROP TABLE IF EXISTS snapshot_patch")
      try $0.execute(sql: PropertyIndex.creation)
    }
    migrator.registerMigration("joined words") {
      try $0.execute(sql: JoinedWords.creation)
      try JoinedWords($0).fill()
    }
    migrator.registerMigration("identity") { try $0.execute(sql: IdentityTables.migration) }
    migrator.registerMigration("sticker numbers") { try $0.execute(sql: StickerTable.numberMigration) }
    migrator.registerMigration("play log") { try $0.execute(sql: PlayLogTables.originalCreation) }
    migrator.registerMigration("played tracks") {
      try PlayLogTables.migrate($0)
      try $0.execute(sql: StickerTable.valueMigration)
    }
    migrator.registerMigration("silence") { try $0.execute(sql: LoudnessTable.soundMigration) }
    return migrator
  }

  private static func setAside(_ path: FilePath) throws(LibraryIndexError) -> FilePath {
    do throws(Errno) { return try DatabaseFile(path).setAside() } catch {
      throw .unusable(path, "it is damaged, and cannot be renamed: \(error)")
    }
  }
}
