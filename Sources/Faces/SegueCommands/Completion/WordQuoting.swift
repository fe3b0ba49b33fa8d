/// Writes a text so that ``LineTokenizer`` reads it as one word.
enum WordQuoting {
  /// The word `text`, within `mark` where there is one, or else in the way that needs the fewest signs.
  ///
  /// - Parameter isOpen: whether it may go on, so that the quotation mark at its end is left out.
  /// - Returns: `nil` for a text that cannot be a word of a line.
  static func word(_ text: String, mark: Character?, isOpen: Bool) -> String? {
    guard !text.isEmpty, !text.contains(where: \.isNewline) else { return nil }
    let mark = mark ?? (isPlain(text) ? nil : text.contains("\"") && !text.contains("'") ? "'" : "\"")
    guard let mark else { return text }
    var word = String(mark)
    for character in text {
      switch (mark, character) {
      case ("\"", "\""), ("\"", "\\"): word += "\\\(character)"
      // Nothing is quoted within these marks: it stands between two such texts.
      case ("'", "'"): word += "'\\''"
      default: word.append(character)
      }
    }
    let whole = word + String(mark)
    // A mark that begins a text becomes one character with what stands before it.
    guard (try? LineTokenizer.words("a " + whole)) == ["a", text] else { return nil }
    return isOpen ? word : whole
  }

  private static func isPlain(_ text: String) -> Bool {
    text.first != "#" && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "\\" }
      && (try? LineTokenizer.words("a " + text)) == ["a", text]
  }
}
