// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import UnicodeText

/// Finds other spellings of what a user types, among the words of the index: with something between the letters of a
/// word ("acdc" for AC/DC), without it ("AC-DC" for ACDC), and with one slip of a finger in a word ("coltrain").
struct WordSpellings {
  /// What a user may have meant: search words separated by spaces.
  struct Variant {
    let words: String
    /// Whether the last word may continue.
    let isUnfinished: Bool
  }

  /// The maximum number of words of a text for which others are looked up. No name that is searched for has more.
  static let wordLimit = 20
  /// The maximum number of variants of a text.
  private static let variantLimit = 8
  /// The maximum number of spellings of a word.
  private static let spellingLimit = 32
  /// The maximum number of words with the same beginning that are compared with a word.
  private static let comparisonLimit = 5_000

  private let database: Database

  init(_ database: Database) { self.database = database }

  /// Returns the search words of names that are typed as `word` by people who leave out what stands between letters. If
  /// the word is unfinished, it may also be the beginning of what they type, with at least three letters.
  func joined(_ word: String, isUnfinished: Bool) throws -> [String] {
    var found = try String.fetchAll(
      database.cachedStatement(sql: "SELECT words FROM joined_word WHERE joined = ? ORDER BY words LIMIT ?"),
      arguments: [word, Self.spellingLimit])
    guard isUnfinished, word.unicodeScalars.count > 2 else { return found }
    // Words that begin with what is typed are found by it.
    found += try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT DISTINCT words FROM joined_word WHERE joined > ?1 AND joined < ?1 || char(0x10FFFF) \
          AND substr(words, 1, length(?1)) <> ?1 LIMIT ?2
          """), arguments: [word, Self.spellingLimit])
    return found
  }

  /// Returns other ways to spell `text`, which differ from it only in what stands between letters.
  func joinedVariants(of text: String, isUnfinished: Bool) throws -> [Variant] {
    // Bytes that are no text have no other spelling.
    if text.unicodeScalars.contains("\u{FFFD}") { return [] }
    let typed = text.searchWords
    let letters = text.joinedSearchWords
    var found: [Variant] = []
    for source in letters == typed ? [typed] : [typed, letters] {
      let words = source.split(separator: " ").map { String($0) }
      guard words.count <= Self.wordLimit else { return [] }
      let choices = try words.enumerated().map { index, word in
        [word] + (try joined(word, isUnfinished: isUnfinished && index + 1 == words.count))
      }
      for choice in Self.combinations(choices, limit: Self.variantLimit + 1) {
        let text = choice.joined(separator: " ")
        if " \(text) " != typed {
          found.append(Variant(words: text, isUnfinished: isUnfinished && choice.last == words.last))
        }
      }
    }
    return Array(found.prefix(Self.variantLimit))
  }

  /// Returns the words of the index from which one slip leads to `word`, the most frequent first. Words of fewer than
  /// five letters and words with digits are taken as they are.
  ///
  /// - Parameter isUnfinished: Whether a word is also found if the slip is in its beginning.
  func slips(_ word: String, isUnfinished: Bool) throws -> [String] {
    let letters = Array(word.unicodeScalars)
    guard TypingSlip.isPossible(in: letters) else { return [] }
    let head = letters.count < 7 ? 3 : 4
    let beginning = String(String.UnicodeScalarView(letters[..<head]))
    // If the slip comes later, the word begins like the one that was meant.
    var found = try terms(
      "search_terms WHERE term >= ?1 AND term < ?1 || char(0x10FFFF) LIMIT \(Self.comparisonLimit)", beginning
    ).filter { term in Self.isSlip(letters, of: Array(term.word.unicodeScalars), isUnfinished: isUnfinished) }
    // Otherwise, it ends like it, and there are few words that it can be.
    let originals = TypingSlip.originals(of: letters, within: head).filter { !$0.hasPrefix(beginning) }
    let candidates = "json_each(?1) AS original CROSS JOIN search_terms"
    let list = "[\(originals.map { "\"\($0)\"" }.joined(separator: ","))]"
    found += try terms(
      isUnfinished
        ? "\(candidates) ON term >= original.value AND term < original.value || char(0x10FFFF) LIMIT \(Self.comparisonLimit)"
        : "\(candidates) ON term = original.value", list)
    found.sort { ($1.count, $0.word) < ($0.count, $1.word) }
    return found.prefix(Self.spellingLimit).map(\.word)
  }

  /// Returns the texts that `text` may have been meant as, with one slip in some of its words: search words, with the
  /// slashes of the text between them. Words that are in no name are replaced in each of them.
  func corrections(of text: String) throws -> [String] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0).searchWords.split(separator: " ").map { String($0) } }
    guard parts.count <= Self.wordLimit, parts.reduce(0, { $0 + $1.count }) <= Self.wordLimit else { return [] }
    let term = try database.cachedStatement(sql: "SELECT 1 FROM search_terms WHERE term = ?")
    let choices = try parts.flatMap { words in
      try words.map { word in
        let slips = try slips(word, isUnfinished: false)
        let isKnown = try slips.isEmpty || Bool.fetchOne(term, arguments: [word]) == true
        return try (isKnown || !joined(word, isUnfinished: false).isEmpty ? [word] : []) + slips
      }
    }
    let typed = parts.flatMap { $0 }
    return Self.combinations(choices, limit: Self.spellingLimit).filter { $0 != typed }.map { words in
      var rest = words[...]
      return parts.map { part in
        defer { rest = rest.dropFirst(part.count) }
        return rest.prefix(part.count).joined(separator: " ")
      }.joined(separator: "/")
    }
  }

  private func terms(_ source: String, _ text: String) throws -> [(word: String, count: Int64)] {
    let statement = try database.cachedStatement(sql: "SELECT term, doc FROM \(source)")
    return try Row.fetchAll(statement, arguments: [text]).compactMap { row in
      guard let word = row.text(0), let count = row.long(1) else { return nil }
      return (word, count)
    }
  }

  private static func isSlip(_ typed: [Unicode.Scalar], of term: [Unicode.Scalar], isUnfinished: Bool) -> Bool {
    guard isUnfinished, term.count > typed.count - 1 else { return mayMean(typed, term) }
    return (typed.count - 1...typed.count + 1).contains { TypingSlip.separates(typed, term.prefix($0)) }
  }

  /// Whether one slip separates what was typed from a word. In a longer one, the last letter may be missing as well:
  /// "coltrain" means Coltrane.
  static func mayMean(_ typed: [Unicode.Scalar], _ word: [Unicode.Scalar]) -> Bool {
    guard TypingSlip.isPossible(in: typed) else { return false }
    return TypingSlip.separates(typed, word) || typed.count > 6 && TypingSlip.separates(typed, word.dropLast())
  }

  /// Returns the ways to choose one of each of these words, at most `limit`, those with the first ones first.
  private static func combinations(_ choices: [[String]], limit: Int) -> [[String]] {
    var found: [[String]] = [[]]
    for words in choices {
      found = Array(words.lazy.flatMap { word in found.map { $0 + [word] } }.prefix(limit))
    }
    return found.filter { !$0.isEmpty }
  }
}
