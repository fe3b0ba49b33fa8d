import Platform
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// Answers a shell that completes the word that is being typed.
///
/// The program is called as `segue ---complete SHELL ...`: bash says the line before the cursor and the part of it that
/// its editor would replace; zsh the words, without their quotation marks, the unfinished one last; fish the same, but
/// that one as it is typed. The first line of the answer is `words`, `open` (more is typed behind the word), `files` or
/// `directories` (those of the shell), and each of the others what the word may become, with a note behind a tab, for
/// bash already quoted. It makes no files, and knows no errors: who types wants no messages.
struct ShellCompletion {
  /// The word that asks for it.
  static let word = "---complete"

  /// What may be typed.
  enum Answer: Equatable {
    /// What the shell knows itself.
    case files, directories
    /// These candidates, behind which more is typed where they are `open`.
    case words([String], isOpen: Bool)

    /// The lines that say so.
    var lines: [String] {
      switch self {
      case .files: ["files"]
      case .directories: ["directories"]
      case .words(let words, let isOpen): [isOpen ? "open" : "words"] + words
      }
    }
  }

  private let source: (_ words: [String]) -> any CompletionSource

  /// Completes with what `source` has for a command line.
  init(source: @escaping (_ words: [String]) -> any CompletionSource) { self.source = source }

  /// Completes with what the libraries of `services` have.
  init(_ services: @escaping () -> Services) {
    self.init { words in
      let named = { (option: String, other: FilePath) in
        Self.values(of: option, in: words).last.map { FilePath(typed: $0) } ?? other
      }
      let library = Self.values(of: "--library", in: words).map { FilePath(typed: $0) }
      let settings = Settings.ofProcess { [] }
      return LibraryCompletions(
        Session(
          services: services(), face: .commandLine, settings: settings,
          library: LibraryRoots(library) ?? settings.library,
          stateDirectory: named("--state-dir", Environment.stateDirectory),
          dataDirectory: named("--data-dir", Environment.dataDirectory), outlet: .kept(CapturedOutput())))
    }
  }

  /// The answer to `arguments`, which stand behind ``word``.
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
      return answer(words, text: token.last?.text ?? "", isCaseKept: true)
    }
  }

  private func answer(_ words: [String], text: String, isCaseKept: Bool = false) -> Answer? {
    answer(UnfinishedWord(text, after: words.dropLast()), isCaseKept: isCaseKept) { text, note in
      note.isEmpty ? text : "\(text)\t\(note)"
    }
  }

  /// - Parameter isCaseKept: whether the values of queries begin with the letters that are typed: fish offers nothing
  ///   in which what is typed does not stand so, with signs between its letters at most.
  private func answer(
    _ word: UnfinishedWord, isCaseKept: Bool = false, spell: (_ text: String, _ note: String) -> String?
  ) -> Answer {
    let before = word.before.map(\.text)
    let named = before.first == "help" ? before.dropFirst().first : before.first
    let grammar = CommandGrammar(SegueCommand.self, knowing: named)
    let (fragment, candidates) = WordCompleter(grammar: grammar, source: source(before)).completion(of: word)
    switch fragment.subject {
    case .path: return .files
    case .directory: return .directories
    // What is no album may be a directory.
    case .album where candidates.isEmpty: return .files
    default: break
    }
    // A shell puts in what all of them have in common: those that begin so, or else those with a word that does.
    let best = candidates.filter { $0.rank == candidates.first?.rank }
    let isOpen = best.contains { fragment.isOpen(behind: $0.name) }
    return .words(
      best.compactMap { candidate in
        let text =
          isCaseKept && fragment.subject.isQueryValue ? fragment.keepingCase(candidate.text) : candidate.text
        return spell(fragment.spelling(text, isWhole: !isOpen), candidate.note.typable)
      }, isOpen: isOpen)
  }

  /// The values of `option`.
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

/// Writes a text so that bash reads it as a part of one word.
enum BashQuoting {
  private static let special = Set(" \t\"'`\\$|&;<>()*?[]{}#~=:!^%@")

  /// `text` behind the quotation mark `mark`, which bash's editor closes, or behind none.
  static func text(_ text: String, within mark: Character?) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      let character = Character(scalar)
      switch (mark, character) {
      // Nothing is quoted within these marks: it stands between two such texts.
      case ("'", "'"): quoted += "'\\''"
      case ("'", _): quoted.append(character)
      // Nor would a backslash go before this one.
      case ("\"", "!"): quoted += "\"'!'\""
      case ("\"", "\""), ("\"", "\\"), ("\"", "$"), ("\"", "`"): quoted += "\\\(character)"
      case ("\"", _): quoted.append(character)
      default: quoted += special.contains(character) ? "\\\(character)" : "\(character)"
      }
    }
    // The editor puts in no mark where there is one.
    return mark.map { quoted.last == $0 ? quoted + String($0) : quoted } ?? quoted
  }
}
