import UnicodeText

/// A line of bash up to the cursor, in which the last word is being completed.
struct BashLine {
  /// The word, without marks, and those between it and the name of the program.
  let word: UnfinishedWord
  /// The marks that the part of the word begins in that gives way.
  private let quote: Character?
  /// What stands before that part in the word, without marks.
  private let kept: String

  /// The line `text`, of which bash's editor replaces the end `edited`; it takes colons and equal signs for the ends of
  /// words.
  init?(_ text: String, edited: String) {
    let scanner = LineScanner(text[...])
    guard !scanner.isComment, !scanner.words.isEmpty else { return nil }
    let start = scanner.last?.start ?? text.endIndex
    let raw = text[start...]
    let kept = raw.hasSuffix(edited) ? raw.dropLast(edited.count) : raw[raw.startIndex..<raw.startIndex]
    let keptScanner = LineScanner(kept)
    quote = keptScanner.quote
    self.kept = keptScanner.last?.text ?? ""
    word = UnfinishedWord(scanner.last?.text ?? "", after: scanner.words.dropFirst().map(\.text))
  }

  /// What takes the place of what the editor replaces, so that bash reads the word `text`; `nil` where that cannot be.
  func replacement(_ text: String) -> String? {
    guard text.foldedForMatching.hasPrefix(kept.foldedForMatching) else { return nil }
    return BashQuoting.text(String(text.dropFirst(kept.count)), within: quote)
  }
}
