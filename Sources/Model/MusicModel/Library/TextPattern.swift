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
