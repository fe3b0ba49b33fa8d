import FoundationEssentials
package import GRDB
import GRDBSQLite

/// A statement for the loops over many rows: it binds and reads bytes and numbers with no value in between.
///
/// Parameters are bound in their order. For the thread and the time in which `Database` may be used.
@safe package final class IndexStatement {
  private let database: Database
  private let statement: Statement
  private let handle: OpaquePointer
  private var binding: ParameterBinding

  /// Compiles one statement.
  package convenience init(_ database: Database, _ sql: String) throws {
    self.init(database, try database.makeStatement(sql: sql), keepsValues: true)
  }

  /// A statement that `database` keeps compiled, for what is asked again and again; for one who asks at a time.
  convenience init(keptBy database: Database, _ sql: String) throws {
    self.init(database, try database.cachedStatement(sql: sql), keepsValues: false)
    reset()
  }

  private init(_ database: Database, _ statement: Statement, keepsValues: Bool) {
    self.database = database
    self.statement = statement
    unsafe handle = unsafe statement.sqliteStatement
    binding = unsafe ParameterBinding(handle, keepsValues: keepsValues)
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

  /// Has `body` bind the next parameters, which takes less time than one by one.
  package func bind(_ body: (inout ParameterBinding) -> Void) { body(&binding) }

  /// Binds one parameter, by its number from 1 on; all others stay what they are.
  func rebind(_ value: Int64, to parameter: Int) {
    unsafe sqlite3_bind_int64(handle, Int32(clamping: parameter), value)
  }

  /// Binds a test of texts to one parameter, by its number from 1 on, for as long as the test is held.
  func rebind(_ test: TextTest, to parameter: Int32) {
    unsafe TextFunctions.bind(test, to: parameter, of: handle)
  }

  /// Goes to the next row; `false` behind the last, which makes the statement ready for the next parameters.
  package func step() throws -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let error = code == SQLITE_DONE ? nil : database.error(code)
    reset()
    if let error { throw error }
    return false
  }

  /// Runs a statement without rows.
  package func run() throws {
    while try step() {}
  }

  /// Adds a row; gives its number.
  ///
  /// Not by RETURNING: for a statement that may be undone by itself, FTS5 writes down the words that it has gathered,
  /// few as they are.
  package func insert() throws -> Int64 {
    try run()
    return database.lastInsertedRowID
  }

  /// Makes it ready for the next parameters before its rows have ended.
  package func reset() {
    unsafe sqlite3_reset(handle)
    binding.beginAnew()
  }

  /// Whether the column of the present row is NULL.
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The number in a column of the present row.
  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// The number in a column of the present row; `nil` for NULL.
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The number in a column of the present row; `nil` where it is none, or not finite.
  package func optionalNumber(_ column: Int32) -> Double? {
    if isNull(column) { return nil }
    let number = unsafe sqlite3_column_double(handle, column)
    return number.isFinite ? number : nil
  }

  /// The text in a column of the present row.
  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// The text in a column of the present row; `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes in a column of the present row.
  package func bytes(_ column: Int32) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

  /// Gives `body` the bytes in a column of the present row.
  @inlinable package func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    unsafe body(present(column))
  }

  /// The bytes in a column, which are there as long as the row is the present one.
  @usableFromInline func present(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }
}

extension Database {
  /// The error that SQLite has just given `code` for.
  func error(_ code: Int32) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
  }
}

/// A statement that is compiled when it is first needed, which is seldom: to compile a few takes as long as to look at
/// some hundred files.
package final class LateStatement {
  private let database: Database
  private let sql: String
  private var statement: IndexStatement?

  /// The statement `sql`, not yet compiled.
  package init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  /// The statement.
  package func get() throws -> IndexStatement {
    if let statement { return statement }
    let compiled = try IndexStatement(database, sql)
    statement = compiled
    return compiled
  }
}
