// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex

/// Parses the filters of the protocol: pairs of a tag and a value, and expressions in parentheses.
///
/// For `find`, a pair compares the whole value; for `search`, it looks for the text anywhere in the value and ignores
/// case. In an expression, the operator determines the comparison. If the operator does not determine whether case is
/// ignored, it is ignored for `search` only.
struct FilterParser {
  /// The maximum depth of nested parentheses.
  static let maximumDepth = 40
  /// The maximum number of conditions in a filter.
  static let maximumCount = 256

  /// Whether case is ignored, as for `search`, by operators that do not determine it themselves.
  let ignoresCase: Bool
  /// Whether comparisons that ignore case also ignore diacritics.
  let ignoresDiacritics: Bool
  private var depth = 0
  private var count = 0

  init(ignoresCase: Bool, ignoresDiacritics: Bool = false) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  /// Parses the arguments of a command into a filter that matches tracks to which all conditions apply.
  mutating func parse(_ words: some Collection<String>) throws(ProtocolError) -> TrackFilter {
    guard !words.isEmpty else { throw ProtocolError(.argument, "Incorrect number of filter arguments") }
    var parts: [TrackFilter] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      try countCondition()
      if word.utf8.first == UInt8(ascii: "(") {
        var scanner = FilterScanner(word)
        parts.append(try expression(&scanner))
        guard scanner.isAtEnd else {
          throw ProtocolError(.argument, "Unparsed garbage after expression")
        }
      } else {
        guard let value = rest.popFirst() else {
          throw ProtocolError(.argument, "Incorrect number of filter arguments")
        }
        parts.append(try pair(word, value))
      }
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func countCondition() throws(ProtocolError) {
    count += 1
    guard count <= Self.maximumCount else { throw ProtocolError(.argument, "Too many conditions") }
  }

  private func pair(_ name: String, _ value: String) throws(ProtocolError) -> TrackFilter {
    switch try FilterSubject(name) {
    case .text(let subject):
      return try text(subject, Operator(ignoresCase ? .contains : .equals), value)
    case .base:
      guard let filter = TrackFilter.base(value) else { throw ProtocolError(.argument, "Bad URI") }
      return filter
    case .modifiedSince: return .modified(since: try Self.time(value, unit: 1_000_000_000))
    case .addedSince: return .added(since: try Self.time(value, unit: 1))
    case .audioFormat: return try FilterSubject.format(value, isMask: true)
    case .priority: return try Self.priority(value)
    }
  }

  private static func priority(_ text: String) throws(ProtocolError) -> TrackFilter {
    guard let least = Int(text), least >= 0 else { throw ProtocolError(.argument, "Number expected: \(text)") }
    return .priority(atLeast: least)
  }

  private mutating func expression(_ scanner: inout FilterScanner) throws(ProtocolError) -> TrackFilter {
    guard depth < Self.maximumDepth else { throw ProtocolError(.argument, "Too many parentheses") }
    depth += 1
    defer { depth -= 1 }
    guard scanner.take("(") else { throw ProtocolError(.argument, "'(' expected") }
    try countCondition()
    if scanner.next == UInt8(ascii: "(") {
      var parts = [try expression(&scanner)]
      while !scanner.take(")") {
        guard try scanner.takeWord() == "AND" else { throw ProtocolError(.argument, "'AND' expected") }
        parts.append(try expression(&scanner))
      }
      return parts.count == 1 ? parts[0] : .all(parts)
    }
    let filter: TrackFilter
    if scanner.take("!") {
      filter = .not(try expression(&scanner))
    } else {
      filter = try comparison(&scanner)
    }
    guard scanner.take(")") else { throw ProtocolError(.argument, "')' expected") }
    return filter
  }

  private func comparison(_ scanner: inout FilterScanner) throws(ProtocolError) -> TrackFilter {
    switch try FilterSubject(try scanner.takeWord()) {
    case .text(let subject): return try comparison(of: subject, &scanner)
    case .base:
      guard let filter = TrackFilter.base(try scanner.takeQuoted()) else {
        throw ProtocolError(.noExist, "No such directory")
      }
      return filter
    case .modifiedSince:
      return .modified(since: try Self.time(try scanner.takeQuoted(), unit: 1_000_000_000))
    case .addedSince: return .added(since: try Self.time(try scanner.takeQuoted(), unit: 1))
    case .audioFormat:
      let isMask = scanner.take("=~")
      guard isMask || scanner.take("==") else {
        throw ProtocolError(.argument, "'==' or '=~' expected")
      }
      return try FilterSubject.format(try scanner.takeQuoted(), isMask: isMask)
    case .priority:
      guard scanner.take(">=") else { throw ProtocolError(.argument, "'>=' expected") }
      return try Self.priority(try scanner.takeNumber())
    }
  }

  private func comparison(
    of subject: TrackFilter.Subject, _ scanner: inout FilterScanner
  ) throws(ProtocolError) -> TrackFilter {
    var isNegated = false
    var filterOperator: Operator?
    for (symbol, comparison, negates) in Self.symbols where filterOperator == nil && scanner.take(symbol) {
      (filterOperator, isNegated) = (Operator(comparison), negates)
    }
    if filterOperator == nil {
      isNegated = scanner.take("!")
      _ = scanner.takeWord { word in
        filterOperator = Self.operators[word]
        return filterOperator != nil
      }
    }
    guard let filterOperator else { throw ProtocolError(.argument, "Unknown filter operator") }
    let filter = try text(subject, filterOperator, try scanner.takeQuoted())
    return isNegated ? .not(filter) : filter
  }

  /// A comparison, and whether it ignores case; `nil` if the command determines that.
  private struct Operator {
    let comparison: TrackFilter.Comparison
    let ignoresCase: Bool?

    init(_ comparison: TrackFilter.Comparison, ignoresCase: Bool? = nil) {
      self.comparison = comparison
      self.ignoresCase = ignoresCase
    }
  }

  private static let symbols: [(symbol: StaticString, comparison: TrackFilter.Comparison, negates: Bool)] = [
    ("==", .equals, false), ("!=", .equals, true), ("=~", .matches, false), ("!~", .matches, true),
  ]

  /// The operators that are words. A `!` before the word negates the operator.
  private static let operators: [String: Operator] = {
    var operators = ["contains": Operator(.contains), "starts_with": Operator(.begins)]
    for (name, comparison) in [
      ("eq", TrackFilter.Comparison.equals), ("contains", .contains), ("starts_with", .begins),
    ] {
      operators["\(name)_cs"] = Operator(comparison, ignoresCase: false)
      operators["\(name)_ci"] = Operator(comparison, ignoresCase: true)
    }
    return operators
  }()

  private func text(
    _ subject: TrackFilter.Subject, _ filterOperator: Operator, _ value: String
  ) throws(ProtocolError) -> TrackFilter {
    let ignoresCase = filterOperator.ignoresCase ?? ignoresCase
    if subject == .file, filterOperator.comparison == .equals, !ignoresCase, let name = LibraryName(value) {
      return name.filter
    }
    if filterOperator.comparison == .matches, let problem = TextMatcher.problem(ofPattern: value) {
      throw ProtocolError(.argument, "Bad regular expression: \(problem)")
    }
    return .text(
      subject, filterOperator.comparison, value, ignoresCase: ignoresCase,
      ignoresDiacritics: ignoresCase && ignoresDiacritics)
  }

  private static func time(_ text: String, unit: Int64) throws(ProtocolError) -> Int64 {
    guard let seconds = Timestamp.seconds(text) else {
      throw ProtocolError(.argument, "Failed to parse date")
    }
    let (time, overflow) = seconds.multipliedReportingOverflow(by: unit)
    return overflow ? .max : time
  }
}

extension TrackFilter {
  /// Returns a filter for the path `text` and everything below it; `nil` if `text` is not a valid name.
  fileprivate static func base(_ text: String) -> TrackFilter? { LibraryName(text).map { .within($0.path) } }
}

/// Splits a filter expression into words, quoted strings and operators, from left to right.
struct FilterScanner {
  /// The size in bytes at which a quoted string is too long.
  static let valueLimit = 4_096

  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether the whole expression has been consumed.
  var isAtEnd: Bool { index == bytes.count }

  /// The next byte; `nil` at the end of the expression.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// If the expression continues with `text`, consumes it and the white space after it. Returns whether it did.
  mutating func take(_ text: StaticString) -> Bool {
    guard bytes[index...].starts(with: "\(text)".utf8) else { return false }
    index += text.utf8CodeUnitCount
    skipSpace()
    return true
  }

  /// Consumes the next word and the white space after it if there is white space and `isWanted` accepts the lowercased
  /// word. Returns whether it did.
  mutating func takeWord(_ isWanted: (String) -> Bool) -> Bool {
    let word = bytes[index...].prefix(while: Self.isWordByte)
    let text = String(decoding: word, as: UTF8.self).lowercased()
    guard !word.isEmpty, word.endIndex < bytes.count, Self.isSpace(bytes[word.endIndex]), isWanted(text) else {
      return false
    }
    index = word.endIndex
    skipSpace()
    return true
  }

  /// Consumes a word of letters and the white space after it, and returns the word.
  mutating func takeWord() throws(ProtocolError) -> String {
    let word = bytes[index...].prefix(while: Self.isWordByte)
    guard !word.isEmpty else { throw ProtocolError(.argument, "Word expected") }
    index = word.endIndex
    skipSpace()
    return String(decoding: word, as: UTF8.self)
  }

  /// Consumes digits and the white space after them, and returns the digits.
  mutating func takeNumber() throws(ProtocolError) -> String {
    let digits = bytes[index...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { throw ProtocolError(.argument, "Number expected") }
    index = digits.endIndex
    skipSpace()
    return String(decoding: digits, as: UTF8.self)
  }

  /// Consumes a string in single or double quotes and the white space after it, and returns its content. A backslash
  /// escapes the next character.
  mutating func takeQuoted() throws(ProtocolError) -> String {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw ProtocolError(.argument, "Quoted string expected")
    }
    index += 1
    var value: [UInt8] = []
    while let byte = next {
      index += 1
      if byte == quote {
        skipSpace()
        return String(decoding: value, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), let escaped = next {
        value.append(escaped)
        index += 1
      } else {
        value.append(byte)
      }
      guard value.count < Self.valueLimit else { throw ProtocolError(.argument, "Quoted value is too long") }
    }
    throw ProtocolError(.argument, "Closing quote not found")
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  private mutating func skipSpace() {
    while let next, Self.isSpace(next) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}
