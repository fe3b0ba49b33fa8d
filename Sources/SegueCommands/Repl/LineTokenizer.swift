/// Splits a line into words as a shell does: at white space, but not within '…' or "…", nor behind a backslash.
enum LineTokenizer {
  /// Why a line cannot be split.
  enum Failure: Error, Equatable {
    /// A quotation mark has no partner.
    case unterminated(Character)
  }

  /// The words of `line`; none for a line that is empty or begins with `#`.
  static func words(_ line: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let mark = quote {
        if character == mark { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else if character == "#", word == nil, words.isEmpty {
        return []
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote { throw .unterminated(quote) }
    if isEscaped { word = (word ?? "") + "\\" }
    return words + (word.map { [$0] } ?? [])
  }
}
