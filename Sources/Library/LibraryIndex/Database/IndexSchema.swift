import DatabaseFiles
import FoundationEssentials
import GRDB
import Platform
import SystemPackage

/// How the index is opened, and what its tables are.
enum IndexSchema {
  /// How long to wait for other processes, in seconds.
  static let patience: UInt64 = 5
  /// What the header of the file says where the tables are these: "Seg", and the number of migrations.
  static let version: Int64 = 0x5365_6709
  private static let family: Int64 = 0x5365_6700

  /// Opens the database at `path`, and brings it into its present form. One process at a time may.
  static func open(_ path: FilePath) throws(LibraryIndexError) -> DatabaseQueue {
    try perform(path) {
      DatabaseFile(path).makePrivate()
      let database = try connect(path)
      let found = try found(database)
      if found == version { return database }
      if found > version, found & ~0xFF == family { throw LibraryIndexError.tooNew(path) }
      if try database.unsafeRead(isForeign) {
        try database.close()
        throw LibraryIndexError.foreign(path, setAsideAs: try setAside(path))
      }
      if try database.unsafeRead(migrator.hasBeenSuperseded) { throw LibraryIndexError.tooNew(path) }
      // What is new holds nothing that a loss of power could cost, and to wait for the disk takes longer than all else.
      let isNew = try found == 0 && database.unsafeRead(isEmpty)
      try database.writeWithoutTransaction {
        if isNew { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        try $0.execute(sql: "PRAGMA journal_mode = WAL")
      }
      try migrator.migrate(database)
      try database.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA user_version = \(version)")
        if isNew { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      }
      return database
    }
  }

  /// Another connection to the database at `path`, which is in its present form.
  static func connect(_ path: FilePath) throws -> DatabaseQueue {
    guard let name = String(validating: path) else {
      throw LibraryIndexError.unusable(path, "its path is no text")
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(patience))
    configuration.label = "index"
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.add(function: TrackTag.reading)
      try TextFunctions.add(to: database.handle)
      try database.execute(sql: "PRAGMA synchronous = NORMAL")
    }
    do {
      return try DatabaseQueue(path: name, configuration: configuration)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      // In a directory that cannot be written, what nobody writes to can still be read.
      let file = DatabaseFile(path)
      guard (try? FileStatus(of: path)) != nil, file.logSize == 0, let uri = file.immutableURI else {
        throw error
      }
      configuration.readonly = true
      return try DatabaseQueue(path: uri, configuration: configuration)
    }
  }

  /// Whether so much was written that what is in the log should go where it belongs. After a program that was killed,
  /// whoever comes next reads all of the log before anything else.
  static func needsCheckpoint(_ path: FilePath) -> Bool {
    DatabaseFile(path).logSize > 64 * 1024
  }

  /// Does what may meet a damaged database, and sets that aside, if it shows the damage again when it is opened anew: a
  /// disk that fails for a moment gives wrong pages, too.
  static func perform<Value>(
    _ path: FilePath, _ body: () throws -> Value
  ) throws(LibraryIndexError) -> Value {
    do {
      return try body()
    } catch let error as LibraryIndexError {
      throw error
    } catch let error as DatabaseError {
      switch error.resultCode {
      // A damaged length asks for more memory than there is, too.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_NOMEM:
        guard IndexCheck.isDamaged(path) else {
          throw .unusable(
            path,
            error.resultCode == .SQLITE_NOMEM
              ? "out of memory" : "it could not be read for a moment, though nothing is wrong with it; try again")
        }
        throw .damaged(path, setAsideAs: try setAside(path))
      case .SQLITE_FULL: throw .unusable(path, "the disk is full")
      case .SQLITE_READONLY: throw .unusable(path, "it cannot be written")
      default: throw .unusable(path, error.message ?? "\(error.resultCode)")
      }
    } catch is RowDecodingError {
      // Of a column that was made to hold nothing else.
      throw .damaged(path, setAsideAs: try setAside(path))
    } catch {
      throw .unusable(path, "\(error)")
    }
  }

  private static func found(_ database: DatabaseQueue) throws -> Int64 {
    try database.unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
  }

  private static func isEmpty(_ database: Database) throws -> Bool {
    try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master") == nil
  }

  /// Whether it holds tables that another program made.
  private static func isForeign(_ database: Database) throws -> Bool {
    let names = try Set(
      String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"))
    if names.isEmpty { return false }
    guard names.contains("grdb_migrations") else { return true }
    let known = try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    // What was interrupted before its first migration has no other table.
    return known.isEmpty ? names.count > 1 : !known.contains("loudness")
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("loudness") { try $0.execute(sql: LoudnessTable.creation) }
    migrator.registerMigration("library") { try $0.execute(sql: LibraryTables.creation) }
    migrator.registerMigration("segments") { try $0.execute(sql: SegmentTables.migration) }
    migrator.registerMigration("snapshot") { try $0.execute(sql: SnapshotTables.creation) }
    migrator.registerMigration("stickers") { try $0.execute(sql: StickerTable.creation) }
    // Made a table that is no longer used.
    migrator.registerMigration("listing") { _ in }
    migrator.registerMigration("carried") { try $0.execute(sql: CarriedTable.creation) }
    migrator.registerMigration("names") { try $0.execute(sql: NameIndex.creation) }
    migrator.registerMigration("no listing") { try $0.execute(sql: "DROP TABLE IF EXISTS listing") }
    return migrator
  }

  private static func setAside(_ path: FilePath) throws(LibraryIndexError) -> FilePath {
    do throws(Errno) { return try DatabaseFile(path).setAside() } catch {
      throw .unusable(path, "it is damaged, and cannot be set aside: \(error)")
    }
  }
}
