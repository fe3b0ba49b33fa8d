// SPDX-License-Identifier: GPL-3.0-or-later

/// Filters that narrow every listing in addition to the query. A track must have one of the chosen values of each kind.
public struct LibraryFilters: Sendable, Hashable {
  /// The kinds of filters. The raw values are the words that users type.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case genre
    /// An artist of the track or of its album.
    case artist
    /// A decade, such as "1950s".
    case decade
    /// A format, named by its file name suffix.
    case format
  }

  /// The chosen values of each kind, in the order in which they were chosen. A kind without values is not used as a
  /// filter.
  public private(set) var values: [Kind: [String]] = [:]

  /// Creates filters without any values.
  public init() {}

  /// Whether no values are chosen.
  public var isEmpty: Bool { values.isEmpty }

  /// Adds a value, unless it is already chosen.
  public mutating func insert(_ value: String, of kind: Kind) {
    if values[kind]?.contains(value) != true { values[kind, default: []].append(value) }
  }

  /// Removes a value if it is chosen.
  public mutating func remove(_ value: String, of kind: Kind) {
    values[kind]?.removeAll { $0 == value }
    if values[kind]?.isEmpty == true { values[kind] = nil }
  }

  /// Removes all values of a kind, or the values of all kinds if `kind` is `nil`.
  public mutating func removeAll(of kind: Kind? = nil) {
    if let kind { values[kind] = nil } else { values = [:] }
  }
}

extension LibraryFilters {
  /// The query that matches the filters: one of the chosen values of each kind that has any.
  ///
  /// A decade is written "1950s" or "1950"; any other text matches no track.
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
