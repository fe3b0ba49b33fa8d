// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import GRDB
import GRDBSQLite

/// A prepared statement for loops over many rows. It binds and reads bytes and numbers without intermediate values.
///
/// Parameters are bound in order. Use it only on the thread of its `Database`, and only while that database may be
/// used.
@safe package final class IndexStatement {
  private let database: Database
  private let statement: Statement
  private let handle: OpaquePointer
  private var binding: ParameterBinding

  /// Prepares a statement.
  package convenience init(_ database: Database, _ sql: String) throws {
    self.init(database, try database.makeStatement(sql: sql), copiesValues: true)
  }

  /// Creates a statement from the statement cache of `database`, for queries that are repeated. Only one caller may use
  /// it at a time.
  convenience init(cachedIn database: Database, _ sql: String) throws {
    self.init(database, try database.cachedStatement(sql: sql), copiesValues: false)
    reset()
  }

  private init(_ database: Database, _ statement: Statement, copiesValues: Bool) {
    self.database = database
    self.statement = statement
    unsafe handle = unsafe statement.sqliteStatement
    binding = unsafe ParameterBinding(handle, copiesValues: copiesValues)
  }

  deinit { unsafe sqlite3_reset(handle) }

  /// Binds the next parameter.
  package func bind(_ value: Int64?) { binding.bind(value) }

  /// Binds the next parameter.
  package func bind(_ value: Int?) { binding.bind(value) }

  /// Binds the next parameter.
  func bind(_ value: Bool) { binding.bind(value) }

  /// Binds the next parameter.
  func bind(_ value: Double?) { binding.bind(value) }

  /// Binds the next parameter.
  package func bind(_ text: String?) { binding.bind(text) }

  /// Binds the next parameter.
  package func bind(_ bytes: [UInt8]) { binding.bind(bytes) }

  /// Binds the next parameter.
  func bind(_ bytes: UnsafeRawBufferPointer) { unsafe binding.bind(bytes) }

  /// Binds the next parameter.
  func bind(_ value: DatabaseValue) { binding.bind(value) }

  /// Calls `body` to bind the next parameters, which is faster than binding them one by one.
  package func bind(_ body: (inout ParameterBinding) -> Void) { body(&binding) }

  /// Binds the parameter with this number, counted from 1. All other parameters keep their values.
  func rebind(_ value: Int64, to parameter: Int) {
    unsafe sqlite3_bind_int64(handle, Int32(clamping: parameter), value)
  }

  /// Binds a matcher to the parameter with this number, counted from 1. The caller must keep the matcher alive while
  /// the statement uses it.
  func rebind(_ matcher: TextMatcher, to parameter: Int32) {
    unsafe TextFunctions.bind(matcher, to: parameter, of: handle)
  }

  /// Advances to the next row. Returns `false` after the last one; the statement is then ready to bind new parameters.
  package func step() throws -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let error = code == SQLITE_DONE ? nil : database.error(code)
    reset()
    if let error { throw error }
    return false
  }

  /// Runs a statement that returns no rows.
  package func run() throws {
    while try step() {}
  }

  /// Inserts a row and returns its row ID.
  ///
  /// The statement does not use RETURNING. SQLite must be able to roll back such a statement by itself, and for that
  /// FTS5 first writes out the few words that it has buffered.
  package func insert() throws -> Int64 {
    try run()
    return database.lastInsertedRowID
  }

  /// Ends the query before its last row, and prepares the statement for new parameters.
  package func reset() {
    unsafe sqlite3_reset(handle)
    binding.reset()
  }

  /// Whether the column of the current row is NULL.
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Returns the integer in a column of the current row.
  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// Returns the integer in a column of the current row, or `nil` for NULL.
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Returns the number in a column of the current row, or `nil` if it is NULL or not finite.
  package func optionalNumber(_ column: Int32) -> Double? {
    if isNull(column) { return nil }
    let number = unsafe sqlite3_column_double(handle, column)
    return number.isFinite ? number : nil
  }

  /// Returns the text in a column of the current row, or an empty string for NULL.
  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// Returns the text in a column of the current row, or `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? {
    // For `sqlite3_column_text`, SQLite would copy the text, to append a zero.
    isNull(column) ? nil : unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes in a column of the current row.
  package func bytes(_ column: Int32) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

  /// Calls `body` with the bytes in a column of the current row.
  @inlinable package func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    unsafe body(currentBytes(column))
  }

  /// Returns the bytes in a column, which are valid only while the row is the current one.
  @usableFromInline func currentBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    guard let start = unsafe sqlite3_column_blob(handle, column) else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}

extension Database {
  /// Returns the error for a result code that SQLite has just returned.
  func error(_ code: Int32) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
  }
}

/// A rarely needed statement, which is prepared on first use. Preparing a few statements takes as long as checking a
/// few hundred files.
package final class LazyStatement {
  private let database: Database
  private let sql: String
  private var statement: IndexStatement?

  /// Creates the statement without preparing it.
  package init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  /// Returns the statement, preparing it on the first call.
  package func get() throws -> IndexStatement {
    if let statement { return statement }
    let prepared = try IndexStatement(database, sql)
    statement = prepared
    return prepared
  }
}
