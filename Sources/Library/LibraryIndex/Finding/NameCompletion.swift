// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
package import MusicModel
import UnicodeText

/// Completes the names of artists and genres, and lists decades and formats, among the tracks that match a query.
package struct NameCompletion {
  /// The number of tracks that are read to find formats.
  private static let sampleSize = 10_000
  /// The maximum number of names, or of tracks in a decade, that are checked.
  private static let candidateLimit = 400

  private let reader: IndexReader
  private let query: LibraryQuery
  private let limit: Int

  /// Creates a completion that finds at most `limit` names in the libraries of `reader`, among the tracks that match
  /// `query`.
  package init(reader: IndexReader, query: LibraryQuery, limit: Int) {
    self.reader = reader
    self.query = query
    self.limit = limit
  }

  /// Returns the names that begin with `text`, then the names with another word that does, each group in library order.
  /// Returns all names if the text is blank.
  package func names(_ kind: NameKind, _ text: String) throws -> [String] {
    let words = TypedWords(text)
    return try reader.database.read { database in
      if words.isEmpty {
        return text.contains { !$0.isWhitespace } ? [] : try list(kind, query, limit: limit, database)
      }
      let found =
        try lookUp(kind, words, database)
        ?? list(kind, query.normalized.and(Self.query(kind, text)), limit: limit * 2, database)
      // A track that matches also has other artists, so filter the names.
      let matching = found.map { ($0, $0.searchWords) }.filter { $0.1.contains(words.prefix) }
      let sorted =
        matching.filter { $0.1.hasPrefix(words.prefix) }
        + matching.filter { !$0.1.hasPrefix(words.prefix) }
      var seen: Set<String> = []
      return Array(sorted.map(\.0).filter { seen.insert($0).inserted }.prefix(limit))
    }
  }

  private static func query(_ kind: NameKind, _ text: String) -> LibraryQuery {
    .text(kind == .artists ? .artist : .genre, TextPattern(text))
  }

  private func list(
    _ kind: NameKind, _ query: LibraryQuery, limit: Int, _ database: Database
  ) throws -> [String] {
    let listing = try NameListing(
      database, reader.libraries, query: query, kind: kind, thresholds: reader.thresholds)
    let statement = try database.cachedStatement(sql: "SELECT name FROM \(kind.tables.names) WHERE id = ?")
    return try listing.page(offset: 0, limit: limit).ids.compactMap {
      try String.fetchOne(statement, arguments: [$0])
    }
  }

  /// Finds names in the index of names: those that begin with the words and, if these are fewer than the limit, those
  /// with another word that does. Returns `nil` if listing the names of the query would be faster.
  private func lookUp(_ kind: NameKind, _ words: TypedWords, _ database: Database) throws -> [String]? {
    let isEverything = query.normalized == .everything
    // A genre has so many tracks that checking whether any of them matches the query takes long.
    if kind == .genres, !isEverything { return nil }
    var found: [String] = []
    for isLaterWord in [false, true] where found.count < limit {
      var arguments = QueryArguments()
      let condition =
        isLaterWord
        ? "instr(key, \(arguments.add(words.prefix))) > 1"
        : "key >= \(arguments.add(words.prefix)) AND key < \(arguments.add(words.upperBound))"
      let tables = kind.tables
      let sql = """
        SELECT id FROM \(tables.names) INDEXED BY sqlite_autoindex_\(tables.names)_1 WHERE \(condition) \
        LIMIT \(Self.candidateLimit + 1)
        """
      let ids = try Int64.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
      if ids.count > Self.candidateLimit, !isEverything { return nil }
      found += try names(kind, ids, database)
    }
    return found
  }

  /// Returns the names, among those with these IDs, that have a track that matches the query.
  private func names(_ kind: NameKind, _ ids: [Int64], _ database: Database) throws -> [String] {
    let tables = kind.tables
    var arguments = QueryArguments()
    _ = arguments.add(reader.libraries.first)
    let list = arguments.add(Listing.list(ids))
    let predicate = try QueryPredicate(
      query.normalized, arguments: &arguments, days: LocalDays(database: database))
    let isEverything = query.normalized == .everything
    let tracks = """
      SELECT 1 FROM \(tables.links) AS link CROSS JOIN track ON track.id = link.track \
      \(isEverything ? "" : "CROSS JOIN words ON words.id = track.id ")WHERE link.\(tables.column) = name.id \
      AND \(reader.libraries.condition("track.library")) AND track.album IS NOT NULL\(isEverything ? "" : " AND \(predicate.sql)")
      """
    let count = """
      (SELECT max(tracks > 0) FROM name_count WHERE \(reader.libraries.condition("library")) AND kind = \(kind.number) \
      AND name_count.name = name.id)
      """
    let sql = """
      SELECT name.name FROM json_each(\(list)) AS candidate CROSS JOIN \(tables.names) AS name ON name.id = candidate.value \
      WHERE \(isEverything ? "coalesce(\(count), EXISTS (\(tracks)))" : "EXISTS (\(tracks))") ORDER BY name.sort, name.id
      """
    return try String.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
  }

  /// Returns the first year of each decade with a track that matches, in ascending order.
  package func decades() throws -> [Int] {
    let sql = "SELECT min(year) FROM track INDEXED BY track_year WHERE library = ? AND year >= ?"
    let all = try reader.database.read { database in
      let statement = try database.cachedStatement(sql: sql)
      var decades: [Int] = []
      var year = 0
      let nextYear = {
        try reader.libraries.all.compactMap { try Int.fetchOne(statement, arguments: [$0.id, year]) }.min()
      }
      while decades.count < limit, let found = try nextYear(), found <= 9_999 {
        decades.append(found / 10 * 10)
        year = found / 10 * 10 + 10
      }
      return decades
    }
    if query.normalized == .everything { return all }
    return try reader.database.read { database in try all.filter { try mayHaveTracks(decade: $0, database) } }
  }

  /// Whether a track of this decade matches the query. Returns `true` also if the decade has too many tracks to check
  /// them all.
  private func mayHaveTracks(decade: Int, _ database: Database) throws -> Bool {
    var arguments = QueryArguments()
    _ = arguments.add(reader.libraries.first)
    let predicate = try QueryPredicate(
      query.normalized, arguments: &arguments, days: LocalDays(database: database))
    let sql = """
      SELECT count(*) > \(Self.candidateLimit) OR max(\(predicate.sql)) FROM (SELECT id FROM track INDEXED BY track_year \
      WHERE \(reader.libraries.condition("library")) AND year BETWEEN \(arguments.add(decade)) AND \(arguments.add(decade + 9)) \
      LIMIT \(Self.candidateLimit + 1)) AS candidate CROSS JOIN track ON track.id = candidate.id \
      CROSS JOIN words ON words.id = track.id
      """
    return try Bool.fetchOne(database, sql: sql, arguments: arguments.statementArguments) ?? false
  }

  /// Returns the file name suffixes of the formats, in alphabetical order. In a large library, only a sample of the
  /// tracks is read.
  package func formats() throws -> [String] {
    try reader.database.read { database in
      var arguments = QueryArguments()
      _ = arguments.add(reader.libraries.first)
      let predicate = try QueryPredicate(
        query.normalized, arguments: &arguments, days: LocalDays(database: database))
      let sample = reader.libraries.selection(limit: Self.sampleSize) {
        "track INDEXED BY track_added WHERE library = \($0)"
      }
      let sql = """
        SELECT DISTINCT track.format FROM (\(sample)) AS candidate CROSS JOIN track ON track.id = candidate.id \
        CROSS JOIN words ON words.id = track.id WHERE \(predicate.sql) ORDER BY track.format
        """
      return try String.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
    }
  }
}
