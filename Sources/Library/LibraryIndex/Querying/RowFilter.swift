// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import Tagging
import UnicodeText

/// The words by which a user narrows a list. A row remains if each of them is the beginning of a word that the row
/// shows, without regard to case, diacritics and what stands between letters: "acd" finds AC/DC.
public struct RowFilter: Sendable, Hashable {
  /// The maximum number of words that are compared.
  private static let wordLimit = 20

  /// A word, with the forms in which it is compared.
  private struct Word: Hashable {
    let text: String
    /// The search words that a text may contain.
    let needles: [[UInt8]]
    /// The letters alone.
    let joined: String

    /// Whether what stands between the letters of a word has been left out. Its beginning must have three letters.
    func matches(_ word: JoinedWord) -> Bool {
      word.joined == joined || joined.unicodeScalars.count > 2 && word.joined.hasPrefix(joined)
    }
  }

  private let words: [Word]

  /// Creates the filter for `text`, which may end within a word; `nil` if it has no words.
  public init?(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).prefix(Self.wordLimit).compactMap { word in
      let (words, letters) = (String(word).searchWords, String(word).joinedSearchWords)
      guard !words.isEmpty else { return nil }
      let needles = letters == words ? [words] : [words, letters]
      return Word(
        text: String(word), needles: needles.map { Array($0.utf8.dropLast()) },
        joined: letters.filter { $0 != " " })
    }
    if words.isEmpty { return nil }
  }

  /// The query that only the tracks match whose rows remain.
  package var query: LibraryQuery {
    .conjunction(words.map { .text(.shown, TextPattern($0.text, kind: .beginning)) })
  }

  /// Returns whether a row that shows these texts remains.
  package func matches(_ texts: [String]) -> Bool {
    let shown = texts.map { Array($0.searchWords.utf8) }
    return words.allSatisfy { word in
      shown.contains { text in word.needles.contains { text.contains(bytes: $0) } }
        || texts.contains { JoinedWord.all(in: $0).contains { word.matches($0) } }
    }
  }

  /// Returns the SQL condition that each word begins a word in one of these columns, which contain search words.
  func condition(
    on columns: [String], _ spellings: WordSpellings, _ arguments: inout QueryArguments
  ) throws -> String {
    try words.map { word in
      let variants = try spellings.joinedVariants(of: word.text, isUnfinished: true).map {
        " \($0.words)\($0.isUnfinished ? "" : " ")"
      }
      let needles = [String(decoding: word.needles[0], as: UTF8.self)] + variants
      let parts = needles.map { needle in
        let value = arguments.add(needle)
        return columns.map { "instr(\($0), \(value)) > 0" }.joined(separator: " OR ")
      }
      return "(\(parts.joined(separator: " OR ")))"
    }.joined(separator: " AND ")
  }
}
