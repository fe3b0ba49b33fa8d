import FoundationEssentials
import GRDB
import GRDBSQLite

/// A statement for the loops over many rows: it binds and reads bytes and numbers with no value in between.
///
/// Parameters are bound in their order. For the thread and the time in which `Database` may be used.
@safe final class IndexStatement {
  private let connection: IndexHandle
  private let handle: OpaquePointer
  /// Who compiled it, and has it for the next one; `nil` where it ends with this.
  private let keeper: Statement?
  private var parameter: Int32 = 0
  private var values = BoundBytes()

  /// Compiles one statement.
  init(_ connection: IndexHandle, _ sql: String) throws {
    self.connection = connection
    keeper = nil
    unsafe handle = try unsafe connection.prepared(sql)
  }

  /// Compiles one statement.
  convenience init(_ database: Database, _ sql: String) throws { try self.init(database.handle, sql) }

  /// A statement that `database` keeps compiled, for what is asked again and again; for one who asks at a time.
  init(keptBy database: Database, _ sql: String) throws {
    connection = database.handle
    let statement = try database.cachedStatement(sql: sql)
    keeper = statement
    unsafe handle = unsafe statement.sqliteStatement
    reset()
  }

  deinit {
    if keeper == nil {
      unsafe sqlite3_finalize(handle)
    } else {
      unsafe sqlite3_reset(handle)
    }
  }

  /// Binds the next parameter.
  func bind(_ value: Int64?) {
    parameter += 1
    if let value {
      unsafe sqlite3_bind_int64(handle, parameter, value)
    } else {
      unsafe sqlite3_bind_null(handle, parameter)
    }
  }

  /// Binds the next parameter.
  func bind(_ value: Int?) { bind(value.map(Int64.init)) }

  /// Binds the next parameter.
  func bind(_ value: Bool) { bind(value ? 1 as Int64 : 0) }

  /// Binds the next parameter.
  func bind(_ value: Double?) {
    parameter += 1
    if let value {
      unsafe sqlite3_bind_double(handle, parameter, value)
    } else {
      unsafe sqlite3_bind_null(handle, parameter)
    }
  }

  /// Binds the next parameter.
  func bind(_ text: String?) {
    parameter += 1
    guard var text else {
      unsafe sqlite3_bind_null(handle, parameter)
      return
    }
    text.withUTF8 { bytes in
      let source = UnsafeRawBufferPointer(bytes)
      let kept = unsafe keeper == nil ? values.keep(source) : nil
      // Without bytes there may be no address, which would bind NULL.
      let start = unsafe (kept ?? source.baseAddress)?.assumingMemoryBound(to: CChar.self)
      _ =
        unsafe start == nil
        ? sqlite3_bind_text(handle, parameter, "", 0, nil)
        : sqlite3_bind_text(
          handle, parameter, start, Int32(clamping: bytes.count), kept == nil ? Self.copies : nil)
    }
  }

  /// Binds the next parameter.
  func bind(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe bind($0) }
  }

  /// Binds the next parameter.
  func bind(_ bytes: UnsafeRawBufferPointer) {
    parameter += 1
    if bytes.count > 0, let start = bytes.baseAddress {
      let kept = unsafe keeper == nil ? values.keep(bytes) : nil
      unsafe sqlite3_bind_blob(
        handle, parameter, kept ?? start, Int32(clamping: bytes.count), kept == nil ? Self.copies : nil)
    } else {
      unsafe sqlite3_bind_zeroblob(handle, parameter, 0)
    }
  }

  /// Binds the next parameter.
  func bind(_ value: DatabaseValue) {
    switch value.storage {
    case .null: bind(nil as Int64?)
    case .int64(let number): bind(number)
    case .double(let number): bind(number)
    case .string(let text): bind(text)
    case .blob(let data): unsafe data.withUnsafeBytes { unsafe bind($0) }
    }
  }

  /// Binds one parameter, by its number from 1 on; all others stay what they are.
  func rebind(_ value: Int64, to parameter: Int) {
    unsafe sqlite3_bind_int64(handle, Int32(clamping: parameter), value)
  }

  /// Goes to the next row; `false` behind the last, which makes the statement ready for the next parameters.
  func step() throws -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let error = code == SQLITE_DONE ? nil : connection.error(code)
    reset()
    if let error { throw error }
    return false
  }

  /// Runs a statement without rows.
  func run() throws {
    while try step() {}
  }

  /// Adds a row; gives its number.
  ///
  /// Not by RETURNING: for a statement that may be undone by itself, FTS5 writes down the words that it has gathered, few as they are.
  func insert() throws -> Int64 {
    try run()
    return connection.lastInsertedID
  }

  /// Makes it ready for the next parameters before its rows have ended.
  func reset() {
    unsafe sqlite3_reset(handle)
    parameter = 0
    values.beginAnew()
  }

  /// Whether the column of the present row is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The number in a column of the present row.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// The number in a column of the present row; `nil` for NULL.
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The number in a column of the present row; `nil` where it is none, or not finite.
  func optionalNumber(_ column: Int32) -> Double? {
    if isNull(column) { return nil }
    let number = unsafe sqlite3_column_double(handle, column)
    return number.isFinite ? number : nil
  }

  /// The text in a column of the present row.
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// The text in a column of the present row; `nil` for NULL.
  func optionalText(_ column: Int32) -> String? {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes in a column of the present row.
  func bytes(_ column: Int32) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

  /// Gives `body` the bytes in a column of the present row.
  func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  private static var copies: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
