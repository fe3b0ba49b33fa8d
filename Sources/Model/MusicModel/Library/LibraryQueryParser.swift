// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses a ``LibraryQuery``. It does no I/O and may be used from any thread.
///
/// - `blue train`: both words, each as the beginning of a word, in any field. `"blue train"`: these whole words, one
///   after the other. `"blue tra"*`: the last word may be unfinished. `="Blue Train"`: the whole text. `*` alone
///   matches everything.
/// - `artist:coltrane`, `artist:"john coltrane"`, `artist:="John Coltrane"`: the same in one field; the names are those
///   of ``LibraryQuery/TextField``, in any case.
/// - `year:1957`, `year:1957..1965`, `year:..1965`, `year:1950s`, `track:1..3`, `duration:3:00..5:30`,
///   `duration:240..`: numbers, by the names of ``LibraryQuery/NumberField``. `year:..` matches if there is a year at
///   all.
/// - `added:2026-05-01`, `added:2026-01..2026-03`, `added:7d..`: days; a month or a year stands for all of its days.
///   `7d` is seven days ago (also `2w`, `3m`, `1y`); alone, it is the time since then.
/// - `-live` excludes. A word directly after the `-` is a whole word, so Liverpool stays; `-live*` excludes the
///   beginning of a word. Also `-artist:x`, `-(a b)`.
/// - `a b or c`: `or`, in any case, between two terms; it binds less tightly than juxtaposition. Elsewhere, it is a
///   word.
/// - A backslash within quotation marks escapes the next character. A quotation mark within a word is part of it
///   (`12"`). Symbols that stand alone beside other terms, as in `Simon & Garfunkel`, are ignored.
/// - An unknown field name before a colon is an error, unless a space follows, or it has a capital letter and does not
///   resemble any field name, as in `Re:Zero`; then it is a word.
public struct LibraryQueryParser: Sendable {
  /// The maximum length of a query, in Unicode scalars.
  public static let maximumLength = 20_000
  /// The maximum number of terms, each of which may have to be checked against every track.
  public static let maximumTerms = 256
  /// The maximum depth of nested parentheses.
  public static let maximumDepth = 20

  /// The day from which `7d` counts back.
  private let today: ReleaseDate

  /// Creates a parser for which this is the current day.
  public init(today: ReleaseDate) { self.today = today }

  /// Parses a query and simplifies it; a text without any term is ``LibraryQuery/everything``.
  public func parse(_ text: String) throws(LibraryQueryError) -> LibraryQuery {
    do throws(LibraryQueryError) {
      return try parseScalars(text)
    } catch {
      throw LibraryQueryError(column: Self.column(of: error.column, in: text), message: error.message)
    }
  }

  /// Returns the number of the character that contains a scalar, both counted from 1.
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
        _ = scanner.take(")")
        let query = group.isNegated ? group.query.negation : group.query
        group = outer
        group.append(query)
        continue
      }
      let dashes = scanner.takeAll("-")
      if dashes > 0, scanner.isAtSpace || scanner.next == ")" { continue }
      if scanner.take("(") {
        guard open.count < Self.maximumDepth else {
          throw LibraryQueryError(
            column: scanner.index, message: "parentheses nested more than \(Self.maximumDepth) deep")
        }
        open.append(group)
        group = LibraryQueryGroup(start: scanner.index - 1, isNegated: !dashes.isMultiple(of: 2))
        continue
      }
      if dashes == 0, group.takesOr(&scanner) { continue }
      termCount += 1
      guard termCount <= Self.maximumTerms else {
        throw LibraryQueryError(
          column: start + 1, message: "too many terms: use at most \(Self.maximumTerms)")
      }
      let term = try LibraryQueryTerm(&scanner, isNegated: dashes > 0, today: today)
      group.append(dashes.isMultiple(of: 2) ? term.query : term.query.negation, isSign: term.isSign)
    }
    guard open.isEmpty else {
      throw LibraryQueryError(column: group.start + 1, message: "unclosed parenthesis")
    }
    return group.query
  }
}

/// The part of a query within parentheses, or the whole query, as read so far.
struct LibraryQueryGroup {
  /// The index of the opening parenthesis.
  let start: Int
  let isNegated: Bool

  private var alternatives: [LibraryQuery] = []
  private var terms: [(query: LibraryQuery, isSign: Bool)] = []

  init(start: Int, isNegated: Bool) {
    self.start = start
    self.isNegated = isNegated
  }

  var isEmpty: Bool { alternatives.isEmpty && terms.isEmpty }

  mutating func append(_ query: LibraryQuery, isSign: Bool = false) { terms.append((query, isSign)) }

  /// Reads an `or` between two terms and starts the next alternative. Returns whether there was one.
  mutating func takesOr(_ scanner: inout LibraryQueryScanner) -> Bool {
    guard !terms.isEmpty else { return false }
    let start = scanner.index
    let rest = scanner.scalars[start...]
    guard rest.starts(with: "or".unicodeScalars, by: { $0.properties.lowercaseMapping == String($1) }),
      rest.dropFirst(2).first.map({ $0.properties.isWhitespace || $0 == "(" }) ?? false,
      rest.dropFirst(2).first(where: { !$0.properties.isWhitespace }).map({ $0 != ")" }) ?? false
    else { return false }
    scanner.goBack(to: start + 2)
    alternatives.append(conjunction)
    terms = []
    return true
  }

  /// The query read so far. An alternative never becomes ``LibraryQuery/everything`` only because symbols were ignored:
  /// a lone symbol is kept.
  var query: LibraryQuery {
    terms.isEmpty && !alternatives.isEmpty
      ? .disjunction(alternatives)
      : alternatives.isEmpty ? conjunction : .disjunction(alternatives + [conjunction])
  }

  private var conjunction: LibraryQuery {
    let words = terms.filter { !$0.isSign }
    return .conjunction((words.isEmpty ? terms : words).map(\.query))
  }
}

/// A syntax error in a query.
public struct LibraryQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of the character at which the error begins, from 1.
  public var column: Int
  /// A one-line description of the error and of the correct form, which may quote the query. Not yet escaped for a
  /// terminal.
  public var message: String

  /// Creates the error `message` at `column`.
  public init(column: Int, message: String) {
    self.column = column
    self.message = message
  }

  /// The message with its column, in one line.
  public var description: String { "column \(column): \(message)" }
}
