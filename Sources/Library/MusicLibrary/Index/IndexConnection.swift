import GRDBSQLite
import SystemPackage

/// A connection that SQLite alone opens, in half of the time that GRDB's takes: for the few questions of a program that
/// starts, and for the threads of a scan.
///
/// Used by one thread at a time.
@safe struct IndexConnection: ~Copyable, Sendable {
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
  init(_ path: FilePath) throws { address = try Self.open(path) }

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
  var handle: IndexHandle { unsafe IndexHandle(unowned: OpaquePointer(bitPattern: address)) }

  /// Whether the tables are those that we know. Looks at them, too: what is damaged there is not for this connection.
  private static func isPresent(_ handle: IndexHandle) throws -> Bool {
    let version = try handle.statement("PRAGMA user_version")
    guard try version.step(), version.integer(0) == IndexSchema.version else { return false }
    return try handle.statement("SELECT 1 FROM sqlite_master").step()
  }
}
