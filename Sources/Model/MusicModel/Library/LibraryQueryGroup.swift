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
