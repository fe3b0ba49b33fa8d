/// Splits a line into words as a shell does: at white space, but not within '…' or "…", nor behind a backslash.
package enum LineTokenizer {
  /// The words of `line`; none for a line that is empty or begins with `#`.
  package static func words(_ line: String) throws(QuotationError) -> [String] {
    let scanner = LineScanner(line[...])
    if scanner.isComment { return [] }
    if let quote = scanner.quote { throw QuotationError(mark: quote) }
    // A backslash at the end quotes nothing.
    let last = scanner.last.map { [scanner.isEscaped ? $0.text + "\\" : $0.text] } ?? []
    return scanner.words.map(\.text) + last
  }
}

/// A quotation mark of a line has no partner.
package struct QuotationError: Error, Equatable {
  /// The mark.
  package let mark: Character
}

/// Splits a line into words as a shell does, as far as it goes: at white space, but not within '…' or "…", nor behind a
/// backslash.
package struct LineScanner {
  /// A word of a line.
  package struct Word: Equatable {
    /// What it says, without the marks that quote it.
    package var text: String
    /// Where it begins in the line.
    package let start: String.Index

    /// The word `text`, which begins at `start`.
    package init(text: String, start: String.Index) {
      self.text = text
      self.start = start
    }
  }

  /// The words that are over.
  package private(set) var words: [Word] = []
  /// The word at the end of the line, which may go on.
  package private(set) var last: Word?
  /// The quotation mark that has no partner yet.
  package private(set) var quote: Character?
  /// Whether the last character is a backslash that quotes what follows.
  private(set) var isEscaped = false
  /// Whether it is a comment, which has no words.
  package private(set) var isComment = false

  /// Splits `line`.
  package init(_ line: Substring) {
    for index in line.indices {
      take(line[index], at: index)
      if isComment { return }
    }
  }

  private mutating func take(_ character: Character, at index: String.Index) {
    if isEscaped {
      append(character, at: index)
      isEscaped = false
    } else if character == "\\", quote != "'" {
      begin(at: index)
      isEscaped = true
    } else if let mark = quote {
      if character == mark { quote = nil } else { append(character, at: index) }
    } else if character == "\"" || character == "'" {
      begin(at: index)
      quote = character
    } else if character.isWhitespace {
      if let last { words.append(last) }
      last = nil
    } else if character == "#", last == nil, words.isEmpty {
      isComment = true
    } else {
      append(character, at: index)
    }
  }

  private mutating func begin(at index: String.Index) {
    if last == nil { last = Word(text: "", start: index) }
  }

  private mutating func append(_ character: Character, at index: String.Index) {
    begin(at: index)
    last?.text.append(character)
  }
}
