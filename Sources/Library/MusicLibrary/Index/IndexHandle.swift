import GRDB
import GRDBSQLite

/// A connection to the index as the loops and the lookups see it: it makes statements, and nothing else.
///
/// For the thread and the time in which the connection may be used, of which it is no owner.
@safe struct IndexHandle {
  let handle: OpaquePointer?

  /// The connection at `handle`.
  init(unowned handle: OpaquePointer?) { unsafe self.handle = unsafe handle }

  /// Compiles one statement.
  func statement(_ sql: String) throws -> IndexStatement { try IndexStatement(self, sql) }

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
