extension LibraryQuery {
  /// True of no track.
  public static let nothing = LibraryQuery.not(.everything)

  /// The query that is true where all of `parts` are, in its plainest form, each of them once; ``everything`` for none.
  public static func conjunction(_ parts: some Sequence<LibraryQuery>) -> LibraryQuery {
    var flat: [LibraryQuery] = []
    for part in parts {
      switch part {
      case .everything: continue
      case .all(let inner): flat.append(contentsOf: inner)
      default: flat.append(part)
      }
    }
    if flat.contains(.nothing) { return .nothing }
    dropRepetitions(&flat)
    return flat.count > 1 ? .all(flat) : flat.first ?? .everything
  }

  private static func dropRepetitions(_ parts: inout [LibraryQuery]) {
    guard parts.count > 1 else { return }
    var seen: Set<LibraryQuery> = []
    parts.removeAll { !seen.insert($0).inserted }
  }

  /// The query that is true where one of `parts` is, in its plainest form, each of them once; ``nothing`` for none.
  public static func disjunction(_ parts: some Sequence<LibraryQuery>) -> LibraryQuery {
    var flat: [LibraryQuery] = []
    for part in parts where part != .nothing {
      if case .any(let inner) = part { flat.append(contentsOf: inner) } else { flat.append(part) }
    }
    if flat.contains(.everything) { return .everything }
    dropRepetitions(&flat)
    return flat.count > 1 ? .any(flat) : flat.first ?? .nothing
  }

  /// The query that is true where this one is not, in its plainest form.
  public var negation: LibraryQuery {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  /// The query that is true where both are.
  public func and(_ other: LibraryQuery) -> LibraryQuery { .conjunction([self, other]) }

  /// The same query in its plainest form: what stands within its like is part of it, what changes nothing is left out,
  /// a text without any character is true of everything, and a range that ends before it begins of nothing.
  public var normalized: LibraryQuery {
    switch self {
    case .everything: self
    case .text(_, let pattern): pattern.text.isEmpty ? .everything : self
    case .number(_, let range): range.isEmpty ? .nothing : self
    case .added(let range): range.isEmpty ? .nothing : self
    case .not(let inner): inner.normalized.negation
    case .all(let parts): .conjunction(parts.map(\.normalized))
    case .any(let parts): .disjunction(parts.map(\.normalized))
    }
  }
}

extension QueryRange where Bound: Comparable {
  /// Whether no value is in it.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return upper < lower
  }
}

extension QueryRange<ReleaseDate> {
  /// Whether no day is in it. A month or a year counts with all of its days.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return upper.lastDay < lower.firstDay
  }
}
