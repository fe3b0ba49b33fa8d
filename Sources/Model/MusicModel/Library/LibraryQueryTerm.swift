// SPDX-License-Identifier: GPL-3.0-or-later

/// A term of a query: a word or a quoted string, with or without a field name.
struct LibraryQueryTerm {
  let query: LibraryQuery
  /// Whether the term is a word without any letter or digit, such as `&`, and without a field name.
  let isSymbol: Bool

  /// Parses the next term.
  ///
  /// - Parameter isNegated: Whether a `-` directly precedes the term.
  init(_ scanner: inout LibraryQueryScanner, isNegated: Bool, today: ReleaseDate) throws(LibraryQueryError) {
    let start = scanner.index
    if let name = scanner.consumeFieldName() {
      if let field = LibraryQueryField.all[name] {
        query = try Self.query(field, name, &scanner, isNegated: isNegated, today: today)
        isSymbol = false
        return
      }
      if !scanner.isAtSpace { try Self.check(name, scanner.scalars[start..<scanner.index], at: start) }
      scanner.move(to: start)
    }
    let isExact = scanner.next == "=" && Self.hasValue(after: scanner)
    if isExact { _ = scanner.consume("=") }
    let value = try scanner.consumeValue()
    let isEverything = !value.isQuoted && !isExact && value.text.allSatisfy { $0 == "*" }
    query =
      isEverything ? .everything : try Self.text(.anywhere, value, isExact: isExact, isNegated: isNegated)
    isSymbol =
      !value.isQuoted && !isExact && !isEverything
      && value.text.unicodeScalars.allSatisfy(\.isPunctuationOrSymbol)
  }

  /// Checks a word before a colon that is not a field name; throws unless it looks like part of a title.
  private static func check(
    _ name: String, _ typed: ArraySlice<Unicode.Scalar>, at start: Int
  ) throws(LibraryQueryError) {
    if let suggestion = LibraryQueryField.suggestion(for: name) {
      throw LibraryQueryError(
        column: start + 1, message: "unknown field \(name): did you mean \(suggestion):?")
    }
    // A capital letter, as in "Re:Zero", suggests a title: nobody types field names like that.
    if typed.contains(where: \.properties.isUppercase) { return }
    throw LibraryQueryError(
      column: start + 1,
      message: "unknown field \(name): use one of \(LibraryQueryField.names), or put the text in quotation marks")
  }

  private static func hasValue(after scanner: LibraryQueryScanner) -> Bool {
    let following = scanner.scalars[scanner.index...].dropFirst().first
    return following.map { !$0.properties.isWhitespace && $0 != "(" && $0 != ")" } ?? false
  }

  private static func query(
    _ field: LibraryQueryField, _ name: String, _ scanner: inout LibraryQueryScanner, isNegated: Bool,
    today: ReleaseDate
  ) throws(LibraryQueryError) -> LibraryQuery {
    let start = scanner.index
    let isExact = scanner.consume("=")
    let value = try scanner.consumeValue()
    guard !value.text.isEmpty else {
      throw LibraryQueryError(column: start + 1, message: "\(name): needs a value directly after the colon")
    }
    let plain = LibraryQueryValue(text: value.hasStar ? value.text + "*" : value.text, column: start + 1)
    switch field {
    case .text(let field): return try text(field, value, isExact: isExact, isNegated: isNegated)
    case .number(let field): return try plain.numbers(field)
    case .date(let field): return try plain.dates(field, today: today)
    case .playlist: return .playlist(plain.text)
    }
  }

  private static func text(
    _ field: LibraryQuery.TextField, _ value: LibraryQueryScanner.Value, isExact: Bool, isNegated: Bool
  ) throws(LibraryQueryError) -> LibraryQuery {
    guard !value.text.isEmpty else {
      throw LibraryQueryError(
        column: value.start + 1, message: "empty quotation marks")
    }
    // With `=`, a star is part of the text.
    if isExact {
      return .text(field, TextPattern(value.hasStar ? value.text + "*" : value.text, kind: .exact))
    }
    if value.hasStar { return .text(field, TextPattern(value.text, kind: .beginning)) }
    return .text(field, TextPattern(value.text, kind: value.isQuoted || isNegated ? .words : .beginning))
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is punctuation or a symbol, and not part of a word.
  fileprivate var isPunctuationOrSymbol: Bool {
    switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol:
      true
    default: false
    }
  }
}

/// The fields that a query can name before a colon.
enum LibraryQueryField: Hashable {
  case text(LibraryQuery.TextField)
  case number(LibraryQuery.NumberField)
  case date(LibraryQuery.DateField)
  case playlist

  /// All fields, by their name in a query.
  static let all: [String: LibraryQueryField] = {
    var all: [String: LibraryQueryField] = ["playlist": .playlist]
    for field in LibraryQuery.TextField.allCases { all[field.rawValue] = .text(field) }
    for field in LibraryQuery.NumberField.allCases { all[field.rawValue] = .number(field) }
    for field in LibraryQuery.DateField.allCases { all[field.rawValue] = .date(field) }
    return all
  }()

  /// The names of all fields, in alphabetical order, for messages.
  static var names: String { all.keys.sorted().joined(separator: ", ") }

  /// Field names of other programs, and the corresponding names here.
  private static let synonyms = [
    "date": "year", "originaldate": "originalyear", "releasedate": "released", "releaseyear": "released",
    "length": "duration", "samplerate": "rate", "loved": "liked", "playcount": "plays", "lastplayed": "played",
    "skipcount": "skips", "stars": "rating", "inplaylist": "playlist",
  ]

  /// Returns the field name that an unknown word resembles, or `nil` if it resembles none.
  ///
  /// A word of five or more letters may differ in two letters, a word of three or four letters in one. Shorter words
  /// get no suggestion, so that "Re:Zero" does not suggest "rate".
  static func suggestion(for word: String) -> String? {
    if let field = synonyms[word] { return field }
    let letters = Array(word.utf8)
    guard (3...14).contains(letters.count) else { return nil }
    let tolerance = letters.count < 5 ? 1 : 2
    let distances = all.keys.map { (distance(letters, Array($0.utf8)), $0) }
    return distances.filter { $0.0 <= tolerance }.min { $0 < $1 }?.1
  }

  /// Returns the edit distance of two words: the number of letters to change, insert or remove to turn one into the
  /// other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let substitution = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}

/// Parses the value of a number field or a date field.
struct LibraryQueryValue {
  let text: String
  /// The column where the value begins, counted from 1.
  let column: Int

  /// Parses a range of numbers: `5`, `1..5`, `1..`, `..5`, `..`; for years also `1950s`.
  func numbers(_ field: LibraryQuery.NumberField) throws(LibraryQueryError) -> LibraryQuery {
    let range: QueryRange<Int>?
    switch field {
    case .year, .originalYear, .released: range = decade ?? self.range { Int($0) }
    case .duration: range = self.range { Self.seconds($0) }
    case .rating, .albumRating: range = self.range { HalfStars.parse($0) }
    case .liked: range = ["yes": 1, "no": 0][text.lowercased()].map { QueryRange(from: $0, to: $0) }
    default: range = self.range { Int($0) }
    }
    guard let range else { throw error(Self.hint(field)) }
    guard !range.isEmpty else { throw error("the range ends before it begins") }
    return LibraryQuery.number(field, range).normalized
  }

  /// Parses a range of days: `2026`, `2026-05`, `2026-05-01`, `7d` (relative to today), and ranges of these.
  func dates(_ field: LibraryQuery.DateField, today: ReleaseDate) throws(LibraryQueryError) -> LibraryQuery {
    var range = self.range { Self.date($0, today: today) }
    if Self.isRelative(text) { range?.upper = nil }
    guard let range else {
      throw error(
        "invalid date: use a year (2026), a month (2026-05), a day (2026-05-01) or a range (7d.., 2026-01..2026-03)")
    }
    guard !range.isEmpty else { throw error("the range ends before it begins") }
    return .date(field, range)
  }

  private func error(_ message: String) -> LibraryQueryError {
    LibraryQueryError(column: column, message: message)
  }

  private static func hint(_ field: LibraryQuery.NumberField) -> String {
    switch field {
    case .year, .originalYear, .released:
      "invalid year: use a year (1957), a decade (1950s) or a range (1957..1965, 1957..)"
    case .duration: "invalid duration: use minutes:seconds (4:30), seconds (270) or a range (3:00..5:30, 10:00..)"
    case .rating, .albumRating:
      "invalid rating: use stars from 0 to 5, in steps of 0.5 (4, 3.5), or a range (4.., 1..2)"
    case .liked: "invalid value of liked: use yes or no"
    default: "invalid \(field.rawValue): use a number (2) or a range (1..3, 2..)"
    }
  }

  private func range<Bound>(_ value: (Substring) -> Bound?) -> QueryRange<Bound>? {
    let bytes = text.utf8
    guard let dots = bytes.indices.first(where: { bytes[$0...].starts(with: "..".utf8) }) else {
      return value(text[...]).map { QueryRange(from: $0, to: $0) }
    }
    let (first, last) = (text[..<dots], text[bytes.index(dots, offsetBy: 2)...])
    let (lower, upper) = (value(first), value(last))
    guard lower != nil || first.isEmpty, upper != nil || last.isEmpty else { return nil }
    return QueryRange(from: lower, to: upper)
  }

  private var decade: QueryRange<Int>? {
    guard text.utf8.count == 5, text.last?.lowercased() == "s", let year = Int(text.dropLast()), year >= 1000,
      year % 10 == 0
    else { return nil }
    return QueryRange(from: year, to: year + 9)
  }

  /// Parses a duration such as `270`, `4:30` or `1:02:03`, and returns it in seconds.
  private static func seconds(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let first = parts.first.flatMap({ Int($0) }), first >= 0 || parts.count == 1
    else { return nil }
    var total = first
    for part in parts.dropFirst() {
      guard part.utf8.count <= 2, let value = Int(part), (0..<60).contains(value) else { return nil }
      let (product, overflow) = total.multipliedReportingOverflow(by: 60)
      let (sum, overflowOfSum) = product.addingReportingOverflow(value)
      guard !overflow, !overflowOfSum else { return nil }
      total = sum
    }
    return total
  }

  private static func date(_ text: Substring, today: ReleaseDate) -> ReleaseDate? {
    if let days = days(text) { return ReleaseDate(dayNumber: today.firstDay - days) ?? ReleaseDate(year: 1) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, let year = numbers.first, numbers.count <= 3 else { return nil }
    return ReleaseDate(
      year: year, month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
  }

  private static func isRelative(_ text: String) -> Bool { days(text[...]) != nil }

  /// Parses a relative date such as `7d` or `2w`, and returns the number of days. A month (`3m`) counts as 30 days, a
  /// year (`1y`) as 365.
  private static func days(_ text: Substring) -> Int? {
    let units: [Character: Int] = ["d": 1, "w": 7, "m": 30, "y": 365]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
      (0...1_000_000).contains(count)
    else { return nil }
    return count * unit
  }
}
