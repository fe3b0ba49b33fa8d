// SPDX-License-Identifier: GPL-3.0-or-later

/// A query on a library: a value that can be printed, parsed, stored and combined.
///
/// It matches single tracks; an album, an artist or a genre matches if one of its tracks does. Texts are compared in
/// folded form, ignoring case, diacritics and width.
public indirect enum LibraryQuery: Sendable, Hashable {
  /// Matches every track.
  case everything
  /// Matches a text of the track.
  case text(TextField, TextPattern)
  /// Matches a number of the track that is within a range.
  case number(NumberField, QueryRange<Int>)
  /// Matches the day on which the track was added.
  case added(QueryRange<ReleaseDate>)
  /// Matches where the other query does not.
  case not(LibraryQuery)
  /// Matches where all queries match; at least two.
  case all([LibraryQuery])
  /// Matches where any query matches; at least two.
  case any([LibraryQuery])

  /// The text fields of a query.
  public enum TextField: String, Sendable, Hashable, CaseIterable {
    /// Title, artist, album, album artist, genre and composer.
    case anywhere = "any"
    /// The track's title.
    case title
    /// The artists of the track and of its album.
    case artist
    /// The album's title.
    case album
    /// The artists of the album.
    case albumArtist = "albumartist"
    /// The genres.
    case genre
    /// The composers.
    case composer
    /// The path of the file, relative to the library's directory, compared byte for byte. It must begin with the text;
    /// with `exact`, it must be the text, or be within the directory of that name. The kinds `beginning` and `words`
    /// are the same here.
    case path
    /// The format, by its usual file name suffix: "flac", "mp3", "ogg", "opus".
    case format
  }

  /// The number fields of a query.
  public enum NumberField: String, Sendable, Hashable, CaseIterable {
    /// The release year.
    case year
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
    /// The number of channels.
    case channels
  }
}

/// The text that a query compares with, and how.
public struct TextPattern: Sendable, Hashable {
  /// How the text is compared.
  public enum Kind: Sendable, Hashable {
    /// A word begins with it. If it has several words, these follow one another and the last one may be unfinished.
    case beginning
    /// It occurs as whole words that follow one another.
    case words
    /// It is the whole text, or the whole of one of several values.
    case exact
  }

  /// The text as typed; not folded, not empty.
  public var text: String
  /// How the text is compared.
  public var kind: Kind

  /// Creates the pattern `text`.
  public init(_ text: String, kind: Kind = .beginning) {
    self.text = text
    self.kind = kind
  }
}

/// A range of values that includes both bounds; a `nil` bound is open.
public struct QueryRange<Bound: Sendable & Hashable>: Sendable, Hashable {
  /// The lower bound.
  public var lower: Bound?
  /// The upper bound.
  public var upper: Bound?

  /// Creates the range from `lower` to `upper`.
  public init(from lower: Bound?, to upper: Bound?) {
    self.lower = lower
    self.upper = upper
  }
}

extension LibraryQuery {
  /// Matches no track.
  public static let nothing = LibraryQuery.not(.everything)

  /// Returns the query that matches where all of `parts` do, simplified and without duplicates; ``everything`` for
  /// none.
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

  /// Returns the query that matches where any of `parts` does, simplified and without duplicates; ``nothing`` for none.
  public static func disjunction(_ parts: some Sequence<LibraryQuery>) -> LibraryQuery {
    var flat: [LibraryQuery] = []
    for part in parts where part != .nothing {
      if case .any(let inner) = part { flat.append(contentsOf: inner) } else { flat.append(part) }
    }
    if flat.contains(.everything) { return .everything }
    dropRepetitions(&flat)
    return flat.count > 1 ? .any(flat) : flat.first ?? .nothing
  }

  /// The simplified query that matches where this one does not.
  public var negation: LibraryQuery {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  /// Returns the query that matches where both do.
  public func and(_ other: LibraryQuery) -> LibraryQuery { .conjunction([self, other]) }

  /// The same query in its simplest form: nested conjunctions and disjunctions are merged, parts without effect are
  /// left out, an empty text matches everything, and an empty range matches nothing.
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
