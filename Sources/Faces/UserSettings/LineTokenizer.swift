// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits a line into words as a shell does: at white space, except within '…' or "…", or after a backslash.
package enum LineTokenizer {
  /// Returns the words of `line`; none if it is empty or begins with `#`.
  package static func words(_ line: String) throws(QuotationError) -> [String] {
    let scanner = LineScanner(line[...])
    if scanner.isComment { return [] }
    if let quote = scanner.quote { throw QuotationError(mark: quote) }
    // A backslash at the end is literal.
    let last = scanner.last.map { [scanner.isEscaped ? $0.text + "\\" : $0.text] } ?? []
    return scanner.words.map(\.text) + last
  }
}

/// The error for a quotation mark without a closing one.
package struct QuotationError: Error, Equatable {
  /// The mark.
  package let mark: Character
}

/// Splits a line that may be incomplete into words as a shell does: at white space, except within '…' or "…", or after
/// a backslash.
package struct LineScanner {
  /// A word of a line.
  package struct Word: Equatable {
    /// The text without quotation marks.
    package var text: String
    /// The index in the line at which it begins.
    package let start: String.Index

    /// Creates the word `text`, which begins at `start`.
    package init(text: String, start: String.Index) {
      self.text = text
      self.start = start
    }
  }

  /// The complete words.
  package private(set) var words: [Word] = []
  /// The word at the end of the line, which may be incomplete.
  package private(set) var last: Word?
  /// The quotation mark that is still open.
  package private(set) var quote: Character?
  /// Whether the last character is a backslash that escapes the next one.
  private(set) var isEscaped = false
  /// Whether the line is a comment, which has no words.
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
