// SPDX-License-Identifier: GPL-3.0-or-later

import Terminal
import UnicodeText
import UserSettings

/// Completes the word at the cursor of a line with a command of the REPL.
final class LineCompleter: LineCompleting {
  private let completer: WordCompleter
  private var key = CompletionKey()

  /// Creates a completer with the names from `source`.
  init(_ source: any CompletionSource) {
    completer = WordCompleter(grammar: CommandGrammar(ReplWord.self), source: source)
  }

  /// Creates a completer with the names from the library of `session`.
  convenience init(_ session: Session) { self.init(LibraryCompletions(session)) }

  func begin() { key = CompletionKey() }

  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect {
    key.press(completion(of: line, cursor: cursor), line: line, cursor: line[..<cursor].unicodeScalars.count)
  }

  /// Returns the completion of `line` at `cursor`.
  func completion(of line: String, cursor: String.Index) -> LineCompletion {
    guard let word = UnfinishedWord(line, cursor: cursor) else { return LineCompletion() }
    let (fragment, candidates) = completer.completion(of: word)
    guard let first = candidates.first else { return LineCompletion() }
    let isClosed = word.openQuote != nil && line[cursor...].first == word.openQuote
    let end = isClosed ? line.index(after: cursor) : cursor
    var completion = LineCompletion(
      countBefore: line[fragment.start..<cursor].unicodeScalars.count, countAfter: isClosed ? 1 : 0,
      choices: candidates.map(\.name))
    if candidates.count == 1 {
      let isOpen = fragment.isOpen(after: first.name)
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

/// Computes the longest common prefix of several names.
enum CommonBeginning {
  /// Returns the longest prefix that all of `names` share, ignoring case, accents and width. It is spelled as in the
  /// first name.
  static func of(_ names: [String]) -> String {
    guard var common = names.first.map({ Array($0) }) else { return "" }
    for name in names.dropFirst() {
      let count = zip(common, name).prefix { isSame($0, $1) }.count
      common.removeLast(common.count - count)
    }
    return String(common)
  }

  private static func isSame(_ left: Character, _ right: Character) -> Bool {
    if left == right { return true }
    let folded = String(left).foldedForMatching
    return !folded.isEmpty && folded == String(right).foldedForMatching
  }
}

/// Quotes text so that ``LineTokenizer`` reads it as one word.
enum WordQuoting {
  /// Returns `text` as one word.
  ///
  /// - Parameters:
  ///   - mark: The quotation mark to use; `nil` to use one only if it is needed.
  ///   - isOpen: Whether typing may continue, so that the closing quotation mark is omitted.
  /// - Returns: `nil` if `text` cannot be a word of a line.
  static func word(_ text: String, mark: Character?, isOpen: Bool) -> String? {
    guard !text.isEmpty, !text.contains(where: \.isNewline) else { return nil }
    let mark = mark ?? (isPlain(text) ? nil : text.contains("\"") && !text.contains("'") ? "'" : "\"")
    guard let mark else { return text }
    var word = String(mark)
    for character in text {
      switch (mark, character) {
      case ("\"", "\""), ("\"", "\\"): word += "\\\(character)"
      // Single quotes allow no escapes: close them, add an escaped quote, and open them again.
      case ("'", "'"): word += "'\\''"
      default: word.append(character)
      }
    }
    let whole = word + String(mark)
    // A combining mark at the start of the text would combine with the quotation mark into one character.
    guard (try? LineTokenizer.words("a " + whole)) == ["a", text] else { return nil }
    return isOpen ? word : whole
  }

  private static func isPlain(_ text: String) -> Bool {
    text.first != "#" && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "\\" }
      && (try? LineTokenizer.words("a " + text)) == ["a", text]
  }
}
