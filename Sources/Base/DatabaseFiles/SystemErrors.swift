// SPDX-License-Identifier: GPL-3.0-or-later

public import GRDB
import GRDBSQLite

extension DatabaseQueue {
  /// Whether the system has reported an error to this connection, for example when it read from a failing disk. SQLite
  /// reports most such errors as damage.
  public var hadSystemError: Bool { unsafeRead { $0.hadSystemError } }
}

extension Database {
  /// Whether the system has reported an error to this connection. Only SQLite's C interface reports that.
  var hadSystemError: Bool {
    var error: Int32 = 0
    _ = unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_LAST_ERRNO, &error)
    if error != 0 { return true }
    // The write-ahead log is another file.
    var log: UnsafeMutablePointer<sqlite3_file>?
    _ = unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
    guard let log = unsafe log, let methods = unsafe log.pointee.pMethods else { return false }
    _ = unsafe methods.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error)
    return error != 0
  }
}
