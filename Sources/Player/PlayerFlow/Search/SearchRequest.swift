public import MusicModel

/// What is asked of a library by all views together.
public struct SearchRequest: Sendable, Hashable {
  /// The text that is searched for; as it stands, and no query.
  public var text = ""
  /// What narrows it besides.
  public var filters = LibraryFilters()
}

/// Something that is being read, or will be as soon as nothing more is typed.
public struct SearchAsk: Sendable, Hashable {
  /// Which rows of the answer.
  public enum Part: Sendable, Hashable {
    /// The first ones, of an answer of which nothing is known.
    case first
    /// Those that follow behind so many.
    case more(behind: Int)
    /// So many from the beginning, which were read before.
    case again(Int)
  }

  /// Its number: a later one has a greater number, and each has one of its own.
  public let number: UInt64
  /// What is asked.
  public let request: SearchRequest
  /// Which rows.
  public let part: Part
  /// The most rows that are read.
  public let limit: Int
  /// Whether its text is being typed, so that it waits for the next key.
  public let isTyped: Bool
}
