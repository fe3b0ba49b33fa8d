/// What is asked of a library: a pure value that can be written, read back, stored and combined.
///
/// It is true or false of one track; an album, an artist or a genre answers it where one of its tracks does. Texts
/// compare folded: without regard to case, diacritics and width.
public indirect enum LibraryQuery: Sendable, Hashable {
  /// True of every track.
  case everything
  /// Some text of the track.
  case text(TextField, TextPattern)
  /// A number of the track, within a range.
  case number(NumberField, QueryRange<Int>)
  /// The day on which the track was added.
  case added(QueryRange<ReleaseDate>)
  /// True where the other is not.
  case not(LibraryQuery)
  /// True where all are; at least two.
  case all([LibraryQuery])
  /// True where one is; at least two.
  case any([LibraryQuery])

  /// The texts that can be asked for.
  public enum TextField: String, Sendable, Hashable, CaseIterable {
    /// Title, artist, album, album artist, genre and composer.
    case anywhere = "any"
    /// The track's title.
    case title
    /// The artists of the track, and those of its album.
    case artist
    /// The album's title.
    case album
    /// The artists of the album.
    case albumArtist = "albumartist"
    /// The genres.
    case genre
    /// The composers.
    case composer
    /// Where the file is: its path below the library's directory, byte for byte. It begins with the text, or, as a
    /// whole text, is that, or lies in the directory of that name; words are not asked for in it, so both other kinds
    /// are one.
    case path
    /// The format, as the suffix that people know it by: "flac", "mp3", "ogg", "opus".
    case format
  }

  /// The numbers that can be asked for.
  public enum NumberField: String, Sendable, Hashable, CaseIterable {
    /// The year of release.
    case year
    /// The track's number on its disc.
    case track
    /// The disc's number in its set.
    case disc
    /// How long it lasts, in whole seconds.
    case duration
    /// The sample rate, in Hz.
    case rate
    /// The bits of a sample.
    case bits
    /// The samples of a frame.
    case channels
  }
}

/// What a text is compared with.
public struct TextPattern: Sendable, Hashable {
  /// How it is compared.
  public enum Kind: Sendable, Hashable {
    /// A word of the text begins with it; of several words, they follow one another, and the last one may go on.
    case beginning
    /// It is a word of the text, or several that follow one another.
    case words
    /// It is the whole text, or the whole of one of several values.
    case exact
  }

  /// As the user wrote it; not folded, not empty.
  public var text: String
  /// How it is compared.
  public var kind: Kind

  /// The pattern `text`.
  public init(_ text: String, kind: Kind = .beginning) {
    self.text = text
    self.kind = kind
  }
}

/// The values from one to another, both within; an end that is `nil` is open.
public struct QueryRange<Bound: Sendable & Hashable>: Sendable, Hashable {
  /// The least value.
  public var lower: Bound?
  /// The greatest value.
  public var upper: Bound?

  /// The range from `lower` to `upper`.
  public init(from lower: Bound?, to upper: Bound?) {
    self.lower = lower
    self.upper = upper
  }
}

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
