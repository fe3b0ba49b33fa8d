// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import GRDBSQLite

/// An SQL function with an integer result that depends only on its arguments. It reads SQLite's values in place; see
/// ``IndexStatement``.
final class SQLFunction {
  private let body: @Sendable (Arguments) -> Int64

  private init(_ body: @escaping @Sendable (Arguments) -> Int64) { self.body = body }

  /// Registers the function `name` on a connection.
  ///
  /// - Parameter count: The number of arguments, or -1 for any number.
  static func add(
    _ name: String, count: Int32 = -1, to database: Database, _ body: @escaping @Sendable (Arguments) -> Int64
  ) throws {
    let function = unsafe Unmanaged.passRetained(SQLFunction(body)).toOpaque()
    let code = unsafe sqlite3_create_function_v2(
      database.sqliteConnection, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, function,
      { context, count, values in
        guard let data = unsafe sqlite3_user_data(context) else { return }
        let function = unsafe Unmanaged<SQLFunction>.fromOpaque(data).takeUnretainedValue()
        unsafe sqlite3_result_int64(context, function.body(Arguments(values: values, count: Int(count))))
      }, nil, nil, { unsafe $0.map { unsafe Unmanaged<SQLFunction>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw database.error(code) }
  }

  /// The arguments, which are valid only during the call.
  @safe struct Arguments {
    fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?
    let count: Int

    /// The argument at `index`, which must be less than ``count``.
    subscript(index: Int) -> Argument { unsafe Argument(value: values?[index]) }
  }

  /// An argument, which is valid only during the call.
  @safe struct Argument {
    /// A value as SQLite stores it.
    @safe enum Value {
      case null
      case integer(Int64)
      case number(Double)
      case text(UnsafeRawBufferPointer)
      case bytes(UnsafeRawBufferPointer)
    }

    fileprivate let value: OpaquePointer?

    var stored: Value {
      switch unsafe sqlite3_value_type(value) {
      case SQLITE_INTEGER: .integer(unsafe sqlite3_value_int64(value))
      case SQLITE_FLOAT: .number(unsafe sqlite3_value_double(value))
      // For `sqlite3_value_text`, SQLite would copy the text, to append a zero.
      case SQLITE_TEXT: unsafe .text(bytes)
      case SQLITE_BLOB: unsafe .bytes(bytes)
      default: .null
      }
    }

    private var bytes: UnsafeRawBufferPointer {
      let start = unsafe sqlite3_value_blob(value)
      return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The argument as text, or `nil` for NULL. A number is converted to text.
    var text: UnsafeRawBufferPointer? {
      guard let start = unsafe sqlite3_value_text(value) else { return nil }
      return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The matcher that was bound to the parameter; `nil` if it is another value.
    var matcher: TextMatcher? {
      let pointer = unsafe SQLFunction.withPointerType { unsafe sqlite3_value_pointer(value, $0) }
      return unsafe pointer.map { unsafe Unmanaged<TextMatcher>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// Calls `body` with the name of the type of the pointers by which SQLite passes matchers.
  static func withPointerType<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
    let name: StaticString = "segue_test"
    return unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe body($0) }
  }
}

extension Database {
  /// Returns the error for a result code that SQLite has just returned.
  func error(_ code: Int32) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
  }
}
