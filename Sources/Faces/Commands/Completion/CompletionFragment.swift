import MusicModel
import UnicodeText
import UserSettings

/// The part of a line that gives way to what completes it.
struct CompletionFragment {
  /// What it is.
  private(set) var subject: CompletionSubject
  /// What is typed of the name.
  private(set) var typed: String
  /// What stands before the name in the same word.
  private(set) var prefix = ""
  /// What stands before all that, and is no part of the text that is completed: `--library=`.
  private let head: String
  /// Where it begins in the line.
  let start: String.Index
  /// The quotation mark that it begins with.
  let mark: Character?

  /// The unfinished `word`, behind `arguments` that are none of options; of the word, what stands behind `head`, with
  /// which it begins.
  init(
    _ word: UnfinishedWord, _ subject: CompletionSubject, after arguments: [LineScanner.Word],
    behind head: String = ""
  ) {
    self.subject = subject
    self.head = head
    typed = String(word.text.dropFirst(head.count))
    switch subject {
    case .filterValue(_, let first), .chosenFilterValue(_, let first):
      // Words behind one another are one value.
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

  /// Finds the end of a query of which the last word is unfinished.
  private mutating func readQuery() {
    let term = typed[lastTerm...]
    prefix = String(typed[..<lastTerm])
    guard let colon = term.firstIndex(of: ":") else {
      subject = term.contains("\"") ? .nothing : .queryField
      typed = String(term)
      return
    }
    guard let field = LibraryQuery.TextField(rawValue: term[..<colon].lowercased()) else {
      subject = .nothing
      return
    }
    subject = .queryValue(field)
    var value = term[term.index(after: colon)...]
    if value.first == "=" { value.removeFirst() }
    prefix += term[..<value.startIndex]
    if value.first == "\"" { value.removeFirst() }
    // A value that is closed is no longer typed.
    if value.last == "\"", value.dropLast().last != "\\" { subject = .nothing }
    typed = String(value.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\"))
  }

  /// Where the last condition of the query begins. Only within marks of the line has a word several.
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

  /// Of a path, the directory in which a name is being typed; empty for the one where the program is.
  var directory: String { String(prefix.dropFirst(head.count)) }

  /// How well `name` answers what is typed; `nil` where it does not.
  func rank(of name: String) -> TypedBeginning.Rank? {
    if !subject.isLiteral { return TypedBeginning(typed).rank(of: name) }
    return name.foldedForMatching.hasPrefix(typed.foldedForMatching) ? .name : nil
  }

  /// `name` with the letters that are typed of it in the case in which they are typed.
  func keepingCase(_ name: String) -> String {
    let beginning = name.prefix(typed.count)
    return beginning.lowercased() == typed.lowercased() ? typed + name.dropFirst(typed.count) : name
  }

  /// The word with `name` in the place of what is typed of it.
  ///
  /// - Parameter isWhole: whether this is all of the name.
  func spelling(_ name: String, isWhole: Bool) -> String {
    guard case .queryValue(let field) = subject else { return prefix + name }
    let text = LibraryQuery.text(field, TextPattern(name)).description.dropFirst(field.rawValue.count + 1)
    guard text.hasPrefix("\"") else { return prefix + text }
    // A beginning has a star behind its mark.
    return prefix + text.dropLast(isWhole ? 1 : 2)
  }

  /// Whether more is typed behind `name`: it is a directory, or a field of a query.
  func isOpen(behind name: String) -> Bool {
    switch subject {
    case .path, .directory: name.hasSuffix("/")
    case .queryField: true
    case .output: name.hasSuffix(":")
    default: false
    }
  }
}

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
