// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// Completes the word at the cursor for a shell.
///
/// The shell calls the program as `segue ---complete SHELL ...`. bash passes the line before the cursor, and the part
/// of it that its editor would replace; zsh passes the words without quotation marks, the unfinished one last; fish
/// does the same, but with the unfinished word as typed. The first line of the answer is `words`, `open` (typing
/// continues after the word), or `files` or `directories` (the shell completes these itself). Each further line is a
/// candidate, followed by a tab and a note if it has one; for bash, candidates are quoted. Completion creates no files,
/// and prints no errors, since messages would disturb the user's typing.
struct ShellCompletion {
  /// The argument that requests completions.
  static let word = "---complete"

  /// The answer to a request of a shell.
  enum Answer: Equatable {
    /// The shell completes the names of files or directories itself.
    case files, directories
    /// Candidates for the word. If `isOpen`, typing continues after them.
    case words([String], isOpen: Bool)

    /// The lines to print for the shell.
    var lines: [String] {
      switch self {
      case .files: ["files"]
      case .directories: ["directories"]
      case .words(let words, let isOpen): [isOpen ? "open" : "words"] + words
      }
    }
  }

  private let source: (_ words: [String]) -> any CompletionSource

  /// Creates completions with the names from a source, which may depend on the words of the command line.
  init(source: @escaping (_ words: [String]) -> any CompletionSource) { self.source = source }

  /// Creates completions with the names in the libraries of `services`.
  init(_ services: @escaping () -> Services) {
    self.init { words in
      let directory = { (option: String, defaultPath: FilePath) in
        Self.values(of: option, in: words).last.map { FilePath(typed: $0) } ?? defaultPath
      }
      let library = Self.values(of: "--library", in: words).map { FilePath(typed: $0) }
      let settings = Settings.ofProcess { [] }
      return LibraryCompletions(
        Session(
          services: services(), isConversation: false, settings: settings,
          library: LibraryRoots(library) ?? settings.library,
          stateDirectory: directory("--state-dir", Environment.stateDirectory),
          dataDirectory: directory("--data-dir", Environment.dataDirectory), output: .captured(CapturedOutput())))
    }
  }

  /// Returns the answer to the arguments after ``word``; `nil` if they are invalid.
  func answer(_ arguments: [String]) -> Answer? {
    guard let shell = arguments.first.flatMap(CompletedShell.init(rawValue:)) else { return nil }
    let words = Array(arguments.dropFirst())
    switch shell {
    case .bash:
      guard words.count == 2 else { return nil }
      return BashLine(words[0], edited: words[1]).flatMap { line in
        answer(line.word) { text, _ in line.replacement(text) }
      }
    case .zsh: return answer(words, text: words.last ?? "")
    case .fish:
      let token = LineScanner((words.last ?? "")[...])
      return answer(words, text: token.last?.text ?? "", keepsTypedCase: true)
    }
  }

  private func answer(_ words: [String], text: String, keepsTypedCase: Bool = false) -> Answer? {
    answer(UnfinishedWord(text, after: words.dropLast()), keepsTypedCase: keepsTypedCase) { text, note in
      note.isEmpty ? text : "\(text)\t\(note)"
    }
  }

  /// Returns the answer for `word`.
  ///
  /// - Parameters:
  ///   - keepsTypedCase: Whether the first letters of query values have the case in which they were typed. fish
  ///     requires this: it only offers candidates that contain the typed letters in order.
  ///   - spell: Returns a candidate in the form that the shell expects, or `nil` to omit it.
  private func answer(
    _ word: UnfinishedWord, keepsTypedCase: Bool = false, spell: (_ text: String, _ note: String) -> String?
  ) -> Answer {
    let before = word.before.map(\.text)
    let completer = WordCompleter(grammar: CommandGrammar(SegueCommand.self), source: source(before))
    let (fragment, candidates) = completer.completion(of: word)
    switch fragment.subject {
    case .path: return .files
    case .directory: return .directories
    // A word that matches no album may be a directory.
    case .album where candidates.isEmpty: return .files
    default: break
    }
    // A shell inserts the common prefix of all candidates, so offer only those with the best rank.
    let best = candidates.filter { $0.rank == candidates.first?.rank }
    let isOpen = best.contains { fragment.isOpen(after: $0.name) }
    return .words(
      best.compactMap { candidate in
        let text =
          keepsTypedCase && fragment.subject.isQueryValue ? fragment.keepingCase(candidate.text) : candidate.text
        return spell(fragment.spelling(text, isWhole: !isOpen), candidate.note.typable)
      }, isOpen: isOpen)
  }

  /// Returns the values of `option` in `words`.
  private static func values(of option: String, in words: [String]) -> [String] {
    var values: [String] = []
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count {
        values.append(words[index + 1])
      } else if word.hasPrefix(option + "=") {
        values.append(String(word.dropFirst(option.count + 1)))
      }
    }
    return values
  }
}

/// A bash command line up to the cursor. The last word is being completed.
struct BashLine {
  /// The unfinished word without quotation marks, and the words before it, without the name of the program.
  let word: UnfinishedWord
  /// The quotation mark that is open where the part to replace begins, if any.
  private let quote: Character?
  /// The text of the word before the part to replace, without quotation marks.
  private let unreplaced: String

  /// Creates the line `text`. `edited` is the end of the line that bash's editor replaces; the editor splits words at
  /// colons and equal signs.
  init?(_ text: String, edited: String) {
    let scanner = LineScanner(text[...])
    guard !scanner.isComment, !scanner.words.isEmpty else { return nil }
    let start = scanner.last?.start ?? text.endIndex
    let raw = text[start...]
    let unreplaced = raw.hasSuffix(edited) ? raw.dropLast(edited.count) : raw[raw.startIndex..<raw.startIndex]
    let unreplacedScanner = LineScanner(unreplaced)
    quote = unreplacedScanner.quote
    self.unreplaced = unreplacedScanner.last?.text ?? ""
    word = UnfinishedWord(scanner.last?.text ?? "", after: scanner.words.dropFirst().map(\.text))
  }

  /// Returns the text with which to replace `edited`, so that the word becomes `text`. Returns `nil` if that is
  /// impossible.
  func replacement(_ text: String) -> String? {
    guard text.foldedForMatching.hasPrefix(unreplaced.foldedForMatching) else { return nil }
    return BashQuoting.text(String(text.dropFirst(unreplaced.count)), within: quote)
  }
}

/// Quotes text so that bash reads it as a part of one word.
enum BashQuoting {
  private static let special = Set(" \t\"'`\\$|&;<>()*?[]{}#~=:!^%@")

  /// Returns `text` for use inside of the quotation mark `mark`, which bash's editor closes. Special characters are
  /// escaped with backslashes if `mark` is `nil`.
  static func text(_ text: String, within mark: Character?) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      let character = Character(scalar)
      switch (mark, character) {
      // Single quotes allow no escapes: close them, add an escaped quote, and open them again.
      case ("'", "'"): quoted += "'\\''"
      case ("'", _): quoted.append(character)
      // A backslash does not protect an exclamation mark in double quotes either.
      case ("\"", "!"): quoted += "\"'!'\""
      case ("\"", "\""), ("\"", "\\"), ("\"", "$"), ("\"", "`"): quoted += "\\\(character)"
      case ("\"", _): quoted.append(character)
      default: quoted += special.contains(character) ? "\\\(character)" : "\(character)"
      }
    }
    // The editor does not add a closing quotation mark if the text ends with one.
    return mark.map { quoted.last == $0 ? quoted + String($0) : quoted } ?? quoted
  }
}
