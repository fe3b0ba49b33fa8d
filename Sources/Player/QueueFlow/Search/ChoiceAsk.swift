public import MusicModel

/// Values to choose from that are being read, or will be as soon as nothing more is typed.
public struct ChoiceAsk: Sendable, Hashable {
  /// Its number: a later one has a greater number, and each has one of its own.
  public let number: UInt64
  /// Whose values.
  public let kind: LibraryFilters.Kind
  /// The query that they answer; empty where a text is searched for.
  public let text: String
  /// The filters that they answer: those of the other kinds.
  public let filters: LibraryFilters
  /// Whether its text is being typed, so that it waits for the next key.
  public let isTyped: Bool

  init(_ number: UInt64, _ kind: LibraryFilters.Kind, for request: SearchRequest, isTyped: Bool) {
    self.number = number
    self.kind = kind
    text = request.listing == .hits ? "" : request.text
    var others = request.filters
    others.removeAll(of: kind)
    filters = others
    self.isTyped = isTyped
  }

  /// Whether both have one answer.
  func isSame(as other: ChoiceAsk) -> Bool {
    kind == other.kind && text == other.text && filters == other.filters
  }
}
