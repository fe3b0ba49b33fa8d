// SPDX-License-Identifier: GPL-3.0-or-later

import TOMLKit

/// Parses files in TOML. No other type uses the parser library.
///
/// The library never frees its memory, which amounts to a few hundred bytes per key.
package enum TOMLDocument {
  /// The maximum number of dots and opening brackets in a file. The parser recurses for each of them, and the stack is
  /// limited.
  package static let markLimit = 2_000

  /// Returns the content of a file with this text.
  package static func parse(_ text: String) throws(TOMLError) -> [String: TOMLValue] {
    try checkDepth(of: text)
    if let violation = TOMLPrecondition.violation(in: text) { throw violation }
    do {
      return entries(of: try TOMLTable(string: text), depth: 0)
    } catch let error as TOMLParseError {
      throw TOMLError(line: max(1, error.source.begin.line), message: error.description)
    } catch {
      throw TOMLError(line: 1, message: "\(error)")
    }
  }

  private static func checkDepth(of text: String) throws(TOMLError) {
    var (line, marks) = (1, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "{"): marks += 1
      default: break
      }
      if marks > markLimit {
        throw TOMLError(line: line, message: "more than \(markLimit) dots and brackets")
      }
    }
  }

  /// Returns the entries of a table. Nested tables are read only one level deep; the tables in them are left empty.
  private static func entries(of table: TOMLTable, depth: Int) -> [String: TOMLValue] {
    var entries: [String: TOMLValue] = [:]
    // The parser truncates a key at a NUL and so finds no value for it. Such a key is reported as an unknown name.
    for key in table.keys { entries[key] = table[key].map { tree($0, depth: depth) } ?? .table([:]) }
    return entries
  }

  private static func tree(_ value: any TOMLValueConvertible, depth: Int) -> TOMLValue {
    switch value.type {
    case .string: .text(value.string ?? "")
    case .int: .integer(value.int ?? 0)
    case .double: .number(value.double ?? 0)
    case .bool: .flag(value.bool ?? false)
    case .array: .list(value.array.map { $0.map(\.string) } ?? [])
    case .table: .table(depth < 1 ? value.table.map { entries(of: $0, depth: depth + 1) } ?? [:] : [:])
    case .date, .time, .dateTime: .time
    }
  }
}

/// The error for text that is not valid TOML.
package struct TOMLError: Error, Equatable {
  /// The number of the line, counted from 1.
  package let line: Int
  /// The description of what is wrong.
  package let message: String
}

/// The content of a file as parsed, before its names and values are checked.
package enum TOMLValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  /// A list. Elements that are not text are `nil`.
  case list([String?])
  case table([String: TOMLValue])
  /// A date or a time.
  case time

  /// A description of the content, for the end of a sentence. Text is quoted, numbers and Booleans are shown as they
  /// are, and other content is named by its type.
  package var description: String {
    switch self {
    case .text(let text): "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\""
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .flag(let isOn): "\(isOn)"
    case .list: "a list"
    case .table: "a table"
    case .time: "a date or a time"
    }
  }
}

/// Checks the preconditions of the TOML parser. If they are violated, the parser ends the process instead of reporting
/// an error.
///
/// A table header must have a name, a time after a date must have digits, and every closing bracket must match the last
/// open one. The check only tracks strings, comments and open brackets. If those are malformed, the parser finds that
/// first and reports it.
package struct TOMLPrecondition {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  /// Returns the first violation in `text`; `nil` if it is safe to call the parser.
  package static func violation(in text: String) -> TOMLError? {
    var scanner = TOMLPrecondition(bytes: Array(text.utf8))
    return scanner.violation()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private mutating func violation() -> TOMLError? {
    var openBrackets: [UInt8] = []
    var isAtStart = true
    var isInHeader = false
    while let byte = next {
      if isDateWithOneDigit { return .init(line: line, message: "invalid time") }
      switch byte {
      case UInt8(ascii: "\n"):
        advance()
        isAtStart = openBrackets.isEmpty
        isInHeader = false
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        guard !isTimeWithoutDigits else { return .init(line: line, message: "invalid time") }
        advance()
        continue
      case UInt8(ascii: "T"), UInt8(ascii: "t"):
        guard !isTimeWithoutDigits else { return .init(line: line, message: "invalid time") }
        advance()
      case UInt8(ascii: "#"): while let next, next != UInt8(ascii: "\n") { advance() }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
      case UInt8(ascii: "[") where isAtStart:
        guard skipHeaderStart() else { return .init(line: line, message: "table header without a name") }
        isInHeader = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        advance()
        if !isInHeader { openBrackets.append(byte) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // The codes of matching opening and closing brackets differ by two.
        guard isInHeader || openBrackets.popLast() == byte - 2 else {
          return .init(line: line, message: "unmatched closing bracket")
        }
        advance()
      default: advance()
      }
      isAtStart = false
    }
    return nil
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether a date ends here, followed by a separator that requires a time, but no digit comes after the separator.
  private var isTimeWithoutDigits: Bool {
    let day = bytes[..<index].suffix(10)
    let dashes = [4, 7].map { day.startIndex + $0 }
    guard day.count == 10, day.indices.allSatisfy({ dashes.contains($0) ? day[$0] == 0x2D : isDigit(day[$0]) }) else {
      return false
    }
    guard index + 1 < bytes.count, !isDigit(bytes[index + 1]) else { return false }
    return next.map { $0 | 0x20 } == UInt8(ascii: "t") || !" \t\r\n#,]}".utf8.contains(bytes[index + 1])
  }

  /// Whether the token that starts here looks like a date to the parser and is followed by a space and a single digit.
  /// The parser would expect a time to start with that digit.
  private var isDateWithOneDigit: Bool {
    guard let first = next, isDigit(first), index == 0 || " \t\r\n=,[{".utf8.contains(bytes[index - 1]) else {
      return false
    }
    // The first byte of each character. The parser ignores underscores.
    var characters: [UInt8] = []
    var end = index
    while end < bytes.count, characters.count <= 10, !Self.terminators.contains(bytes[end]) {
      if bytes[end] != UInt8(ascii: "_"), bytes[end] & 0xC0 != 0x80 { characters.append(bytes[end]) }
      end += 1
    }
    guard characters.count == 10, characters[4] == 0x2D, characters[7] == 0x2D, end + 2 < bytes.count else {
      return false
    }
    return bytes[end] == UInt8(ascii: " ") && isDigit(bytes[end + 1])
      && (Self.terminators.contains(bytes[end + 2]) || bytes[end + 2] >= 0x80)
  }

  /// The bytes that end a value.
  private static let terminators = Set(" \t\r\n,]}#".utf8)

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private mutating func skipSpace() {
    while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { advance() }
  }

  /// Skips the start of a table header. Returns whether the parser can handle what follows.
  private mutating func skipHeaderStart() -> Bool {
    advance()
    skipSpace()
    if next == UInt8(ascii: "[") {
      advance()
      skipSpace()
    }
    guard let next else { return true }
    return "\"'-_]".utf8.contains(next) || isDigit(next)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
  }

  /// Skips a string in quotation marks. A string in triple quotation marks can span several lines; any other string
  /// ends with the line.
  private mutating func skipString(_ mark: UInt8) {
    let isLong = bytes[index...].starts(with: [mark, mark, mark])
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    while let byte = next {
      if byte == UInt8(ascii: "\n"), !isLong { return }
      if byte == mark, !isLong || bytes[index...].starts(with: [mark, mark, mark]) {
        // Up to two quotation marks directly before the closing ones belong to the string.
        let count = isLong ? bytes[index...].prefix(5).prefix { $0 == mark }.count : 1
        for _ in 0..<count { advance() }
        return
      }
      advance()
      if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\""), next != nil { advance() }
    }
  }
}
