import UnicodeText

/// The words of a text that is being typed: the last one may be unfinished, unless white space follows it.
struct SearchedWords {
  /// All of them as the tables hold a name.
  let whole: String
  /// What a name begins with that begins with them.
  let beginning: String

  init(_ text: String) {
    // No name is longer; folding more would take time for nothing.
    whole = String(text.prefix(1_000)).searchWords
    let isFinished = text.last?.isWhitespace ?? false
    beginning = isFinished || whole.isEmpty ? whole : String(whole.dropLast())
  }

  var isEmpty: Bool { whole.isEmpty }

  /// A text behind all that begin with ``beginning``.
  var end: String { beginning + "\u{10FFFF}" }

  /// The expression by which the full-text index finds them all; `nil` where it takes too long or cannot.
  ///
  /// It gathers all words of a beginning before it gives the first track: a last word of one or two letters is left to
  /// ``conditions(on:_:)``.
  var expression: String? {
    var terms = whole.split(separator: " ").prefix(20).map { "\"\($0)\"" }
    guard !whole.utf8.contains(where: { $0 == 0x22 || $0 == 0x27 }) else { return nil }
    if beginning != whole, terms.count < 20, let last = terms.popLast() {
      if last.utf8.count >= 5 { terms.append(last + " *") }
    }
    return terms.isEmpty ? nil : "(\(terms.joined(separator: " AND ")))"
  }

  /// That `text`, an expression of SQL, holds each of them.
  func conditions(on text: String, _ arguments: inout QueryArguments) -> String {
    var needles = whole.split(separator: " ").map { " \($0) " }
    if beginning != whole, let last = needles.popLast() { needles.append(String(last.dropLast())) }
    return needles.prefix(20).map { "instr(\(text), \(arguments.add($0))) > 0" }.joined(separator: " AND ")
  }
}
