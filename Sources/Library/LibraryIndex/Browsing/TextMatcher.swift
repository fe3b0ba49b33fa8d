// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import GRDBSQLite
import MusicModel
import Platform
import Tagging
import UnicodeText

/// A text comparison of a filter, prepared for comparing many strings. Use it on one thread only.
///
/// If matching a regular expression takes too long, the matcher gives up; see ``isIncomplete``.
public final class TextMatcher {
  /// The maximum CPU time for matching a regular expression in one query.
  private static let patternTime: Duration = .seconds(2)
  /// The number of strings between two checks of the CPU time. The time is also checked when a single string takes too
  /// many steps.
  private static let checkDistance = 64

  private enum Folding { case none, ofCase, ofCaseAndDiacritics }

  private let comparison: TrackFilter.Comparison
  private let folding: Folding
  private let wanted: [UInt8]
  private var folder = CaseFolder()
  private let expression: RegularExpression?
  private var textCount = 0
  private var deadline: Duration?
  /// Whether some strings were not compared, because matching them would have taken too long.
  public private(set) var isIncomplete = false

  /// Creates a matcher that compares values with `text`.
  public init(
    _ comparison: TrackFilter.Comparison, _ text: String, ignoresCase: Bool, ignoresDiacritics: Bool = false
  ) {
    self.comparison = comparison
    if comparison == .matches {
      folding = .none
      wanted = []
      // An invalid expression matches nothing; callers validate patterns before they create a filter.
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

  /// Returns a one-line description of the syntax error in a regular expression, or `nil` if it is valid.
  public static func problem(ofPattern pattern: String) -> String? {
    do throws(RegularExpression.SyntaxError) {
      _ = try RegularExpression(pattern)
      return nil
    } catch {
      return error.description
    }
  }

  /// Whether `value` matches.
  public func matches(_ value: String) -> Bool {
    unsafe Array(value.utf8).withUnsafeBytes { unsafe matchesAny(of: $0) }
  }

  /// Whether any of the values in `bytes`, which are separated by U+001F, matches.
  func matchesAny(of bytes: UnsafeRawBufferPointer) -> Bool {
    switch folding {
    case .none: return unsafe matchesAny(folded: bytes)
    case .ofCase: return unsafe folder.withFolded(bytes) { unsafe matchesAny(folded: $0) }
    case .ofCaseAndDiacritics:
      return unsafe bytes.split(separator: Self.separator).contains { value in
        let folded = unsafe String(decoding: value, as: UTF8.self).foldedForMatching
        return unsafe Array(folded.utf8).withUnsafeBytes { unsafe matchesAny(folded: $0) }
      }
    }
  }

  private static let separator: UInt8 = 0x1F

  /// Whether any of these folded values, which are separated by U+001F, matches.
  private func matchesAny(folded bytes: UnsafeRawBufferPointer) -> Bool {
    if comparison == .contains { return unsafe bytes.contains(sequence: wanted) }
    var start = 0
    while true {
      var end = start
      while end < bytes.count, unsafe bytes[end] != Self.separator { end += 1 }
      let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if unsafe matches(folded: value) { return true }
      if end == bytes.count { return false }
      start = end + 1
    }
  }

  private func matches(folded value: UnsafeRawBufferPointer) -> Bool {
    switch comparison {
    case .equals: unsafe value.count == wanted.count && value.elementsEqual(wanted)
    case .begins: unsafe value.count >= wanted.count && value.starts(with: wanted)
    case .contains: unsafe value.contains(sequence: wanted)
    case .matches: unsafe matchesExpression(value)
    }
  }

  private func matchesExpression(_ value: UnsafeRawBufferPointer) -> Bool {
    guard !isIncomplete else { return false }
    guard let outcome = unsafe expression?.match(value) else { return false }
    textCount += 1
    if outcome == .tooCostly || textCount.isMultiple(of: Self.checkDistance) {
      let now = ProcessorTime.ofThisThread
      let end = deadline ?? now + Self.patternTime
      deadline = end
      // A text that takes too many steps is left undecided, so the result is incomplete, too.
      if now > end || outcome == .tooCostly { isIncomplete = true }
    }
    return outcome == .matches
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes contain `sequence`.
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    guard let first = sequence.first else { return true }
    guard count >= sequence.count else { return false }
    let last = count - sequence.count
    var index = 0
    while index <= last {
      if unsafe self[index] == first {
        var matched = 1
        while matched < sequence.count, unsafe self[index &+ matched] == sequence[matched] { matched &+= 1 }
        if matched == sequence.count { return true }
      }
      index &+= 1
    }
    return false
  }
}

/// SQL functions that compare text by using a ``TextMatcher`` that is bound to a parameter. They read SQLite's values
/// in place, without copying.
enum TextFunctions {
  /// The type name of the pointers with which matchers are passed to SQLite.
  private static let type: StaticString = "segue_test"

  /// Registers these functions on a connection:
  ///
  /// - `segue_compares(MATCHER, TEXT, ...)`: whether any value in the TEXT arguments matches. The values in an argument
  ///   are separated by U+001F.
  /// - `segue_tag_compares(MATCHER, TAGS, KIND)`: whether any tag of this kind in the column `tags` matches, or any tag
  ///   at all if KIND is NULL.
  static func add(to database: Database) throws {
    try unsafe add("segue_compares", count: -1, to: database) { context, count, values in
      var isMatch = false
      if let values = unsafe values, count > 0, let matcher = unsafe TextFunctions.matcher(values[0]) {
        for index in 1..<max(1, Int(count)) where !isMatch {
          guard let text = unsafe TextFunctions.text(values[index]) else { continue }
          isMatch = unsafe matcher.matchesAny(of: text)
        }
      }
      unsafe sqlite3_result_int(context, isMatch ? 1 : 0)
    }
    try unsafe add("segue_tag_compares", count: 3, to: database) { context, _, values in
      var isMatch = false
      if let values = unsafe values, let matcher = unsafe TextFunctions.matcher(values[0]),
        let tags = unsafe TextFunctions.text(values[1])
      {
        let isAnyKind = unsafe sqlite3_value_type(values[2]) == SQLITE_NULL
        let number = unsafe sqlite3_value_int(values[2])
        unsafe TagJSONReader.read(tags) { kind, value in
          if !isMatch, isAnyKind || Int32(kind.rawValue) == number { isMatch = unsafe matcher.matchesAny(of: value) }
        }
      }
      unsafe sqlite3_result_int(context, isMatch ? 1 : 0)
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

  private static func matcher(_ value: OpaquePointer?) -> TextMatcher? {
    let pointer = unsafe type.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) {
      unsafe sqlite3_value_pointer(value, $0)
    }
    return unsafe pointer.map { unsafe Unmanaged<TextMatcher>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the bytes of a value as text, or `nil` for NULL. A number is converted to text.
  private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
    guard let start = unsafe sqlite3_value_text(value) else { return nil }
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// Binds `matcher` to a parameter of a statement. The caller must keep the matcher alive while it is bound.
  static func bind(_ matcher: TextMatcher, to parameter: Int32, of statement: OpaquePointer) {
    let pointer = unsafe Unmanaged.passUnretained(matcher).toOpaque()
    _ = unsafe type.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) {
      unsafe sqlite3_bind_pointer(statement, parameter, pointer, $0, nil)
    }
  }
}
