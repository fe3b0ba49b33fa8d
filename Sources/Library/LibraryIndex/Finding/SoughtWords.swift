// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

/// The words that a name must contain, each in one of several spellings.
struct SoughtWords {
  /// The spellings of each word: search words separated by spaces. What the user has typed comes first.
  let choices: [[String]]
  /// Whether the last word, as typed, may continue.
  let isUnfinished: Bool

  /// Creates the words as they are typed.
  init(_ typed: TypedWords) {
    choices = typed.whole.split(separator: " ").prefix(WordSpellings.wordLimit).map { [String($0)] }
    isUnfinished = typed.isUnfinished
  }

  private init(choices: [[String]], isUnfinished: Bool) {
    self.choices = choices
    self.isUnfinished = isUnfinished
  }

  /// Returns the words with further spellings, or `nil` if there are none.
  ///
  /// - Parameter spellings: Returns the other spellings of a word, given whether it is unfinished.
  func adding(_ spellings: (String, Bool) throws -> [String]) rethrows -> SoughtWords? {
    let more = try choices.enumerated().map { index, words in
      try words.first.map { try spellings($0, isUnfinished && index + 1 == choices.count) } ?? []
    }
    guard more.contains(where: { !$0.isEmpty }) else { return nil }
    return SoughtWords(choices: zip(choices, more).map { $0 + $1 }, isUnfinished: isUnfinished)
  }

  /// The full-text expression for all words; `nil` if the full-text index cannot evaluate it, or only slowly.
  ///
  /// To search for a prefix, FTS5 collects all words with it before it returns the first row. A last word of one or two
  /// letters is therefore left to ``conditions(on:_:)``.
  var expression: String? {
    // Only names without letters contain these; they cannot be part of a token.
    guard !choices.joined().contains(where: { $0.utf8.contains(0x22) || $0.utf8.contains(0x27) }) else { return nil }
    var terms = choices.map { $0.map { "\"\($0)\"" } }
    if isUnfinished, var last = terms.popLast() {
      let isShort = (choices.last?.first?.utf8.count ?? 0) < 3
      if isShort { last.removeFirst() } else { last[0] += " *" }
      if !last.isEmpty { terms.append(last) }
    }
    let words = terms.map { $0.count == 1 ? $0[0] : "(\($0.joined(separator: " OR ")))" }
    return words.isEmpty ? nil : "(\(words.joined(separator: " AND ")))"
  }

  /// For each word, the texts of which one must occur in the search words of a name.
  private var needles: [[String]] {
    var needles = choices.map { $0.map { " \($0) " } }
    if isUnfinished, let last = needles.indices.last { needles[last][0].removeLast() }
    return needles
  }

  /// Returns the SQL condition that `text`, an SQL expression, contains each of the words.
  func conditions(on text: String, _ arguments: inout QueryArguments) -> String {
    needles.map { words in
      let parts = words.map { "instr(\(text), \(arguments.add($0))) > 0" }
      return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
    }.joined(separator: " AND ")
  }

  /// Returns those of the search words of names in `values`, which are separated by U+001F, that contain each of the
  /// words.
  func names(in values: [String]) -> Set<String> {
    let needles = needles
    var found: Set<String> = []
    for name in Set(values).flatMap({ $0.split(separator: "\u{1F}") }) {
      if needles.allSatisfy({ $0.contains { name.contains($0) } }) { found.insert(String(name)) }
    }
    return found
  }
}
