// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses the text of a ``LibraryQuery``. A parser does no I/O and may be used from any thread.
///
/// - `blue train`: both words, each as the beginning of a word, in any field. `"blue train"`: these whole words, one
///   after the other. `"blue tra"*`: the last word may be unfinished. `="Blue Train"`: the whole text. `*` alone
///   matches everything.
/// - `artist:coltrane`, `artist:"john coltrane"`, `artist:="John Coltrane"`: the same in one field. The field names are
///   those of ``LibraryQuery/TextField``, in upper or lower case.
/// - `year:1957`, `year:1957..1965`, `year:..1965`, `year:1950s`, `track:1..3`, `duration:3:00..5:30`,
///   `duration:240..`: numbers, with the field names of ``LibraryQuery/NumberField``. `year:..` matches every track
///   that has a year.
/// - `rating:4..`, `rating:3.5`, `albumrating:4..`, `liked:yes`, `plays:0`, `skips:3..`: what is known of a track, and
///   of its album, besides its tags. What is not rated has 0 stars.
/// - `added:2026-05-01`, `added:2026-01..2026-03`, `added:7d..`: days; a month or a year stands for all of its days.
///   `7d` is seven days ago (also `2w`, `3m`, `1y`); alone, it means the time since then. Likewise `played:..1y` and
///   `skipped:7d`, which match only what was ever played or skipped, the last time in these days, and `listened:2024`,
///   which matches what was played at any time in them.
/// - `playlist:Evening`, `playlist:"Late at night"`: the tracks of a playlist, by its name.
/// - `-live` excludes the whole word "live", but not "Liverpool"; `-live*` excludes every word that begins with it.
///   Fields and groups can be excluded as well: `-artist:x`, `-(a b)`.
/// - `a b or c`: either both of `a` and `b`, or `c`; `or`, in upper or lower case, binds less tightly than
///   juxtaposition. Unless it is between two terms, it is an ordinary word.
/// - A backslash within quotation marks escapes the next character. A quotation mark within a word is part of it
///   (`12"`). Symbols that stand alone beside other terms, as in `Simon & Garfunkel`, are ignored.
/// - An unknown field name before a colon is an error, unless a space follows, or it has a capital letter and does not
///   resemble any field name, as in `Re:Zero`; then it is an ordinary word.
public struct LibraryQueryParser: Sendable {
  /// The maximum length of a query, in Unicode scalars.
  public static let maximumLength = 20_000
  /// The maximum number of terms in a query. Each term may have to be checked against every track.
  public static let maximumTerms = 256
  /// The maximum depth of nested parentheses.
  public static let maximumDepth = 20

  /// The current day, from which relative dates such as `7d` count back.
  private let today: ReleaseDate

  /// Creates a parser with `today` as the current day.
  public init(today: ReleaseDate) { self.today = today }

  /// Parses a query and simplifies it. Text without any term is parsed as ``LibraryQuery/everything``.
  public func parse(_ text: String) throws(LibraryQueryError) -> LibraryQuery {
    do throws(LibraryQueryError) {
      return try parseScalars(text)
    } catch {
      throw LibraryQueryError(column: Self.column(of: error.column, in: text), message: error.message)
    }
  }

  /// Returns the number of the character that contains a Unicode scalar; both are counted from 1.
  private static func column(of scalar: Int, in text: String) -> Int {
    var end = 0
    var column = 1
    for character in text {
      end += character.unicodeScalars.count
      if end >= scalar { break }
      column += 1
    }
    return column
  }

  private func parseScalars(_ text: String) throws(LibraryQueryError) -> LibraryQuery {
    var scanner = LibraryQueryScanner(text)
    guard scanner.scalars.count <= Self.maximumLength else {
      throw LibraryQueryError(
        column: Self.maximumLength + 1, message: "query too long: use at most \(Self.maximumLength) characters")
    }
    var open: [LibraryQueryGroup] = []
    var group = LibraryQueryGroup(start: 0, isNegated: false)
    var termCount = 0
    while true {
      scanner.skipSpace()
      guard let next = scanner.next else { break }
      let start = scanner.index
      if next == ")" {
        guard let outer = open.popLast() else {
          throw LibraryQueryError(column: start + 1, message: "unmatched closing parenthesis")
        }
        guard !group.isEmpty else {
          throw LibraryQueryError(
            column: group.start + 1, message: "empty parentheses")
        }
        _ = scanner.consume(")")
        let query = group.isNegated ? group.query.negation : group.query
        group = outer
        group.append(query)
        continue
      }
      let dashes = scanner.consumeAll("-")
      if dashes > 0, scanner.isAtSpace || scanner.next == ")" { continue }
      if scanner.consume("(") {
        guard open.count < Self.maximumDepth else {
          throw LibraryQueryError(
            column: scanner.index, message: "parentheses nested more than \(Self.maximumDepth) deep")
        }
        open.append(group)
        group = LibraryQueryGroup(start: scanner.index - 1, isNegated: !dashes.isMultiple(of: 2))
        continue
      }
      if dashes == 0, group.consumeOr(&scanner) { continue }
      termCount += 1
      guard termCount <= Self.maximumTerms else {
        throw LibraryQueryError(
          column: start + 1, message: "too many terms: use at most \(Self.maximumTerms)")
      }
      let term = try LibraryQueryTerm(&scanner, isNegated: dashes > 0, today: today)
      group.append(dashes.isMultiple(of: 2) ? term.query : term.query.negation, isSymbol: term.isSymbol)
    }
    guard open.isEmpty else {
      throw LibraryQueryError(column: group.start + 1, message: "unclosed parenthesis")
    }
    return group.query
  }
}

/// The terms read so far of a group in parentheses, or of the whole query.
struct LibraryQueryGroup {
  /// The index of the opening parenthesis; 0 for the whole query.
  let start: Int
  let isNegated: Bool

  private var alternatives: [LibraryQuery] = []
  private var terms: [(query: LibraryQuery, isSymbol: Bool)] = []

  init(start: Int, isNegated: Bool) {
    self.start = start
    self.isNegated = isNegated
  }

  var isEmpty: Bool { alternatives.isEmpty && terms.isEmpty }

  mutating func append(_ query: LibraryQuery, isSymbol: Bool = false) { terms.append((query, isSymbol)) }

  /// Consumes an `or` between two terms and starts the next alternative. Returns whether there was an `or`.
  mutating func consumeOr(_ scanner: inout LibraryQueryScanner) -> Bool {
    guard !terms.isEmpty else { return false }
    let start = scanner.index
    let rest = scanner.scalars[start...]
    guard rest.starts(with: "or".unicodeScalars, by: { $0.properties.lowercaseMapping == String($1) }),
      rest.dropFirst(2).first.map({ $0.properties.isWhitespace || $0 == "(" }) ?? false,
      rest.dropFirst(2).first(where: { !$0.properties.isWhitespace }).map({ $0 != ")" }) ?? false
    else { return false }
    scanner.move(to: start + 2)
    alternatives.append(conjunction)
    terms = []
    return true
  }

  /// The query read so far. In an alternative that consists only of symbols, they are not ignored; otherwise it would
  /// match every track.
  var query: LibraryQuery {
    terms.isEmpty && !alternatives.isEmpty
      ? .disjunction(alternatives)
      : alternatives.isEmpty ? conjunction : .disjunction(alternatives + [conjunction])
  }

  private var conjunction: LibraryQuery {
    let words = terms.filter { !$0.isSymbol }
    return .conjunction((words.isEmpty ? terms : words).map(\.query))
  }
}

/// A syntax error in a query.
public struct LibraryQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of the character at which the error begins, counted from 1.
  public var column: Int
  /// A one-line message that says what is wrong and what is expected. It may quote the query, and is not yet escaped
  /// for a terminal.
  public var message: String

  /// Creates the error `message` at `column`.
  public init(column: Int, message: String) {
    self.column = column
    self.message = message
  }

  /// The column and the message, on one line.
  public var description: String { "column \(column): \(message)" }
}

/// Splits a query into words, quoted strings and symbols, from left to right. It reads Unicode scalars instead of
/// characters, so that a combining mark does not hide the symbol before it.
struct LibraryQueryScanner {
  /// A word or a quoted string.
  struct Value {
    /// The text without quotation marks.
    var text: String
    /// Whether the text was in quotation marks.
    var isQuoted: Bool
    /// Whether a `*` follows the text.
    var hasStar: Bool
    /// The index of the first scalar, including a quotation mark.
    var start: Int
  }

  let scalars: [Unicode.Scalar]
  private(set) var index = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  var isAtSpace: Bool { next?.properties.isWhitespace ?? true }

  mutating func skipSpace() {
    while let next, next.properties.isWhitespace { index += 1 }
  }

  /// Consumes `character` if it comes next. Returns whether it did.
  mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    index += 1
    return true
  }

  /// Consumes consecutive occurrences of `character` and returns their number.
  mutating func consumeAll(_ character: Unicode.Scalar) -> Int {
    let start = index
    while next == character { index += 1 }
    return index - start
  }

  /// Consumes ASCII letters followed by a colon and returns the letters in lower case. If something else comes next,
  /// consumes nothing and returns `nil`.
  mutating func consumeFieldName() -> String? {
    let end = scalars[index...].firstIndex { !($0.isASCII && $0.properties.isAlphabetic) } ?? scalars.endIndex
    guard end > index, end < scalars.endIndex, scalars[end] == ":" else { return nil }
    defer { index = end + 1 }
    return String(scalars[index..<end]).lowercased()
  }

  mutating func move(to index: Int) { self.index = index }

  /// Consumes a quoted string, or a word that ends before the next white space or parenthesis. The word may be empty.
  mutating func consumeValue() throws(LibraryQueryError) -> Value {
    let start = index
    if consume("\"") {
      let text = try consumeQuoted(from: start)
      return Value(text: text, isQuoted: true, hasStar: consume("*"), start: start)
    }
    while let next, !next.properties.isWhitespace, next != "(", next != ")" { index += 1 }
    var text = scalars[start..<index]
    let hasStar = text.last == "*"
    if hasStar { text.removeLast() }
    return Value(text: String(text), isQuoted: false, hasStar: hasStar, start: start)
  }

  private mutating func consumeQuoted(from start: Int) throws(LibraryQueryError) -> String {
    var text = String.UnicodeScalarView()
    while let character = next {
      index += 1
      if character == "\"" { return String(text) }
      guard character == "\\", let escaped = next else {
        text.append(character)
        continue
      }
      text.append(escaped)
      index += 1
    }
    throw LibraryQueryError(column: start + 1, message: "unclosed quotation mark")
  }
}

extension String {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
