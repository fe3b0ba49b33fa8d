import GRDB
import GRDBSQLite
import MusicModel
import Platform
import Tagging
import UnicodeText

/// A comparison of texts that a filter makes, prepared for many of them. For one thread.
///
/// Where a pattern takes too long, it gives up: see ``hasGivenUp``.
public final class TextTest {
  /// For how long the processor may work at a pattern for one question.
  private static let patternTime: Duration = .seconds(2)
  /// The time is looked at once in so many texts, or in fewer where one took too many steps.
  private static let checkDistance = 64

  private enum Folding { case none, ofCase, ofCaseAndDiacritics }

  private let comparison: TrackFilter.Comparison
  private let folding: Folding
  private let wanted: [UInt8]
  private var folder = CaseFolder()
  private let expression: RegularExpression?
  private var textCount = 0
  private var deadline: Duration?
  /// Whether texts were not compared, since that would have taken too long.
  public private(set) var hasGivenUp = false

  /// The test whether a value compares so with `text`.
  public init(
    _ comparison: TrackFilter.Comparison, _ text: String, ignoresCase: Bool, ignoresDiacritics: Bool = false
  ) {
    self.comparison = comparison
    if comparison == .matches {
      folding = .none
      wanted = []
      // What is no expression matches nothing; whoever makes a filter sees to that before.
      expression = try? RegularExpression(text, ignoresCase: ignoresCase)
      return
    }
    expression = nil
    folding = !ignoresCase ? .none : ignoresDiacritics ? .ofCaseAndDiacritics : .ofCase
    let folded =
      switch folding {
      case .none: text
      case .ofCase: text.caseFolded
      case .ofCaseAndDiacritics: text.foldedForMatching
      }
    wanted = Array(folded.utf8)
  }

  /// What is wrong with `pattern` as a regular expression, in one line; `nil` where nothing is.
  public static func problem(ofPattern pattern: String) -> String? {
    do throws(RegularExpression.SyntaxError) {
      _ = try RegularExpression(pattern)
      return nil
    } catch {
      return error.description
    }
  }

  /// Whether it is true of `value`.
  public func isTrue(of value: String) -> Bool {
    unsafe Array(value.utf8).withUnsafeBytes { unsafe isTrue(ofValues: $0) }
  }

  /// Whether it is true of one of the values in `bytes`, between which a U+001F stands.
  func isTrue(ofValues bytes: UnsafeRawBufferPointer) -> Bool {
    switch folding {
    case .none: return unsafe hasValue(bytes)
    case .ofCase: return unsafe folder.withFolded(bytes) { unsafe hasValue($0) }
    case .ofCaseAndDiacritics:
      return unsafe bytes.split(separator: Self.separator).contains { value in
        let folded = unsafe String(decoding: value, as: UTF8.self).foldedForMatching
        return unsafe Array(folded.utf8).withUnsafeBytes { unsafe hasValue($0) }
      }
    }
  }

  private static let separator: UInt8 = 0x1F

  /// Whether one of these folded values compares so.
  private func hasValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if comparison == .contains { return unsafe bytes.hasPart(wanted) }
    var start = 0
    while true {
      var end = start
      while end < bytes.count, unsafe bytes[end] != Self.separator { end += 1 }
      let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if unsafe isTrue(ofFolded: value) { return true }
      if end == bytes.count { return false }
      start = end + 1
    }
  }

  private func isTrue(ofFolded value: UnsafeRawBufferPointer) -> Bool {
    switch comparison {
    case .equals: unsafe value.count == wanted.count && value.elementsEqual(wanted)
    case .begins: unsafe value.count >= wanted.count && value.starts(with: wanted)
    case .contains: unsafe value.hasPart(wanted)
    case .matches: unsafe matches(value)
    }
  }

  private func matches(_ value: UnsafeRawBufferPointer) -> Bool {
    guard !hasGivenUp else { return false }
    guard let outcome = unsafe expression?.match(value) else { return false }
    textCount += 1
    if outcome == .tooCostly || textCount.isMultiple(of: Self.checkDistance) {
      let now = ProcessorTime.ofThisThread
      let end = deadline ?? now + Self.patternTime
      deadline = end
      // What takes too many steps for one text is no answer, either.
      if now > end || outcome == .tooCostly { hasGivenUp = true }
    }
    return outcome == .matches
  }
}

extension UnsafeRawBufferPointer {
  /// Whether `part` stands somewhere in these bytes.
  fileprivate func hasPart(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    guard count >= part.count else { return false }
    let last = count - part.count
    var index = 0
    while index <= last {
      if unsafe self[index] == first {
        var matched = 1
        while matched < part.count, unsafe self[index &+ matched] == part[matched] { matched &+= 1 }
        if matched == part.count { return true }
      }
      index &+= 1
    }
    return false
  }
}

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
  static func add(to database: Database) throws {
    try unsafe add("segue_compares", count: -1, to: database) { context, count, values in
      var isTrue = false
      if let values = unsafe values, count > 0, let test = unsafe TextFunctions.test(values[0]) {
        for index in 1..<max(1, Int(count)) where !isTrue {
          guard let text = unsafe TextFunctions.text(values[index]) else { continue }
          isTrue = unsafe test.isTrue(ofValues: text)
        }
      }
      unsafe sqlite3_result_int(context, isTrue ? 1 : 0)
    }
    try unsafe add("segue_tag_compares", count: 3, to: database) { context, _, values in
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
    _ name: String, count: Int32, to database: Database, _ function: Function
  ) throws {
    let code = unsafe sqlite3_create_function_v2(
      database.sqliteConnection, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw database.error(code) }
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
