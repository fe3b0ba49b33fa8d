// SPDX-License-Identifier: GPL-3.0-or-later

/// A query on a library: a value that can be parsed, printed, stored and combined.
///
/// A query matches single tracks; an album, an artist or a genre matches if one of its tracks does. Text is compared in
/// folded form, ignoring case, diacritics and width.
public indirect enum LibraryQuery: Sendable, Hashable {
  /// Matches every track.
  case everything
  /// Matches tracks with a text field that matches the pattern.
  case text(TextField, TextPattern)
  /// Matches tracks with a number field that is in the range.
  case number(NumberField, QueryRange<Int>)
  /// Matches tracks for which something happened on a day in the range.
  case date(DateField, QueryRange<ReleaseDate>)
  /// Matches the tracks of the playlist with this name. A library replaces it by ``tracks(_:)``, since an index knows
  /// no playlists.
  case playlist(String)
  /// Matches the tracks with these IDs, in ascending order. It has no text form.
  case tracks([Int64])
  /// Matches the tracks that the given query does not match.
  case not(LibraryQuery)
  /// Matches the tracks that match all of these queries, at least two.
  case all([LibraryQuery])
  /// Matches the tracks that match any of these queries, at least two.
  case any([LibraryQuery])

  /// The text fields of a query.
  public enum TextField: String, Sendable, Hashable, CaseIterable {
    /// Any of title, artist, album, album artist, genre and composer.
    case anywhere = "any"
    /// Any of title, artist and album of the track: what a row of a list shows. Only filters of lists use it; it has no
    /// name in the language of queries.
    case shown
    case title
    /// The artists of the track and of its album.
    case artist
    case album
    case albumArtist = "albumartist"
    case genre
    case composer
    /// The path of the file, relative to the library's directory, compared byte for byte. With `exact`, the path must
    /// equal the text or be inside the directory of that name. With `beginning` and `words`, it must begin with the
    /// text.
    case path
    /// The format, by its usual file name suffix: "flac", "mp3", "ogg", "opus".
    case format

    /// The fields that a query can name.
    public static let allCases: [Self] = [
      .anywhere, .title, .artist, .album, .albumArtist, .genre, .composer, .path, .format,
    ]
  }

  /// The number fields of a query.
  public enum NumberField: String, Sendable, Hashable, CaseIterable {
    /// The year that is shown.
    case year
    /// The year when the recording first came out or, if that is not known, the year that is shown.
    case originalYear = "originalyear"
    /// The year when the edition was released.
    case released
    /// The track number on the disc.
    case track
    /// The disc number in the set.
    case disc
    /// The duration, in whole seconds.
    case duration
    /// The sample rate, in Hz.
    case rate
    /// The bits per sample.
    case bits
    case channels
    /// The rating in half stars, from 0 (not rated) to 10.
    case rating
    /// The rating of the track's album as a whole, in half stars, from 0 (not rated) to 10.
    case albumRating = "albumrating"
    /// 1 if the user likes the track, otherwise 0.
    case liked
    /// The number of times that the track was played.
    case plays
    /// The number of times that the track was skipped.
    case skips

    /// Whether the number is a year, so that a decade is a range.
    var isYear: Bool { self == .year || self == .originalYear || self == .released }

    /// Whether the number is a rating in half stars, which users write in stars.
    public var isRating: Bool { self == .rating || self == .albumRating }

    /// The values that the field can have; `nil` for one that a track may lack.
    public var domain: ClosedRange<Int>? {
      switch self {
      case .rating, .albumRating: HalfStars.range
      case .liked: 0...1
      case .plays, .skips: 0...Int.max
      case .year, .originalYear, .released, .track, .disc, .duration, .rate, .bits, .channels: nil
      }
    }
  }

  /// The date fields of a query.
  public enum DateField: String, Sendable, Hashable, CaseIterable {
    /// When the track was added to the library.
    case added
    /// When the track was last played.
    case played
    /// When the track was last skipped.
    case skipped
    /// When the track was played. Unlike for ``played``, any play in the log counts.
    case listened
  }
}

/// The text to search for, and how it is compared.
public struct TextPattern: Sendable, Hashable {
  /// The way in which the text is compared.
  public enum Kind: Sendable, Hashable {
    /// A word begins with the text. If the text has several words, they must follow one another, and the last one may
    /// be unfinished.
    case beginning
    /// The text occurs as whole words that follow one another.
    case words
    /// The text equals the whole field, or one whole value of a field with several values.
    case exact
  }

  /// The text as typed: not folded, and not empty.
  public var text: String
  /// The way in which the text is compared.
  public var kind: Kind

  /// Creates a pattern that compares `text` in this way.
  public init(_ text: String, kind: Kind = .beginning) {
    self.text = text
    self.kind = kind
  }
}

/// A range of values that includes both bounds. The range has no limit where a bound is `nil`.
public struct QueryRange<Bound: Sendable & Hashable>: Sendable, Hashable {
  /// The lower bound; `nil` if there is none.
  public var lower: Bound?
  /// The upper bound; `nil` if there is none.
  public var upper: Bound?

  /// Creates the range from `lower` to `upper`, including both.
  public init(from lower: Bound?, to upper: Bound?) {
    self.lower = lower
    self.upper = upper
  }
}

extension LibraryQuery {
  /// A query that matches no track.
  public static let nothing = LibraryQuery.not(.everything)

  /// Returns a query that matches the tracks that match all of `parts`, simplified and without duplicates. Returns
  /// ``everything`` if there are no parts.
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

  /// Returns the query for a field that every track has: with a lower bound, and with an upper one if it excludes any
  /// value.
  private static func number(
    _ field: NumberField, _ range: QueryRange<Int>, within domain: ClosedRange<Int>
  ) -> LibraryQuery {
    let lower = max(range.lower ?? domain.lowerBound, domain.lowerBound)
    let upper = range.upper.flatMap { $0 < domain.upperBound ? $0 : nil }
    if lower > domain.upperBound || upper ?? lower < lower { return .nothing }
    return lower == domain.lowerBound && upper == nil ? .everything : .number(field, QueryRange(from: lower, to: upper))
  }

  private static func dropRepetitions(_ parts: inout [LibraryQuery]) {
    guard parts.count > 1 else { return }
    var seen: Set<LibraryQuery> = []
    parts.removeAll { !seen.insert($0).inserted }
  }

  /// Returns a query that matches the tracks that match any of `parts`, simplified and without duplicates. Returns
  /// ``nothing`` if there are no parts.
  public static func disjunction(_ parts: some Sequence<LibraryQuery>) -> LibraryQuery {
    var flat: [LibraryQuery] = []
    for part in parts where part != .nothing {
      if case .any(let inner) = part { flat.append(contentsOf: inner) } else { flat.append(part) }
    }
    if flat.contains(.everything) { return .everything }
    dropRepetitions(&flat)
    return flat.count > 1 ? .any(flat) : flat.first ?? .nothing
  }

  /// The simplified query that matches the tracks that this query does not match.
  public var negation: LibraryQuery {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  /// Whether the query compares what users and the player note of tracks, or playlists, which change without a scan.
  public var usesMarks: Bool {
    switch self {
    case .everything, .text: false
    case .number(let field, _): field.domain != nil
    case .date(let field, _): field != .added
    case .playlist, .tracks: true
    case .not(let inner): inner.usesMarks
    case .all(let parts), .any(let parts): parts.contains(where: \.usesMarks)
    }
  }

  /// Returns a query that matches the tracks that match both queries.
  public func and(_ other: LibraryQuery) -> LibraryQuery { .conjunction([self, other]) }

  /// The query in its simplest form: nested conjunctions and disjunctions are merged, and parts without effect are
  /// removed. Empty text matches everything; an empty range matches nothing.
  public var normalized: LibraryQuery {
    switch self {
    case .everything: self
    case .text(_, let pattern): pattern.text.isEmpty ? .everything : self
    case .number(let field, let range):
      if range.isEmpty {
        .nothing
      } else if let domain = field.domain {
        Self.number(field, range, within: domain)
      } else {
        self
      }
    case .date(_, let range): range.isEmpty ? .nothing : self
    case .playlist: self
    case .tracks(let ids): ids.isEmpty ? .nothing : self
    case .not(let inner): inner.normalized.negation
    case .all(let parts): .conjunction(parts.map(\.normalized))
    case .any(let parts): .disjunction(parts.map(\.normalized))
    }
  }
}

extension QueryRange where Bound: Comparable {
  /// Returns whether the range contains `value`.
  public func contains(_ value: Bound) -> Bool {
    if let lower, value < lower { return false }
    if let upper, value > upper { return false }
    return true
  }

  /// Whether the range contains no value.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return upper < lower
  }
}

extension QueryRange<ReleaseDate> {
  /// Whether the range contains no day. A month or a year stands for all of its days.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return upper.lastDay < lower.firstDay
  }
}

extension LibraryQuery: CustomStringConvertible {
  /// The query as text, in the simplest form from which ``LibraryQueryParser`` parses it; empty for ``everything``.
  public var description: String {
    let plain = normalized
    return plain == .everything ? "" : plain.printed(within: .or)
  }

  /// The context in which a subquery is printed, named after the loosest operator that needs no parentheses there.
  private enum Context {
    case or, and, not
  }

  private func printed(within context: Context) -> String {
    switch self {
    case .everything: return "*"
    case .text(let field, let pattern): return pattern.printed(field, isNegated: context == .not)
    case .number(let field, let range) where field.isYear:
      return "\(field.rawValue):\(range.decade ?? range.printed { "\($0)" })"
    case .number(.duration, let range): return "duration:\(range.printed { Self.time($0) })"
    case .number(let field, let range) where field.isRating:
      return "\(field.rawValue):\(range.printed { HalfStars.text($0) })"
    case .number(.liked, let range): return "liked:\(range.lower == 1 ? "yes" : "no")"
    case .number(let field, let range): return "\(field.rawValue):\(range.printed { "\($0)" })"
    case .date(let field, let range): return "\(field.rawValue):\(range.printed { $0.text })"
    case .playlist(let name): return "playlist:\(TextPattern(name).quoted)"
    case .tracks(let ids): return "(\(ids.count) tracks)"
    case .not(let inner): return "-" + inner.printed(within: .not)
    case .all(let parts):
      let text = parts.map { $0.printed(within: .and) }.joined(separator: " ")
      return context == .not ? "(\(text))" : text
    case .any(let parts):
      let text = parts.map { $0.printed(within: .or) }.joined(separator: " or ")
      return context == .or ? text : "(\(text))"
    }
  }

  /// Formats seconds as minutes and seconds ("4:30"), with hours if necessary ("1:02:03").
  private static func time(_ seconds: Int) -> String {
    guard seconds >= 0 else { return "\(seconds)" }
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return minutes < 60
      ? "\(minutes):\(padded(rest))" : "\(minutes / 60):\(padded(minutes % 60)):\(padded(rest))"
  }
}

extension TextPattern {
  fileprivate func printed(_ field: LibraryQuery.TextField, isNegated: Bool) -> String {
    let prefix = field == .anywhere ? "" : field.rawValue + ":"
    switch kind {
    case .exact: return prefix + "=" + quoted
    case .words: return prefix + (isNegated && isPlain ? text : quoted)
    case .beginning:
      guard isPlain else { return prefix + quoted + "*" }
      return prefix + text + (isNegated ? "*" : "")
    }
  }

  /// Whether the text needs no quotation marks: it has only letters, marks, digits and some symbols, does not begin
  /// with a symbol, and is not `or`.
  private var isPlain: Bool {
    text.lowercased() != "or" && text.unicodeScalars.first?.isPlainLetter == true
      && text.unicodeScalars.allSatisfy { $0.isPlainLetter || "'-./&".unicodeScalars.contains($0) }
  }

  fileprivate var quoted: String {
    var result = "\"".unicodeScalars
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    result.append("\"")
    return String(result)
  }
}

extension QueryRange where Bound: Equatable {
  fileprivate func printed(_ bound: (Bound) -> String) -> String {
    if let lower, lower == upper { return bound(lower) }
    return (lower.map(bound) ?? "") + ".." + (upper.map(bound) ?? "")
  }
}

extension QueryRange<Int> {
  fileprivate var decade: String? {
    guard let lower, (1000...9990).contains(lower), lower % 10 == 0, upper == lower + 9 else { return nil }
    return "\(lower)s"
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      !properties.isWhitespace
    default: false
    }
  }
}

/// Ratings as people write them, in stars; they are stored in half stars, as by other MPD clients.
public enum HalfStars {
  /// The valid numbers of half stars; 0 means not rated.
  public static let range = 0...10

  /// Returns the stars: "4" or "3.5".
  public static func text(_ halves: Int) -> String { "\(halves / 2)\(halves % 2 == 0 ? "" : ".5")" }

  /// Returns the half stars of `text`, such as "4" or "3.5"; `nil` if it is not a number of half stars from 0 to 5.
  public static func parse(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let stars = parts.first, stars.utf8.count == 1, let stars = Int(stars) else { return nil }
    let half: Int? =
      switch parts.dropFirst().first {
      case nil, "0": 0
      case "5": 1
      default: nil
      }
    return half.map { stars * 2 + $0 }.flatMap { range.contains($0) ? $0 : nil }
  }
}
