import UnicodeText

/// What was typed of a name, to be compared with names without regard to case, accents and width.
struct TypedBeginning {
  /// How well a name answers, best first.
  enum Rank: Int, Comparable {
    /// The name begins so.
    case name
    /// A word in it does.
    case word

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  private let words: String
  private let isBlank: Bool

  /// What is meant by `text`.
  init(_ text: String) {
    let words = text.searchWords
    self.words = text.last?.isWhitespace ?? true ? words : String(words.dropLast())
    isBlank = text.allSatisfy(\.isWhitespace)
  }

  /// How well `name` answers; `nil` where it does not.
  func rank(of name: String) -> Rank? {
    if isBlank { return .name }
    if words.isEmpty { return nil }
    let other = name.searchWords
    return other.hasPrefix(words) ? .name : other.contains(words) ? .word : nil
  }
}
