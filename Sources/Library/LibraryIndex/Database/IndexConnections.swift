import GRDB
import GRDBSQLite
import Platform
package import SystemPackage

/// A connection that SQLite alone opens, in half of the time that GRDB's takes: for the few questions of a program that
/// starts, and for the threads of a scan.
///
/// Used by one thread at a time.
@safe package struct IndexConnection: ~Copyable, Sendable {
  /// The address of SQLite's connection; as a number it may go from thread to thread.
  private let address: UInt

  /// Opens the database at `path`; `nil` where that is missing, is not in its present form, or anything else is wrong
  /// with it.
  init?(present path: FilePath) {
    guard let address = try? Self.open(path) else { return nil }
    self.address = address
  }

  /// Opens the database at `path`.
  ///
  /// - Throws: `DatabaseError`, or `LibraryIndexError` where it is not in its present form.
  package init(_ path: FilePath) throws { address = try Self.open(path) }

  deinit { unsafe sqlite3_close_v2(OpaquePointer(bitPattern: address)) }

  private static func open(_ path: FilePath) throws -> UInt {
    guard let name = String(validating: path) else {
      throw LibraryIndexError.unusable(path, "its path is no text")
    }
    var connection: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      name, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    let handle = unsafe IndexHandle(unowned: connection)
    do {
      guard code == SQLITE_OK else { throw handle.error(code) }
      unsafe sqlite3_busy_timeout(connection, Int32(IndexSchema.patience) * 1_000)
      guard try isPresent(handle) else {
        throw LibraryIndexError.unusable(path, "its tables are not of this version of Segue")
      }
    } catch {
      unsafe sqlite3_close_v2(connection)
      throw error
    }
    return UInt(bitPattern: connection)
  }

  /// What `body` asks of one snapshot of the database.
  borrowing func read<Value>(_ body: (IndexHandle) throws -> Value) throws -> Value {
    try handle.execute("BEGIN")
    do {
      let value = try body(handle)
      try handle.execute("COMMIT")
      return value
    } catch {
      try? handle.execute("ROLLBACK")
      throw error
    }
  }

  /// The connection, for as long as this is held.
  package var handle: IndexHandle { unsafe IndexHandle(unowned: OpaquePointer(bitPattern: address)) }

  /// Whether the tables are those that we know. Looks at them, too: what is damaged there is not for this connection.
  private static func isPresent(_ handle: IndexHandle) throws -> Bool {
    let version = try handle.statement("PRAGMA user_version")
    guard try version.step(), version.integer(0) == IndexSchema.version else { return false }
    return try handle.statement("SELECT 1 FROM sqlite_master").step()
  }
}

/// A connection for those who write many rows, which is kept for the next one: while a player runs, opening one takes
/// longer than a few rows, and letting go of one has Dispatch wake the program each second from then on, also where
/// nothing plays.
struct IndexWriter: Sendable {
  private let queue: DatabaseQueue
  private let path: FilePath
  /// The file that it was opened at.
  private let file: FileStatus.Identity?

  /// Connects to the index at `path`.
  init(_ path: FilePath) throws {
    self.path = path
    // Before it is opened: where another takes its place in between, that is noticed.
    file = Self.file(at: path)
    queue = try IndexSchema.connect(path)
    try queue.writeWithoutTransaction { database in
      for setting in [
        "cache_size = -16000", "wal_autocheckpoint = 16000", "secure_delete = OFF", "temp_store = MEMORY",
      ] {
        try database.execute(sql: "PRAGMA \(setting)")
      }
    }
  }

  /// Whether what it writes to is still the index: it may have been set aside.
  var isOfPresentFile: Bool { file != nil && file == Self.file(at: path) }

  /// Has `body` write, in transactions of its own. In the end what is in the log goes where it belongs, where that is
  /// wanted, and unless somebody else sees to that.
  func write<Value>(movesLog: Bool, _ body: (Database) throws -> Value) throws -> Value {
    try queue.writeWithoutTransaction { database in
      let value = try body(database)
      if movesLog, IndexSchema.needsCheckpoint(path) {
        try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      database.releaseMemory()
      return value
    }
  }

  private static func file(at path: FilePath) -> FileStatus.Identity? {
    (try? FileStatus(of: path))?.identity
  }
}

/// A connection to the index as the loops and the lookups see it: it makes statements, and nothing else.
///
/// For the thread and the time in which the connection may be used, of which it is no owner.
@safe package struct IndexHandle {
  let handle: OpaquePointer?

  /// The connection at `handle`.
  init(unowned handle: OpaquePointer?) { unsafe self.handle = unsafe handle }

  /// Compiles one statement.
  package func statement(_ sql: String) throws -> IndexStatement { try IndexStatement(self, sql) }

  /// Runs one statement without rows.
  func execute(_ sql: String) throws { try statement(sql).run() }

  /// The statement that SQLite makes of `sql`.
  func prepared(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code) }
    return unsafe statement
  }

  /// The number of the row that was added last.
  var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// The error that SQLite has just given `code` for.
  func error(_ code: Int32) -> DatabaseError {
    let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}

extension Database {
  /// This connection, for as long as it may be used.
  var handle: IndexHandle { unsafe IndexHandle(unowned: sqliteConnection) }
}
