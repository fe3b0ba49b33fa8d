/// Completes the lines that are typed at the prompt.
final class ReplCompletion: LineCompleting {
  private let source: LibraryCompletions
  private var completer: LineCompleter?
  private var key = CompletionKey()

  /// Completes with the words of the REPL, and what the library of `session` holds.
  init(_ session: Session) { source = LibraryCompletions(session) }

  func begin() { key = CompletionKey() }

  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect {
    // To learn the words takes time that nobody should wait for who never asks.
    let completer = completer ?? LineCompleter(grammar: CommandGrammar(ReplWord.self), source: source)
    self.completer = completer
    let completion = completer.completion(of: line, cursor: cursor)
    return key.press(completion, line: line, place: line[..<cursor].unicodeScalars.count)
  }
}
