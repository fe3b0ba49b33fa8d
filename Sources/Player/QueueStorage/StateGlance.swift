import GRDB
import GRDBSQLite
import MusicModel
import SystemPackage

/// A connection by SQLite alone, which says what counts at the beginning: the first sound waits for that, and GRDB's
/// connection takes several times as long to open.
///
/// Used by one thread at a time.
final class StateGlance: Sendable {
  /// The address of SQLite's connection; as a number it may go from thread to thread.
  private let address: UInt

  /// Opens the database at `path`; `nil` where that is missing, is not in its present form, or anything else is wrong
  /// with it.
  init?(_ path: FilePath) {
    guard let name = String(validating: path) else { return nil }
    var connection: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      name, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    address = UInt(bitPattern: connection)
    guard code == SQLITE_OK, row("PRAGMA user_version")?.first == StateSchema.version.databaseValue else {
      return nil
    }
  }

  deinit { unsafe sqlite3_close_v2(OpaquePointer(bitPattern: address)) }

  /// What counts before the queue is there; `nil` where it cannot be read, for whatever reason.
  var beginning: KeptBeginning? {
    let columns = StateReader.beginningColumns
    let names = columns.joined(separator: ", ")
    guard let row = row("SELECT \(names) FROM state WHERE id = 1") else { return nil }
    return try? StateReader.beginning { name in
      columns.firstIndex(of: name).map { row[$0] } ?? .null
    }
  }

  /// The first row that `sql` gives, as far as its values are numbers and texts.
  private func row(_ sql: String) -> [DatabaseValue]? {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard
      unsafe sqlite3_prepare_v2(OpaquePointer(bitPattern: address), sql, -1, &statement, nil) == SQLITE_OK,
      unsafe sqlite3_step(statement) == SQLITE_ROW
    else { return nil }
    return unsafe (0..<sqlite3_column_count(statement)).map { unsafe Self.value(statement, $0) }
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> DatabaseValue {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: unsafe sqlite3_column_int64(statement, column).databaseValue
    case SQLITE_TEXT:
      unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0).databaseValue } ?? .null
    default: .null
    }
  }
}
