// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import UnicodeText

/// Searches the names of artists, albums and tracks while a user is typing.
///
/// Names that equal the text come first, then names that begin with it, then names that contain all of its words, then
/// albums and tracks that contain them in title, artist and album together. Within each of these steps, artists come
/// before albums and albums before tracks, in library order. Each step checks a limited number of candidates (400 to
/// 2,000), so that "the" takes no longer than a rare word. One or two letters find only names that begin with them.
struct TextSearch {
  private let database: Database
  private let libraries: LibraryScope
  private let limit: Int
  private let words: TypedWords
  private let isEverything: Bool
  private let predicate: QueryPredicate
  private let arguments: QueryArguments
  /// The maximum number of candidates in a step.
  private let candidateLimit: Int

  init(_ database: Database, _ libraries: LibraryScope, text: String, query: LibraryQuery, limit: Int)
    throws
  {
    self.database = database
    self.libraries = libraries
    self.limit = limit
    words = TypedWords(text)
    let query = query.normalized
    isEverything = query == .everything
    var arguments = QueryArguments()
    _ = arguments.add(libraries.first)
    predicate = try QueryPredicate(query, arguments: &arguments, days: LocalDays(database: database))
    self.arguments = arguments
    candidateLimit = min(2_000, max(400, limit.multipliedReportingOverflow(by: 4).partialValue))
  }

  func hits() throws -> [SearchHit] {
    guard limit > 0, !words.isEmpty else { return [] }
    var found = HitCollector(limit: limit)
    try findNames(&found, { "\($0) = \($1.add(words.whole))" })
    try findNames(&found, { "\($0) >= \($1.add(words.prefix)) AND \($0) < \($1.add(words.upperBound))" })
    if !found.isFull, let expression = words.expression {
      var arguments = arguments
      let conditions = words.conditions(on: "key", &arguments)
      found.add(
        artists: try artists("artist INDEXED BY sqlite_autoindex_artist_1 WHERE \(conditions)", arguments))
      found.add(albums: try matchingAlbums("{album} : \(expression)", columns: ["album.title_key"]))
      found.add(tracks: try matchingTracks("{title} : \(expression)", columns: ["words.title"]))
    }
    if !found.isFull, let expression = words.expression {
      let match = "{title artist album album_artist} : \(expression)"
      found.add(albums: try matchingAlbums(match, columns: ["album.title_key", "album.artist_key"]))
      found.add(
        tracks: try matchingTracks(
          match, columns: ["words.title", "words.artist", "words.album", "words.album_artist"]))
    }
    return try found.ids.compactMap { try entry($0) }
  }

  /// Adds the artists, albums and tracks whose names satisfy a condition that the indexes of names can evaluate.
  private func findNames(
    _ found: inout HitCollector, _ condition: (String, inout QueryArguments) -> String
  ) throws {
    guard !found.isFull else { return }
    var arguments = arguments
    found.add(artists: try artists("artist WHERE \(condition("key", &arguments))", arguments))
    guard !found.isFull else { return }
    arguments = self.arguments
    found.add(
      albums: try albums(
        candidates("album INDEXED BY album_title_key", condition("title_key", &arguments)), arguments))
    guard !found.isFull else { return }
    arguments = self.arguments
    found.add(
      tracks: try tracks(
        candidates("track INDEXED BY track_title_key", condition("title_key", &arguments)), arguments))
  }

  /// Returns an SQL query for the IDs of the candidates in each library.
  private func candidates(_ source: String, _ condition: String) -> String {
    libraries.selection(limit: candidateLimit) { "\(source) WHERE library = \($0) AND \(condition)" }
  }

  private func artists(_ source: String, _ arguments: QueryArguments) throws -> [Int64] {
    let sql = """
      SELECT artist.id FROM (SELECT id FROM \(source) LIMIT \(candidateLimit)) AS candidate \
      CROSS JOIN artist ON artist.id = candidate.id WHERE EXISTS (SELECT 1 FROM credit \
      CROSS JOIN track ON track.id = credit.track CROSS JOIN words ON words.id = track.id \
      WHERE credit.artist = artist.id AND \(libraries.condition("track.library")) AND \(predicate.sql)) \
      ORDER BY artist.sort, artist.id
      """
    return try Int64.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
  }

  private func albums(_ candidates: String, _ arguments: QueryArguments) throws -> [Int64] {
    let exists = """
      EXISTS (SELECT 1 FROM track INDEXED BY track_album CROSS JOIN words ON words.id = track.id \
      WHERE track.album = album.id AND \(predicate.sql))
      """
    let sql = """
      SELECT album.id FROM (\(candidates)) AS candidate CROSS JOIN album ON album.id = candidate.id \
      WHERE \(libraries.condition("album.library"))\(isEverything ? "" : " AND \(exists)") ORDER BY album.sort, album.id
      """
    return try Int64.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
  }

  private func tracks(_ candidates: String, _ arguments: QueryArguments) throws -> [Int64] {
    let sql = """
      SELECT track.id FROM (\(candidates)) AS candidate CROSS JOIN track ON track.id = candidate.id \
      CROSS JOIN words ON words.id = track.id CROSS JOIN album ON album.id = track.album \
      WHERE \(libraries.condition("track.library")) AND \(predicate.sql) ORDER BY album.sort, album.id, track.place
      """
    return try Int64.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
  }

  private func matchingAlbums(_ match: String, columns: [String]) throws -> [Int64] {
    var arguments = arguments
    let matching = arguments.add(match)
    let text = columns.joined(separator: " || char(31) || ")
    let candidates = """
      SELECT DISTINCT album.id FROM (SELECT rowid AS id FROM search WHERE search MATCH \(matching) LIMIT \(candidateLimit * 4)) AS hit \
      CROSS JOIN track ON track.id = hit.id CROSS JOIN album ON album.id = track.album \
      WHERE \(words.conditions(on: text, &arguments)) LIMIT \(candidateLimit)
      """
    return try albums(candidates, arguments)
  }

  private func matchingTracks(_ match: String, columns: [String]) throws -> [Int64] {
    var arguments = arguments
    let matching = arguments.add(match)
    let text = columns.joined(separator: " || char(31) || ")
    let candidates = """
      SELECT words.id FROM (SELECT rowid AS id FROM search WHERE search MATCH \(matching) LIMIT \(candidateLimit * 4)) AS hit \
      CROSS JOIN words ON words.id = hit.id WHERE \(words.conditions(on: text, &arguments)) LIMIT \(candidateLimit)
      """
    return try tracks(candidates, arguments)
  }

  private func entry(_ id: HitCollector.ID) throws -> SearchHit? {
    switch id {
    case .artist(let id):
      return try NameListing.entry(id, .artists, libraries, database).map { .artist($0) }
    case .album(let id): return try IndexReader.albums([id], database).first.map { .album($0) }
    case .track(let id): return try IndexReader.tracks([id], database).first.map { .track($0) }
    }
  }

  /// The IDs found so far, without duplicates.
  private struct HitCollector {
    enum ID: Hashable { case artist(Int64), album(Int64), track(Int64) }

    let limit: Int
    private(set) var ids: [ID] = []
    private var seen: Set<ID> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { ids.count >= limit }

    mutating func add(artists: [Int64]) { add(artists.map { .artist($0) }) }
    mutating func add(albums: [Int64]) { add(albums.map { .album($0) }) }
    mutating func add(tracks: [Int64]) { add(tracks.map { .track($0) }) }

    private mutating func add(_ new: [ID]) {
      for id in new where !isFull && seen.insert(id).inserted { ids.append(id) }
    }
  }
}

/// The words of a text that a user is typing. The last word may be unfinished, unless white space follows it.
struct TypedWords {
  /// All words, in the form in which the tables store names.
  let whole: String
  /// The prefix of all names that begin with these words.
  let prefix: String

  init(_ text: String) {
    // No name is longer than this, and folding more would waste time.
    whole = String(text.prefix(1_000)).searchWords
    let isFinished = text.last?.isWhitespace ?? false
    prefix = isFinished || whole.isEmpty ? whole : String(whole.dropLast())
  }

  var isEmpty: Bool { whole.isEmpty }

  /// A string that sorts after all strings that begin with ``prefix``.
  var upperBound: String { prefix + "\u{10FFFF}" }

  /// The full-text expression for all words; `nil` if the full-text index cannot evaluate it, or only slowly.
  ///
  /// To search for a prefix, FTS5 collects all words with it before it returns the first row. A last word of one or two
  /// letters is therefore left to ``conditions(on:_:)``.
  var expression: String? {
    var terms = whole.split(separator: " ").prefix(20).map { "\"\($0)\"" }
    guard !whole.utf8.contains(where: { $0 == 0x22 || $0 == 0x27 }) else { return nil }
    if prefix != whole, terms.count < 20, let last = terms.popLast() {
      if last.utf8.count >= 5 { terms.append(last + " *") }
    }
    return terms.isEmpty ? nil : "(\(terms.joined(separator: " AND ")))"
  }

  /// Returns the SQL condition that `text`, an SQL expression, contains each of the words.
  func conditions(on text: String, _ arguments: inout QueryArguments) -> String {
    var needles = whole.split(separator: " ").map { " \($0) " }
    if prefix != whole, let last = needles.popLast() { needles.append(String(last.dropLast())) }
    return needles.prefix(20).map { "instr(\(text), \(arguments.add($0))) > 0" }.joined(separator: " AND ")
  }
}
