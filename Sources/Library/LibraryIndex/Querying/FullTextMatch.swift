// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import UnicodeText

/// A full-text expression for a query. Every track that matches the query also matches the expression.
struct FullTextMatch {
  let expression: String
  /// Whether every track that matches the expression also matches the query.
  let isExact: Bool
  private let depth: Int

  /// Creates the expression for a query, or returns `nil` if the full-text index cannot narrow the query.
  init?(_ query: LibraryQuery) {
    switch query {
    case .text(let field, let pattern):
      guard let words = QueryWords(field, pattern), let match = FullTextMatch(words) else { return nil }
      self = match
    case .any(let parts):
      let matches = parts.compactMap { FullTextMatch($0) }
      guard matches.count == parts.count else { return nil }
      self.init(matches, by: " OR ", isExact: matches.allSatisfy(\.isExact))
    case .all(let parts):
      self.init(all: parts)
    case .everything, .number, .date, .not, .playlist, .tracks: return nil
    }
  }

  private init?(_ words: QueryWords) {
    // Quotation marks cannot be part of a token. Other symbols can, wherever the tables treat them as part of a word.
    let phrase = words.phrase
    guard !phrase.isEmpty, !phrase.utf8.contains(where: { $0 == 0x22 || $0 == 0x27 }) else { return nil }
    let columns = words.columns.count == 6 ? "" : "{\(words.columns.joined(separator: " "))} : "
    expression = "\(columns)\"\(phrase)\"\(words.kind == .beginning ? " *" : "")"
    // In a column with several values, a phrase may run from one value into the next.
    let staysInOneValue = !phrase.utf8.contains(0x20) || words.columns == ["title"] || words.columns == ["album"]
    let hasSymbols = phrase.unicodeScalars.contains {
      $0.isASCII && $0 != " " && !(0x30...0x39).contains($0.value) && !(0x61...0x7A).contains($0.value)
    }
    isExact = words.kind != .exact && staysInOneValue && !hasSymbols
    depth = 0
  }

  private init?(all parts: [LibraryQuery]) {
    var positives: [FullTextMatch] = []
    var shortPrefixes: [FullTextMatch] = []
    var negatives: [FullTextMatch] = []
    var isExact = true
    for part in parts {
      if case .not(let inner) = part, let match = FullTextMatch(inner), match.isExact {
        negatives.append(match)
      } else if let match = FullTextMatch(part) {
        if part.isShortPrefix { shortPrefixes.append(match) } else { positives.append(match) }
      } else {
        isExact = false
      }
    }
    // To search for a prefix, FTS5 collects all words with it before it returns the first row. This takes long for one
    // or two letters.
    if positives.isEmpty { positives = shortPrefixes } else if !shortPrefixes.isEmpty { isExact = false }
    guard !positives.isEmpty else { return nil }
    isExact = isExact && positives.allSatisfy(\.isExact)
    guard let conjunction = FullTextMatch(positives, by: " AND ", isExact: isExact) else { return nil }
    guard !negatives.isEmpty, let excluded = FullTextMatch(negatives, by: " OR ", isExact: true) else {
      self = conjunction
      return
    }
    self.init([conjunction, excluded], by: " NOT ", isExact: isExact)
  }

  /// Combines expressions. Returns `nil` if the result would be nested deeper than FTS5's parser allows.
  private init?(_ parts: [FullTextMatch], by separator: String, isExact: Bool) {
    depth = (parts.map(\.depth).max() ?? 0) + 1
    guard depth <= 12 else { return nil }
    expression = "(\(parts.map(\.expression).joined(separator: separator)))"
    self.isExact = isExact
  }
}

extension LibraryQuery {
  /// Whether the query is a word prefix of only one or two letters, in a script with alphabetic words.
  fileprivate var isShortPrefix: Bool {
    if case .any(let parts) = self { return parts.contains(where: \.isShortPrefix) }
    guard case .text(let field, let pattern) = self, pattern.kind == .beginning else { return false }
    return QueryWords(field, pattern)?.needle.split(separator: " ").last.map { $0.utf8.count < 3 } ?? false
  }
}

/// A pattern in the form in which the tables store words: the text to search for, and the columns to search.
struct QueryWords {
  /// The columns of the table `words`, any of which may match.
  let columns: [String]
  /// The text to search for, such as " blue train ", or " blue tra" for a prefix.
  let needle: String
  let kind: TextPattern.Kind

  /// Creates the words of a pattern. Returns `nil` for fields that are not stored as words: paths and formats.
  init?(_ field: LibraryQuery.TextField, _ pattern: TextPattern) {
    switch field {
    case .anywhere: columns = ["title", "artist", "album", "album_artist", "genre", "composer"]
    case .shown: columns = ["title", "artist", "album"]
    case .title: columns = ["title"]
    case .artist: columns = ["artist", "album_artist"]
    case .album: columns = ["album"]
    case .albumArtist: columns = ["album_artist"]
    case .genre: columns = ["genre"]
    case .composer: columns = ["composer"]
    case .path, .format: return nil
    }
    let words = pattern.text.searchWords
    kind = pattern.kind
    needle = kind == .beginning && !words.isEmpty ? String(words.dropLast()) : words
  }

  /// Whether there is nothing to search for, so that every track matches.
  var isEmpty: Bool { needle.isEmpty }

  /// The words without leading and trailing spaces.
  var phrase: String { needle.split(separator: " ").joined(separator: " ") }
}

extension LibraryQuery {
  /// Returns the query with every pattern that is not exact replaced by itself, or any other spelling of it that
  /// differs only in what stands between letters.
  func spelled(by spellings: WordSpellings) throws -> LibraryQuery {
    switch self {
    case .everything, .number, .date, .playlist, .tracks: return self
    case .not(let inner): return .not(try inner.spelled(by: spellings))
    case .all(let parts): return .all(try parts.map { try $0.spelled(by: spellings) })
    case .any(let parts): return .any(try parts.map { try $0.spelled(by: spellings) })
    case .text(let field, let pattern):
      guard pattern.kind != .exact, let words = QueryWords(field, pattern), !words.isEmpty else { return self }
      let variants = try spellings.joinedVariants(of: pattern.text, isUnfinished: pattern.kind == .beginning)
      guard !variants.isEmpty else { return self }
      return .any(
        [self] + variants.map { .text(field, TextPattern($0.words, kind: $0.isUnfinished ? .beginning : .words)) })
    }
  }
}
