// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import UnicodeText

/// Searches the names of artists, albums and tracks while a user is typing.
///
/// Names that equal the text come first, then names that begin with it, then names that contain all of its words, then
/// albums and tracks that contain them in title, artist and album together. Names in which something stands between the
/// letters of a word follow ("acdc" finds AC/DC), and then names from which the text differs by one slip of a finger in
/// a word; see ``WordSpellings``. Within each of these steps, artists come before albums and albums before tracks, in
/// library order. Each step checks a limited number of candidates (400 to 2,000), so that "the" takes no longer than a
/// rare word. One or two letters find only names that begin with them, or that are typed like them.
struct TextSearch {
  private let database: Database
  private let libraries: LibraryScope
  private let limit: Int
  private let text: String
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
    self.text = text
    words = TypedWords(text)
    let query = try query.spelled(by: WordSpellings(database)).normalized
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
    try find(SoughtWords(words), &found) { words in
      var arguments = arguments
      let conditions = words.conditions(on: "key", &arguments)
      return try artists("artist INDEXED BY sqlite_autoindex_artist_1 WHERE \(conditions)", arguments)
    }
    if !found.isFull { try findOtherSpellings(&found) }
    return try found.ids.compactMap { try entry($0) }
  }

  /// Adds what differs from the text in what stands between letters, and then what differs by a slip.
  private func findOtherSpellings(_ found: inout HitCollector) throws {
    let spellings = WordSpellings(database)
    let letters = TypedWords(text, words: \.joinedSearchWords)
    let typed = letters.whole == words.whole ? [words] : [words, letters]
    for words in typed {
      let joined = try SoughtWords(words).adding(spellings.joined)
      if let sought = joined ?? (words.whole == self.words.whole ? nil : SoughtWords(words)) {
        try find(sought, &found, artists: matchingArtists)
      }
    }
    guard !found.isFull else { return }
    // The beginning of a word is like many others, so it counts only if there is nothing else.
    for mayContinue in [false, true] where !mayContinue || words.isUnfinished && found.ids.isEmpty {
      let mistyped = try SoughtWords(words).adding { word, isUnfinished in
        try spellings.slips(word, isUnfinished: isUnfinished && mayContinue)
      }
      guard let mistyped else { continue }
      try find(mistyped.adding(spellings.joined) ?? mistyped, &found, artists: matchingArtists)
    }
  }

  /// Adds the names that contain all of `words`, then the albums and tracks that contain them in several fields.
  private func find(
    _ words: SoughtWords, _ found: inout HitCollector, artists: (SoughtWords) throws -> [Int64]
  ) throws {
    guard !found.isFull, let expression = words.expression else { return }
    found.add(artists: try artists(words))
    found.add(albums: try matchingAlbums("{album} : \(expression)", words, columns: ["album.title_key"]))
    found.add(tracks: try matchingTracks("{title} : \(expression)", words, columns: ["words.title"]))
    guard !found.isFull else { return }
    let match = "{title artist album album_artist} : \(expression)"
    found.add(albums: try matchingAlbums(match, words, columns: ["album.title_key", "album.artist_key"]))
    found.add(
      tracks: try matchingTracks(
        match, words, columns: ["words.title", "words.artist", "words.album", "words.album_artist"]))
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

  /// Returns the artists whose names contain all of `words`, among those of a limited number of tracks. To compare all
  /// names with many spellings would take too long.
  private func matchingArtists(_ words: SoughtWords) throws -> [Int64] {
    guard let expression = words.expression else { return [] }
    let rows = IndexStatement(
      database,
      """
      SELECT words.artist || words.album_artist FROM (SELECT rowid AS id FROM search WHERE search MATCH ? \
      LIMIT \(candidateLimit * 4)) AS hit CROSS JOIN words ON words.id = hit.id
      """)
    let values = try rows.all("{artist album_artist} : \(expression)") { $0.text(0) }
    let keys = words.names(in: values).sorted().prefix(candidateLimit)
    var arguments = arguments
    let list = keys.map { arguments.add($0) }.joined(separator: ", ")
    return keys.isEmpty ? [] : try artists("artist WHERE key IN (\(list))", arguments)
  }

  private func matchingAlbums(_ match: String, _ words: SoughtWords, columns: [String]) throws -> [Int64] {
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

  private func matchingTracks(_ match: String, _ words: SoughtWords, columns: [String]) throws -> [Int64] {
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
  /// Whether the last word may continue.
  var isUnfinished: Bool { prefix != whole }

  /// Creates the words of `text`, which `words` separates.
  init(_ text: String, words: (String) -> String = \.searchWords) {
    // No name is longer than this, and folding more would waste time.
    whole = words(String(text.prefix(1_000)))
    let isFinished = text.last?.isWhitespace ?? false
    prefix = isFinished || whole.isEmpty ? whole : String(whole.dropLast())
  }

  var isEmpty: Bool { whole.isEmpty }

  /// A string that sorts after all strings that begin with ``prefix``.
  var upperBound: String { prefix + "\u{10FFFF}" }
}
