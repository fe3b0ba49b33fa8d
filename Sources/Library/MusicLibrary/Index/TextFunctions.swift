import GRDBSQLite
import MusicModel

/// The functions by which SQL compares texts as a ``TextTest`` does, which is bound to a parameter: they look at what
/// SQLite has read where it stands.
enum TextFunctions {
  /// The type under which SQLite passes tests on.
  private static let type: StaticString = "segue_test"

  /// Makes the functions known to a connection:
  ///
  /// - `segue_compares(TEST, TEXT, ...)`: whether the test is true of a value of one of these texts, in which values
  ///   have a U+001F between them;
  /// - `segue_tag_compares(TEST, TAGS, KIND)`: whether it is true of a value of this kind, or of any with NULL, in the
  ///   column `tags`.
  static func add(to handle: IndexHandle) throws {
    try unsafe add("segue_compares", count: -1, to: handle) { context, count, values in
      var isTrue = false
      if let values = unsafe values, count > 0, let test = unsafe TextFunctions.test(values[0]) {
        for index in 1..<max(1, Int(count)) where !isTrue {
          guard let text = unsafe TextFunctions.text(values[index]) else { continue }
          isTrue = unsafe test.isTrue(ofValues: text)
        }
      }
      unsafe sqlite3_result_int(context, isTrue ? 1 : 0)
    }
    try unsafe add("segue_tag_compares", count: 3, to: handle) { context, _, values in
      var isTrue = false
      if let values = unsafe values, let test = unsafe TextFunctions.test(values[0]),
        let tags = unsafe TextFunctions.text(values[1])
      {
        let isAny = unsafe sqlite3_value_type(values[2]) == SQLITE_NULL
        let number = unsafe sqlite3_value_int(values[2])
        unsafe TagJSONReader.read(tags) { kind, value in
          if !isTrue, isAny || Int32(kind.rawValue) == number { isTrue = unsafe test.isTrue(ofValues: value) }
        }
      }
      unsafe sqlite3_result_int(context, isTrue ? 1 : 0)
    }
  }

  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static func add(
    _ name: String, count: Int32, to handle: IndexHandle, _ function: Function
  ) throws {
    let code = unsafe sqlite3_create_function_v2(
      handle.handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw handle.error(code) }
  }

  private static func test(_ value: OpaquePointer?) -> TextTest? {
    let pointer = unsafe type.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) {
      unsafe sqlite3_value_pointer(value, $0)
    }
    return unsafe pointer.map { unsafe Unmanaged<TextTest>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The bytes of a text, or of a number as a text; `nil` for NULL.
  private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
    guard let start = unsafe sqlite3_value_text(value) else { return nil }
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// Binds `test`, which has to be there as long as it is bound, to a parameter of a statement.
  static func bind(_ test: TextTest, to parameter: Int32, of statement: OpaquePointer) {
    let pointer = unsafe Unmanaged.passUnretained(test).toOpaque()
    _ = unsafe type.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) {
      unsafe sqlite3_bind_pointer(statement, parameter, pointer, $0, nil)
    }
  }
}
