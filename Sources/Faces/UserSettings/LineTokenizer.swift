// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits a line into words as a shell does: at white space that is neither quoted with '…' or "…" nor follows a
/// backslash.
package enum LineTokenizer {
  /// Returns the words of `line`; none if the line is empty or begins with `#`.
  package static func words(_ line: String) throws(QuotationError) -> [String] {
    let scanner = LineScanner(line[...])
    if scanner.isComment { return [] }
    if let quote = scanner.quote { throw QuotationError(mark: quote) }
    // A backslash at the end of the line is part of the word.
    let last = scanner.last.map { [scanner.isEscaped ? $0.text + "\\" : $0.text] } ?? []
    return scanner.words.map(\.text) + last
  }
}

/// The error for a line that contains an opening quotation mark without a closing one.
package struct QuotationError: Error, Equatable {
  /// The opening quotation mark.
  package let mark: Character
}

/// Splits a line that may be incomplete into words, by the same rules as ``LineTokenizer``.
package struct LineScanner {
  /// A word of a line.
  package struct Word: Equatable {
    /// The text of the word without quotation marks and escaping backslashes.
    package var text: String
    /// The index at which the word begins in the line.
    package let start: String.Index

    /// Creates a word with this text, which begins at `start` in the line.
    package init(text: String, start: String.Index) {
      self.text = text
      self.start = start
    }
  }

  /// The words that are followed by white space, and so are complete.
  package private(set) var words: [Word] = []
  /// The word at the end of the line, which may be incomplete; `nil` if the line ends with white space.
  package private(set) var last: Word?
  /// The opening quotation mark that has not been closed yet, if any.
  package private(set) var quote: Character?
  /// Whether the line ends with a backslash that escapes the next character.
  private(set) var isEscaped = false
  /// Whether the line is a comment, and so has no words.
  package private(set) var isComment = false

  /// Scans `line`.
  package init(_ line: Substring) {
    for index in line.indices {
      scan(line[index], at: index)
      if isComment { return }
    }
  }

  private mutating func scan(_ character: Character, at index: String.Index) {
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
