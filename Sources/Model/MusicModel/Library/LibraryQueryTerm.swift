/// A term of a query: a word or a quoted text, with or without a field before it.
struct LibraryQueryTerm {
  let query: LibraryQuery
  /// Whether it is a word without any letter or digit, and without a field.
  let isSign: Bool

  /// Takes the term that comes next.
  ///
  /// - Parameter isNegated: whether a `-` stands directly before it.
  init(_ scanner: inout LibraryQueryScanner, isNegated: Bool, today: ReleaseDate) throws(LibraryQueryError) {
    let start = scanner.index
    if let name = scanner.takeFieldName() {
      if let field = LibraryQueryField.all[name] {
        query = try Self.query(field, name, &scanner, isNegated: isNegated, today: today)
        isSign = false
        return
      }
      if !scanner.isAtSpace { try Self.check(name, scanner.scalars[start..<scanner.index], at: start) }
      scanner.goBack(to: start)
    }
    let isExact = scanner.next == "=" && Self.hasValue(behind: scanner)
    if isExact { _ = scanner.take("=") }
    let value = try scanner.takeValue()
    let isEverything = !value.isQuoted && !isExact && value.text.allSatisfy { $0 == "*" }
    query =
      isEverything ? .everything : try Self.text(.anywhere, value, isExact: isExact, isNegated: isNegated)
    isSign = !value.isQuoted && !isExact && !isEverything && value.text.unicodeScalars.allSatisfy(\.isSign)
  }

  /// Sees to it that the word before a colon, which names no field, is a word of a title.
  private static func check(
    _ name: String, _ typed: ArraySlice<Unicode.Scalar>, at start: Int
  ) throws(LibraryQueryError) {
    if let suggestion = LibraryQueryField.suggestion(for: name) {
      throw LibraryQueryError(
        column: start + 1, message: "there is no field \(name): did you mean \(suggestion):?")
    }
    // As in "Re:Zero"; nobody writes a field so.
    if typed.contains(where: \.properties.isUppercase) { return }
    throw LibraryQueryError(
      column: start + 1,
      message: "there is no field \(name): write one of \(LibraryQueryField.names), or quotation marks around the text")
  }

  private static func hasValue(behind scanner: LibraryQueryScanner) -> Bool {
    let behind = scanner.scalars[scanner.index...].dropFirst().first
    return behind.map { !$0.properties.isWhitespace && $0 != "(" && $0 != ")" } ?? false
  }

  private static func query(
    _ field: LibraryQueryField, _ name: String, _ scanner: inout LibraryQueryScanner, isNegated: Bool,
    today: ReleaseDate
  ) throws(LibraryQueryError) -> LibraryQuery {
    let start = scanner.index
    let isExact = scanner.take("=")
    let value = try scanner.takeValue()
    guard !value.text.isEmpty else {
      throw LibraryQueryError(column: start + 1, message: "\(name): needs a value directly behind its colon")
    }
    let plain = LibraryQueryValue(text: value.hasStar ? value.text + "*" : value.text, column: start + 1)
    switch field {
    case .text(let field): return try text(field, value, isExact: isExact, isNegated: isNegated)
    case .number(let field): return try plain.numbers(field)
    case .added: return try plain.dates(today: today)
    }
  }

  private static func text(
    _ field: LibraryQuery.TextField, _ value: LibraryQueryScanner.Value, isExact: Bool, isNegated: Bool
  ) throws(LibraryQueryError) -> LibraryQuery {
    guard !value.text.isEmpty else {
      throw LibraryQueryError(
        column: value.start + 1, message: "there is nothing between the quotation marks")
    }
    // Of a whole text, a star is a part.
    if isExact {
      return .text(field, TextPattern(value.hasStar ? value.text + "*" : value.text, kind: .exact))
    }
    if value.hasStar { return .text(field, TextPattern(value.text, kind: .beginning)) }
    return .text(field, TextPattern(value.text, kind: value.isQuoted || isNegated ? .words : .beginning))
  }
}

extension Unicode.Scalar {
  /// Whether it is no part of a word.
  fileprivate var isSign: Bool {
    switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol:
      true
    default: false
    }
  }
}
