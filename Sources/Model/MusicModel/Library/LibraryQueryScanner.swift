// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits a query into words, quoted strings and symbols, from left to right. It reads Unicode scalars instead of
/// characters, so that a combining mark does not hide the symbol before it.
struct LibraryQueryScanner {
  /// A word or a quoted string.
  struct Value {
    /// The text without quotation marks.
    var text: String
    /// Whether the text was in quotation marks.
    var isQuoted: Bool
    /// Whether a `*` follows the text.
    var hasStar: Bool
    /// The index of the first scalar, including a quotation mark.
    var start: Int
  }

  let scalars: [Unicode.Scalar]
  private(set) var index = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  var isAtSpace: Bool { next?.properties.isWhitespace ?? true }

  mutating func skipSpace() {
    while let next, next.properties.isWhitespace { index += 1 }
  }

  /// Consumes `character` if it comes next. Returns whether it did.
  mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    index += 1
    return true
  }

  /// Consumes consecutive occurrences of `character` and returns their number.
  mutating func consumeAll(_ character: Unicode.Scalar) -> Int {
    let start = index
    while next == character { index += 1 }
    return index - start
  }

  /// Consumes ASCII letters followed by a colon and returns the letters in lower case. If something else comes next,
  /// consumes nothing and returns `nil`.
  mutating func consumeFieldName() -> String? {
    let end = scalars[index...].firstIndex { !($0.isASCII && $0.properties.isAlphabetic) } ?? scalars.endIndex
    guard end > index, end < scalars.endIndex, scalars[end] == ":" else { return nil }
    defer { index = end + 1 }
    return String(scalars[index..<end]).lowercased()
  }

  mutating func move(to index: Int) { self.index = index }

  /// Consumes a quoted string, or a word that ends before the next white space or parenthesis. The word may be empty.
  mutating func consumeValue() throws(LibraryQueryError) -> Value {
    let start = index
    if consume("\"") {
      let text = try consumeQuoted(from: start)
      return Value(text: text, isQuoted: true, hasStar: consume("*"), start: start)
    }
    while let next, !next.properties.isWhitespace, next != "(", next != ")" { index += 1 }
    var text = scalars[start..<index]
    let hasStar = text.last == "*"
    if hasStar { text.removeLast() }
    return Value(text: String(text), isQuoted: false, hasStar: hasStar, start: start)
  }

  private mutating func consumeQuoted(from start: Int) throws(LibraryQueryError) -> String {
    var text = String.UnicodeScalarView()
    while let character = next {
      index += 1
      if character == "\"" { return String(text) }
      guard character == "\\", let escaped = next else {
        text.append(character)
        continue
      }
      text.append(escaped)
      index += 1
    }
    throw LibraryQueryError(column: start + 1, message: "unclosed quotation mark")
  }
}

extension String {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
