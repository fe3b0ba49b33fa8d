/// Completes the word at the cursor of a line.
struct LineCompleter {
  private let completer: WordCompleter

  /// Completes with the commands of `grammar` and what `source` has.
  init(grammar: CommandGrammar, source: any CompletionSource) {
    completer = WordCompleter(grammar: grammar, source: source)
  }

  /// How `line` may go on at `cursor`.
  func completion(of line: String, cursor: String.Index) -> LineCompletion {
    guard let word = UnfinishedWord(line, cursor: cursor) else { return LineCompletion() }
    let (fragment, candidates) = completer.completion(of: word)
    guard let first = candidates.first else { return LineCompletion() }
    let isClosed = word.openQuote != nil && line[cursor...].first == word.openQuote
    let end = isClosed ? line.index(after: cursor) : cursor
    var completion = LineCompletion(
      countBefore: line[fragment.start..<cursor].unicodeScalars.count, countBehind: isClosed ? 1 : 0,
      choices: candidates.map(\.name))
    if candidates.count == 1 {
      let isOpen = fragment.isOpen(behind: first.name)
      let text = WordQuoting.word(
        fragment.spelling(first.text, isWhole: !isOpen), mark: fragment.mark, isOpen: isOpen)
      let isFollowed = isOpen || line[end...].first?.isWhitespace ?? false
      completion.insertion = text.map { isFollowed ? $0 : $0 + " " }
    } else {
      let common = CommonBeginning.of(candidates.filter { $0.rank == first.rank }.map(\.text))
      if fragment.rank(of: common) != nil {
        completion.insertion = WordQuoting.word(
          fragment.spelling(common, isWhole: false), mark: fragment.mark, isOpen: true)
      }
    }
    if completion.insertion == String(line[fragment.start..<end]) { completion.insertion = nil }
    return completion
  }
}
