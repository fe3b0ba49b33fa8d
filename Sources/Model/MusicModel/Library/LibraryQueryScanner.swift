/// Cuts a query into words, quoted texts and signs, from left to right: by scalars, so that no mark hides a sign before
/// it.
struct LibraryQueryScanner {
  /// A word, or a quoted text, with the signs that belong to it.
  struct Value {
    /// What stands in it, without quotes.
    var text: String
    /// Whether it was in quotes.
    var isQuoted: Bool
    /// Whether a `*` stood behind it.
    var hasStar: Bool
    /// The index of its first scalar.
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

  /// Takes `character`, if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    index += 1
    return true
  }

  /// How many of `character` come next; takes them.
  mutating func takeAll(_ character: Unicode.Scalar) -> Int {
    let start = index
    while next == character { index += 1 }
    return index - start
  }

  /// Takes ASCII letters and the colon behind them; nothing where that is not what comes next.
  mutating func takeFieldName() -> String? {
    let end = scalars[index...].firstIndex { !($0.isASCII && $0.properties.isAlphabetic) } ?? scalars.endIndex
    guard end > index, end < scalars.endIndex, scalars[end] == ":" else { return nil }
    defer { index = end + 1 }
    return String(scalars[index..<end]).lowercased()
  }

  mutating func goBack(to index: Int) { self.index = index }

  /// Takes a quoted text, or what stands before the next white space or parenthesis; empty where that comes at once.
  mutating func takeValue() throws(LibraryQueryError) -> Value {
    let start = index
    if take("\"") {
      let text = try takeQuoted(from: start)
      return Value(text: text, isQuoted: true, hasStar: take("*"), start: start)
    }
    while let next, !next.properties.isWhitespace, next != "(", next != ")" { index += 1 }
    var text = scalars[start..<index]
    let hasStar = text.last == "*"
    if hasStar { text.removeLast() }
    return Value(text: String(text), isQuoted: false, hasStar: hasStar, start: start)
  }

  private mutating func takeQuoted(from start: Int) throws(LibraryQueryError) -> String {
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
    throw LibraryQueryError(column: start + 1, message: "this quotation mark is not closed")
  }
}

extension String {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
