/// What narrows every listing besides the query: of each kind, one of several values must be true of a track.
public struct LibraryFilters: Sendable, Hashable {
  /// The kinds, by the words that the user writes.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A genre.
    case genre
    /// An artist of the track or of its album.
    case artist
    /// Ten years: "1950s".
    case decade
    /// A format, by its suffix.
    case format
  }

  /// The values chosen of each kind, in the order in which they were; none means any.
  public private(set) var values: [Kind: [String]] = [:]

  /// No filter.
  public init() {}

  /// Whether nothing is chosen.
  public var isEmpty: Bool { values.isEmpty }

  /// Adds a value, where it is not there already.
  public mutating func insert(_ value: String, of kind: Kind) {
    if values[kind]?.contains(value) != true { values[kind, default: []].append(value) }
  }

  /// Takes a value away.
  public mutating func remove(_ value: String, of kind: Kind) {
    values[kind]?.removeAll { $0 == value }
    if values[kind]?.isEmpty == true { values[kind] = nil }
  }

  /// Takes all values of a kind away, or with `nil` of all kinds.
  public mutating func removeAll(of kind: Kind? = nil) {
    if let kind { values[kind] = nil } else { values = [:] }
  }
}

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
