/// What stands before the cursor in a line: words, and one that is being typed.
struct UnfinishedWord {
  /// The words before it.
  let before: [LineScanner.Word]
  /// What of it is typed, without the marks that quote it; empty where it has not begun.
  let text: String
  /// Where it begins in the line.
  let start: String.Index
  /// The quotation mark that it begins with.
  let mark: Character?
  /// The quotation mark that has no partner before the cursor.
  let openQuote: Character?

  /// The word `text` behind `before`, as a shell has read them.
  init(_ text: String, after before: [String]) {
    self.text = text
    start = text.startIndex
    self.before = before.map { LineScanner.Word(text: $0, start: $0.startIndex) }
    // White space in it was quoted somehow.
    mark = text.contains(where: \.isWhitespace) ? "'" : nil
    openQuote = nil
  }

  /// The word at `cursor` of `line`; `nil` in a comment.
  init?(_ line: String, cursor: String.Index) {
    let scanner = LineScanner(line[..<cursor])
    if scanner.isComment { return nil }
    before = scanner.words
    text = scanner.last?.text ?? ""
    start = scanner.last?.start ?? cursor
    openQuote = scanner.quote
    let first = start < cursor ? line[start] : nil
    mark = first == "\"" || first == "'" ? first : nil
  }
}
