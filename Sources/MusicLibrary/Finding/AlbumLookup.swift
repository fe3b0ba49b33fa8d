import GRDB
import UnicodeText

/// Finds in the index the album that a user names.
///
/// A query is a title (or its sort name), or an artist and a title with a slash between them ("Miles Davis/Kind of Blue"). Case, diacritics, width and
/// punctuation do not count. Of all readings of the query, those whose *title* answers best decide: the whole title beats its
/// beginning, and that a part of it. Among these, a query that is a title with its slash beats one with an artist, and there the
/// whole artist beats its beginning, and that a part of it.
struct AlbumLookup {
  /// The most albums that are worth telling apart.
  static let limit = 1_000
  /// The most titles that are compared for a suggestion.
  private static let suggestionLimit = 100_000

  let database: Database
  let library: Int64

  /// The album that `query` names. An artist's name alone finds nothing, but suggests that artist's albums.
  func find(_ query: String) throws -> Match<AlbumName> {
    try match(query) ?? .none(suggestions: try suggestions(query))
  }

  /// The same without suggestions: `nil` where there is none.
  func match(_ query: String) throws -> Match<AlbumName>? {
    let readings = Reading.all(of: query)
    for tier in [MatchTier.exact, .prefix, .substring] {
      let ranked = try readings.flatMap { try candidates($0, tier) }
      guard let best = ranked.map(\.rank).min() else { continue }
      var seen: Set<Int64> = []
      let answers = ranked.filter { $0.rank == best && seen.insert($0.name.id).inserted }.map(\.name)
      return answers.count == 1 ? .found(answers[0]) : .ambiguous(answers)
    }
    return nil
  }

  /// The albums whose titles answer `reading` in this tier, in the order of listings, and how well the artists do: the better is the
  /// lesser. A unary plus keeps SQLite from walking all albums in that order.
  private func candidates(_ reading: Reading, _ tier: MatchTier) throws -> [(rank: Int, name: AlbumName)] {
    guard let (condition, values) = reading.condition(tier) else { return [] }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, title, artist, artist_key, sort_artist_key FROM album
          WHERE library = ? AND \(condition)
            AND (? IS NULL OR instr(artist_key, ?) OR instr(sort_artist_key, ?))
          ORDER BY \(tier == .substring ? "sort" : "+sort") LIMIT \(Self.limit)
          """),
      arguments: StatementArguments([library] + values + [reading.artist, reading.artist, reading.artist]))
    return rows.compactMap { row in
      guard let name = Self.name(row) else { return nil }
      guard let artist = reading.artist else { return (0, name) }
      let keys = [3, 4].compactMap { String.fromDatabaseValue(row[$0])?.trimmed.utf8 }
      let tier = keys.compactMap { MatchTier(Array(artist.utf8), in: Array($0)) }.min()
      return tier.map { (1 + $0.rawValue, name) }
    }
  }

  private func suggestions(_ query: String) throws -> [AlbumName] {
    let words = query.searchWords.trimmed
    guard !words.isEmpty else { return [] }
    let byArtist = try Row.fetchAll(
      database.cachedStatement(
        sql:
          "SELECT id, title, artist FROM album WHERE library = ? AND instr(artist_key, ?) ORDER BY sort LIMIT 3"
      ), arguments: [library, words])
    if !byArtist.isEmpty { return byArtist.compactMap(Self.name) }
    let title = (query.split(separator: "/").last.map(String.init) ?? query).searchWords.trimmed
    var rows: [(id: Int64, title: String)] = []
    let cursor = try Row.fetchCursor(
      database.cachedStatement(
        sql:
          "SELECT id, title_key FROM album WHERE library = ? ORDER BY sort LIMIT \(Self.suggestionLimit)"
      ), arguments: [library])
    while let row = try cursor.next() {
      if let id = Int64.fromDatabaseValue(row[0]), let title = String.fromDatabaseValue(row[1]) {
        rows.append((id, title.trimmed))
      }
    }
    return try Likeness.nearest(to: title, in: rows.map(\.title)).compactMap { index in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT id, title, artist FROM album WHERE id = ?"),
        arguments: [rows[index].id]
      ).flatMap(Self.name)
    }
  }

  private static func name(_ row: Row) -> AlbumName? {
    guard let id = Int64.fromDatabaseValue(row[0]), let title = String.fromDatabaseValue(row[1]) else {
      return nil
    }
    return AlbumName(id: id, title: title, artist: String.fromDatabaseValue(row[2]))
  }
}

/// One way to understand a query.
private struct Reading {
  /// The words of the artist, with a space between them.
  let artist: String?
  /// The words of the title.
  let title: String

  /// The whole as a title, and what stands on either side of each slash as artist and title.
  static func all(of query: String) -> [Reading] {
    let slashes = query.utf8.indices.filter { query.utf8[$0] == UInt8(ascii: "/") }
    // More slashes than any artist has: a path, or nonsense.
    let split = slashes.prefix(16).map { slash in
      Reading(
        artist: String(query[..<slash]).searchWords.trimmed,
        title: String(query[query.utf8.index(after: slash)...]).searchWords.trimmed)
    }
    let whole = Reading(artist: nil, title: query.searchWords.trimmed)
    return [whole] + split.filter { $0.artist?.isEmpty == false }
  }

  /// What an album's row has to fulfil so that its title answers in `tier`, with the values to bind.
  func condition(_ tier: MatchTier) -> (sql: String, values: [(any DatabaseValueConvertible)?])? {
    guard !title.isEmpty else { return nil }
    switch tier {
    case .exact: return ("(title_key = ? OR sort_title_key = ?)", [" \(title) ", " \(title) "])
    case .prefix:
      // Behind every text that begins so, as no text holds such a scalar.
      let bounds = [" \(title)", " \(title)\u{10FFFF}"]
      return (
        "(title_key >= ? AND title_key < ? OR sort_title_key >= ? AND sort_title_key < ?)", bounds + bounds
      )
    case .substring: return ("(instr(title_key, ?) OR instr(sort_title_key, ?))", [title, title])
    }
  }
}

extension String {
  /// The words without the spaces around them.
  fileprivate var trimmed: String {
    var words = self[...]
    while words.first == " " { words.removeFirst() }
    while words.last == " " { words.removeLast() }
    return String(words)
  }
}
