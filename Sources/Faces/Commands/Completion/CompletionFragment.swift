// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import UnicodeText
import UserSettings

/// The part of a command line that a completion replaces.
struct CompletionFragment {
  /// What the fragment can be completed to.
  private(set) var subject: CompletionSubject
  /// The part of a name that has been typed.
  private(set) var typed: String
  /// The text before the name in the same word.
  private(set) var prefix = ""
  /// The start of the word that is not completed, such as `--library=`.
  private let head: String
  /// The index in the line at which the fragment begins.
  let start: String.Index
  /// The quotation mark with which the fragment begins, if any.
  let mark: Character?

  /// Creates the fragment for an unfinished word.
  ///
  /// - Parameters:
  ///   - word: The word at the cursor.
  ///   - subject: What the word can be completed to.
  ///   - arguments: The arguments before the word, without options.
  ///   - head: The start of the word that is not completed.
  init(
    _ word: UnfinishedWord, _ subject: CompletionSubject, after arguments: [LineScanner.Word],
    head: String = ""
  ) {
    self.subject = subject
    self.head = head
    typed = String(word.text.dropFirst(head.count))
    switch subject {
    case .filterValue(_, let first), .chosenFilterValue(_, let first):
      // Several words form one value of a filter.
      let words = arguments.dropFirst(first)
      typed = (words.map(\.text) + [word.text]).joined(separator: " ")
      start = words.first?.start ?? word.start
      mark = words.isEmpty ? word.mark : nil
    default:
      start = word.start
      mark = word.mark
    }
    switch subject {
    case .path, .directory:
      let slash = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
      prefix = String(typed[..<slash])
      typed = String(typed[slash...])
    case .query: readQuery()
    default: break
    }
    prefix = head + prefix
  }

  /// Splits the unfinished last term of a query into its parts.
  private mutating func readQuery() {
    let term = typed[lastTerm...]
    prefix = String(typed[..<lastTerm])
    guard let colon = term.firstIndex(of: ":") else {
      subject = term.contains("\"") ? .nothing : .queryField
      typed = String(term)
      return
    }
    let name = term[..<colon].lowercased()
    guard let field = LibraryQuery.TextField.allCases.first(where: { $0.rawValue == name }) else {
      subject = .nothing
      return
    }
    subject = .queryValue(field)
    var value = term[term.index(after: colon)...]
    if value.first == "=" { value.removeFirst() }
    prefix += term[..<value.startIndex]
    if value.first == "\"" { value.removeFirst() }
    // A value that ends with a quotation mark is complete.
    if value.last == "\"", value.dropLast().last != "\\" { subject = .nothing }
    typed = String(value.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\"))
  }

  /// The index at which the last term of the query begins. A word contains several terms only if it is quoted in the
  /// line.
  private var lastTerm: String.Index {
    var start = typed.startIndex
    var isQuoted = false
    for index in typed.indices {
      let character = typed[index]
      let next = typed.index(after: index)
      if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted,
        character.isWhitespace && mark != nil || (character == "(" || character == "-") && start == index
      {
        start = next
      }
    }
    return start
  }

  /// The directory part of the path that is being typed; empty for the working directory.
  var directory: String { String(prefix.dropFirst(head.count)) }

  /// Returns how well `name` matches the typed text; `nil` if it does not match.
  func rank(of name: String) -> TypedBeginning.Rank? {
    if !subject.isLiteral { return TypedBeginning(typed).rank(of: name) }
    return name.foldedForMatching.hasPrefix(typed.foldedForMatching) ? .name : nil
  }

  /// Returns `name` with its first letters in the case in which they were typed.
  func keepingCase(_ name: String) -> String {
    let beginning = name.prefix(typed.count)
    return beginning.lowercased() == typed.lowercased() ? typed + name.dropFirst(typed.count) : name
  }

  /// Returns the word with its typed part completed to `name`.
  ///
  /// - Parameter isWhole: Whether `name` is complete, rather than a prefix.
  func spelling(_ name: String, isWhole: Bool) -> String {
    guard case .queryValue(let field) = subject else { return prefix + name }
    let text = LibraryQuery.text(field, TextPattern(name)).description.dropFirst(field.rawValue.count + 1)
    guard text.hasPrefix("\"") else { return prefix + text }
    // A prefix pattern ends with a star after the quotation mark.
    return prefix + text.dropLast(isWhole ? 1 : 2)
  }

  /// Returns whether typing continues after `name`, because it is a directory, an output that has a parameter, a
  /// field of a query, or a setting.
  func isOpen(after name: String) -> Bool {
    switch subject {
    case .path, .directory: name.hasSuffix("/")
    case .queryField, .assignment: true
    case .output: name.hasSuffix(":")
    default: false
    }
  }
}

/// The words of a command line up to the cursor, the last of which is unfinished.
struct UnfinishedWord {
  let before: [LineScanner.Word]
  /// The unfinished word without quotation marks; empty if it has not been begun.
  let text: String
  /// The index in the line at which the unfinished word begins.
  let start: String.Index
  /// The quotation mark with which the unfinished word begins, if any.
  let mark: Character?
  /// The quotation mark that is still open at the cursor, if any.
  let openQuote: Character?

  /// Creates the unfinished word `text` after the words `before`, all as a shell passes them.
  init(_ text: String, after before: [String]) {
    self.text = text
    start = text.startIndex
    self.before = before.map { LineScanner.Word(text: $0, start: $0.startIndex) }
    // A word that contains white space must have been quoted.
    mark = text.contains(where: \.isWhitespace) ? "'" : nil
    openQuote = nil
  }

  /// Creates the words of `line` up to `cursor`. Returns `nil` if the line is a comment.
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
