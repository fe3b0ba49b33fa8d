extension LibraryFilters {
  /// What the filters ask for: of each kind that has values, one of them.
  ///
  /// A decade is written "1950s" or "1950"; one that is written otherwise is true of no track.
  public var query: LibraryQuery {
    .conjunction(
      Kind.allCases.compactMap { kind in
        values[kind].map { LibraryQuery.disjunction($0.map { value in Self.query(kind, value) }) }
      })
  }

  private static func query(_ kind: Kind, _ value: String) -> LibraryQuery {
    switch kind {
    case .genre: .text(.genre, TextPattern(value, kind: .exact))
    case .artist: .text(.artist, TextPattern(value, kind: .exact))
    case .format: .text(.format, TextPattern(value, kind: .exact))
    case .decade: decade(value).map { .number(.year, QueryRange(from: $0, to: $0 + 9)) } ?? .nothing
    }
  }

  private static func decade(_ text: String) -> Int? {
    let digits = text.last?.lowercased() == "s" ? text.dropLast() : text[...]
    guard let year = Int(digits), (0...9990).contains(year), year % 10 == 0 else { return nil }
    return year
  }
}
