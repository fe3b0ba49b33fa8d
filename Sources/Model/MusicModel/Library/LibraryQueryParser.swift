/// Reads a ``LibraryQuery`` from a text. Pure; any thread.
///
/// - `blue train`: both words, each as the beginning of a word, anywhere. `"blue train"`: these whole words, one behind
///   the other. `"blue tra"*`: the last word may go on. `="Blue Train"`: the whole text. `*` alone is true of
///   everything.
/// - `artist:coltrane`, `artist:"john coltrane"`, `artist:="John Coltrane"`: the same of one text; the names are those
///   of ``LibraryQuery/TextField``, in any case.
/// - `year:1957`, `year:1957..1965`, `year:..1965`, `year:1950s`, `track:1..3`, `duration:3:00..5:30`,
///   `duration:240..`: numbers, by the names of ``LibraryQuery/NumberField``; `year:..` is true where there is a year
///   at all.
/// - `added:2026-05-01`, `added:2026-01..2026-03`, `added:7d..`: days; a month or a year means all of it. `7d` is seven
///   days ago (also `2w`, `3m`, `1y`), and alone the time since.
/// - `-live` excludes: a word directly behind the `-` is a whole word, so that Liverpool stays; `-live*` its beginning.
///   `-artist:x`, `-(a b)`.
/// - `a b or c`: `or`, in any case, between two terms; it binds weaker than standing side by side. Elsewhere it is a
///   word.
/// - A backslash in quotes takes away the meaning of the character behind it. A quotation mark within a word is a part
///   of it (`12"`). Signs that stand alone beside other terms, as in `Simon & Garfunkel`, are left out.
/// - A word before a colon that is no field's name is an error, unless a space follows, or it has a capital letter and
///   is unlike any field's name, as in `Re:Zero`: then it is a word.
public struct LibraryQueryParser: Sendable {
  /// How many characters, counted as Unicode scalars, a query may have.
  public static let maximumLength = 20_000
  /// How many terms it may have: each may take a look at every track.
  public static let maximumTerms = 256
  /// How many parentheses may be open at a time.
  public static let maximumDepth = 20

  /// The day from which `7d` counts back.
  private let today: ReleaseDate

  /// A parser for which this is the present day.
  public init(today: ReleaseDate) { self.today = today }

  /// The query that `text` is, in its plainest form; a text without any term is ``LibraryQuery/everything``.
  public func parse(_ text: String) throws(LibraryQueryError) -> LibraryQuery {
    do throws(LibraryQueryError) {
      return try parseScalars(text)
    } catch {
      throw LibraryQueryError(column: Self.column(of: error.column, in: text), message: error.message)
    }
  }

  /// The number of the character to which a scalar belongs, both from 1.
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
        column: Self.maximumLength + 1, message: "a query has at most \(Self.maximumLength) characters")
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
          throw LibraryQueryError(column: start + 1, message: "this parenthesis closes nothing")
        }
        guard !group.isEmpty else {
          throw LibraryQueryError(
            column: group.start + 1, message: "there is nothing between the parentheses")
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
            column: scanner.index, message: "more than \(Self.maximumDepth) parentheses are open here")
        }
        open.append(group)
        group = LibraryQueryGroup(start: scanner.index - 1, isNegated: !dashes.isMultiple(of: 2))
        continue
      }
      if dashes == 0, group.takesOr(&scanner) { continue }
      termCount += 1
      guard termCount <= Self.maximumTerms else {
        throw LibraryQueryError(
          column: start + 1, message: "a query has at most \(Self.maximumTerms) terms")
      }
      let term = try LibraryQueryTerm(&scanner, isNegated: dashes > 0, today: today)
      group.append(dashes.isMultiple(of: 2) ? term.query : term.query.negation, isSign: term.isSign)
    }
    guard open.isEmpty else {
      throw LibraryQueryError(column: group.start + 1, message: "this parenthesis is not closed")
    }
    return group.query
  }
}

/// What stands between two parentheses, or in the whole query, as far as it has been read.
struct LibraryQueryGroup {
  /// The index of its parenthesis.
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

  /// Takes an `or` that stands between two terms, and begins another alternative.
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

  /// What was read. An alternative that is ``LibraryQuery/everything`` only because signs were left out does not occur:
  /// a lone sign stays.
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

/// Why a text is no query.
public struct LibraryQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where the fault begins: the number of the character, from 1.
  public var column: Int
  /// What is wrong there, and what would be right: one line, which may quote the query. Not yet safe for a terminal.
  public var message: String

  /// The fault `message` at `column`.
  public init(column: Int, message: String) {
    self.column = column
    self.message = message
  }

  /// The message with its column, in one line.
  public var description: String { "column \(column): \(message)" }
}
