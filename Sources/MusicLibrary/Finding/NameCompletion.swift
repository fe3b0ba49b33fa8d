import GRDB
import MusicModel
import UnicodeText

/// Finds the names of artists and genres, and the decades and formats, that may be meant by what is being typed, among the tracks of
/// which a query is true.
struct NameCompletion {
  /// How many tracks are looked at to learn which formats there are.
  private static let sampledTracks = 10_000

  let reader: IndexReader
  let query: LibraryQuery
  let limit: Int

  /// The names that begin so, then those with a word that does, each in the library's order; all, for a text without any word.
  func names(_ kind: NameKind, _ text: String) throws -> [String] {
    let words = SearchedWords(text)
    if words.isEmpty {
      return text.contains { !$0.isWhitespace } ? [] : try listed(kind, query.normalized, limit: limit)
    }
    let found: [String]
    if query.normalized == .everything {
      found = try beginning(kind, words) + inside(kind, words)
    } else {
      // The other artists of a track come along.
      let field: LibraryQuery.TextField = kind == .artists ? .artist : .genre
      found = try listed(kind, query.normalized.and(.text(field, TextPattern(text))), limit: limit * 2)
    }
    let matching = found.map { ($0, $0.searchWords) }.filter { $0.1.contains(words.beginning) }
    let sorted =
      matching.filter { $0.1.hasPrefix(words.beginning) }
      + matching.filter { !$0.1.hasPrefix(words.beginning) }
    var seen: Set<String> = []
    return Array(sorted.map(\.0).filter { seen.insert($0).inserted }.prefix(limit))
  }

  private func listed(_ kind: NameKind, _ query: LibraryQuery, limit: Int) throws -> [String] {
    let window = LibraryPage<NameEntry>.Window(limit: limit)
    let page =
      switch kind {
      case .artists: try reader.artists(query, window: window)
      case .genres: try reader.genres(query, window: window)
      }
    return page.elements.map(\.name)
  }

  private func beginning(_ kind: NameKind, _ words: SearchedWords) throws -> [String] {
    try named(kind) { arguments in
      "key >= \(arguments.add(words.beginning)) AND key < \(arguments.add(words.end))"
    }
  }

  private func inside(_ kind: NameKind, _ words: SearchedWords) throws -> [String] {
    try named(kind) { arguments in "instr(key, \(arguments.add(words.beginning))) > 1" }
  }

  private func named(_ kind: NameKind, _ condition: (inout QueryArguments) -> String) throws -> [String] {
    let tables = kind.tables
    return try reader.database.read { database in
      var arguments = QueryArguments()
      _ = arguments.add(reader.library)
      let sql = """
        SELECT name.name FROM (SELECT id FROM \(tables.names) INDEXED BY sqlite_autoindex_\(tables.names)_1 \
        WHERE \(condition(&arguments)) LIMIT 2000) AS candidate CROSS JOIN \(tables.names) AS name ON name.id = candidate.id \
        WHERE EXISTS (SELECT 1 FROM \(tables.links) AS link CROSS JOIN track ON track.id = link.track \
        WHERE link.\(tables.column) = name.id AND track.library = ?1 AND track.album IS NOT NULL) \
        ORDER BY name.sort, name.id LIMIT \(arguments.add(Int64(limit)))
        """
      return try String.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
    }
  }

  /// The first years of the decades, ascending.
  func decades() throws -> [Int] {
    let sql = "SELECT min(year) FROM track INDEXED BY track_year WHERE library = ? AND year >= ?"
    let all = try reader.database.read { database in
      let statement = try database.cachedStatement(sql: sql)
      var decades: [Int] = []
      var year = 0
      while decades.count < limit,
        let next = try Int.fetchOne(statement, arguments: [reader.library, year]), next <= 9_999
      {
        decades.append(next / 10 * 10)
        year = next / 10 * 10 + 10
      }
      return decades
    }
    if query.normalized == .everything { return all }
    return try all.filter { decade in
      let part = query.and(.number(.year, QueryRange(from: decade, to: decade + 9)))
      return try !reader.tracks(part, order: LibraryOrder(), window: .init(limit: 1)).elements.isEmpty
    }
  }

  /// The suffixes of formats, by name. Of a large library they are those of its first tracks.
  func formats() throws -> [String] {
    try reader.database.read { database in
      var arguments = QueryArguments()
      _ = arguments.add(reader.library)
      let predicate = try QueryPredicate(
        query.normalized, arguments: &arguments, days: LocalDays(database: database))
      let sql = """
        SELECT DISTINCT track.format FROM (SELECT id FROM track INDEXED BY track_added WHERE library = ?1 \
        LIMIT \(Self.sampledTracks)) AS candidate CROSS JOIN track ON track.id = candidate.id \
        CROSS JOIN words ON words.id = track.id WHERE \(predicate.sql) ORDER BY track.format
        """
      return try String.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
    }
  }
}
