package import GRDB
package import MusicModel
package import Tagging
import UnicodeText

/// Finds in the index the album that a user names.
///
/// A query is a title (or its sort name), or an artist and a title with a slash between them ("Miles Davis/Kind of
/// Blue"). Case, diacritics, width and punctuation do not count. Of all readings of the query, those whose *title*
/// answers best decide: the whole title beats its beginning, and that a part of it. Among these, a query that is a
/// title with its slash beats one with an artist, and there the whole artist beats its beginning, and that a part of
/// it.
package struct AlbumLookup {
  /// The most albums that are worth telling apart.
  static let limit = 1_000
  /// The most titles that are compared for a suggestion.
  private static let suggestionLimit = 100_000

  private let database: Database
  private let libraries: LibraryScope

  /// Looks in `database` at the albums of these libraries.
  package init(database: Database, libraries: LibraryScope) {
    self.database = database
    self.libraries = libraries
  }

  /// The album that `query` names. An artist's name alone finds nothing, but suggests that artist's albums.
  package func find(_ query: String) throws -> Match<AlbumName> {
    try match(query) ?? .none(suggestions: try suggestions(query))
  }

  /// The same without suggestions: `nil` where there is none.
  package func match(_ query: String) throws -> Match<AlbumName>? {
    let readings = Reading.all(of: query)
    for tier in [MatchTier.exact, .prefix, .substring] {
      let ranked = try readings.flatMap { try candidates($0, tier) }
      // A set of numbers, where none was before, is a search of all conformances of the program.
      if ranked.count == 1 { return .found(ranked[0].name) }
      guard let best = ranked.map(\.rank).min() else { continue }
      var seen: Set<Int64> = []
      let answers = ranked.filter { $0.rank == best && seen.insert($0.name.id).inserted }.map(\.name)
      return answers.count == 1 ? .found(answers[0]) : .ambiguous(answers)
    }
    return nil
  }

  /// The albums whose titles answer `reading` in this tier, in the order of listings, and how well the artists do: the
  /// better is the lesser. A unary plus keeps SQLite from walking all albums in that order, of which it would read
  /// each.
  private func candidates(_ reading: Reading, _ tier: MatchTier) throws -> [(rank: Int, name: AlbumName)] {
    guard let (condition, values) = reading.condition(tier, in: libraries) else { return [] }
    let rows = try IndexStatement(
      database,
      """
      SELECT id, title, artist, artist_key, sort_artist_key FROM album
      WHERE \(condition) AND (? IS NULL OR instr(artist_key, ?) OR instr(sort_artist_key, ?))
      ORDER BY +sort LIMIT \(Self.limit)
      """)
    rows.bind(libraries.first)
    for value in values { rows.bind(value) }
    for _ in 0..<3 { rows.bind(reading.artist) }
    var answers: [(rank: Int, name: AlbumName)] = []
    while try rows.step() {
      guard let name = Self.name(rows) else { continue }
      guard let artist = reading.artist else {
        answers.append((0, name))
        continue
      }
      let keys = [3, 4].compactMap { rows.optionalText($0)?.trimmed.utf8 }
      let tier = keys.compactMap { MatchTier(Array(artist.utf8), in: Array($0)) }.min()
      if let tier { answers.append((1 + tier.rawValue, name)) }
    }
    return answers
  }

  private func suggestions(_ query: String) throws -> [AlbumName] {
    let words = query.searchWords.trimmed
    guard !words.isEmpty else { return [] }
    let byArtist = try albums(ofArtist: words)
    if !byArtist.isEmpty { return byArtist }
    let title = (query.split(separator: "/").last.map(String.init) ?? query).searchWords.trimmed
    var known: [(id: Int64, title: String, artist: String)] = []
    let rows = try IndexStatement(
      database,
      """
      SELECT id, title_key, artist_key FROM album WHERE \(libraries.condition("library", "?")) ORDER BY sort
      LIMIT \(Self.suggestionLimit)
      """)
    rows.bind(libraries.first)
    while try rows.step() {
      known.append((rows.integer(0), rows.text(1).trimmed, (rows.optionalText(2) ?? "").trimmed))
    }
    let byTitle = try Likeness.nearest(to: title, in: known.map(\.title)).flatMap { index in
      try names("SELECT id, title, artist FROM album WHERE id = ?") { $0.bind(known[index].id) }
    }
    if !byTitle.isEmpty { return byTitle }
    return try Likeness.nearest(to: words, in: known.map(\.artist), limit: 1).flatMap { index in
      try albums(ofArtist: known[index].artist)
    }
  }

  /// Some albums of the artists in whose names these words are.
  private func albums(ofArtist words: String) throws -> [AlbumName] {
    try names(
      """
      SELECT id, title, artist FROM album WHERE \(libraries.condition("library", "?")) AND instr(artist_key, ?)
      ORDER BY sort LIMIT 3
      """
    ) { rows in
      rows.bind(libraries.first)
      rows.bind(words)
    }
  }

  private func names(_ sql: String, _ bind: (IndexStatement) -> Void) throws -> [AlbumName] {
    let rows = try IndexStatement(database, sql)
    bind(rows)
    var names: [AlbumName] = []
    while try rows.step() { if let name = Self.name(rows) { names.append(name) } }
    return names
  }

  private static func name(_ row: IndexStatement) -> AlbumName? {
    guard let id = row.optionalInteger(0), let title = row.optionalText(1) else { return nil }
    return AlbumName(id: id, title: title, artist: row.optionalText(2))
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

  /// What an album's row has to fulfil so that its title answers in `tier` in one of `libraries`, of which the first is
  /// bound, and then these values.
  func condition(_ tier: MatchTier, in libraries: LibraryScope) -> (sql: String, values: [String])? {
    guard !title.isEmpty else { return nil }
    switch tier {
    case .exact:
      return (Self.indexed(in: libraries) { "\($0) = ?" }, [" \(title) ", " \(title) "])
    case .prefix:
      // Behind every text that begins so, as no text holds such a scalar.
      let bounds = [" \(title)", " \(title)\u{10FFFF}"]
      return (Self.indexed(in: libraries) { "\($0) >= ? AND \($0) < ?" }, bounds + bounds)
    case .substring:
      // Where an artist is named, too, that decides which of them count.
      let limit = artist == nil ? " LIMIT \(AlbumLookup.limit)" : ""
      return (Self.indexed(in: libraries, limit) { "instr(\($0), ?)" }, [title, title])
    }
  }

  /// True of the albums that an index finds by their title, or their sort name, without reading any other. It is named:
  /// left to choose, SQLite may walk all albums.
  private static func indexed(
    in libraries: LibraryScope, _ limit: String = "", _ condition: (String) -> String
  ) -> String {
    let parts = ["title_key", "sort_title_key"].map { key in
      """
      SELECT id FROM album INDEXED BY album_\(key)
      WHERE \(libraries.condition("library")) AND \(key) IS NOT NULL AND \(condition(key))
      """
    }
    return "id IN (\(parts.joined(separator: " UNION ALL "))\(limit))"
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

extension AlbumLookup {
  /// The album with this id and its tracks in playing order; `nil` where there is none any more.
  package func album(_ id: Int64) throws -> Album? {
    let rows = try IndexStatement(
      database,
      """
      SELECT \(StoredTrack.columns) FROM track INDEXED BY track_album \(StoredTrack.tables)
      WHERE track.album = ?2 AND \(libraries.condition("track.library")) ORDER BY track.place
      """)
    rows.bind(libraries.first)
    rows.bind(id)
    var tracks: [Track] = []
    while try rows.step() { tracks.append(StoredTrack.entry(StatementRow(statement: rows)).track) }
    let albums = try IndexStatement(database, "SELECT \(StoredAlbum.columns) FROM album WHERE album.id = ?")
    albums.bind(id)
    guard !tracks.isEmpty, try albums.step() else { return nil }
    let entry = StoredAlbum.entry(StatementRow(statement: albums))
    var album = Album(
      title: entry.title, artist: entry.artist, isCompilation: entry.isCompilation, tracks: tracks)
    album.sortTitle = tracks.lazy.compactMap(\.sortNames.album).first
    album.sortArtist = tracks.lazy.compactMap(\.sortNames.albumArtist).first
    album.date = entry.date
    return album
  }

  /// The directories in which the tracks of this album are, with the times at which they had changed when they were
  /// read, and the library's path.
  package static func directories(
    ofAlbum id: Int64, _ database: Database
  ) throws -> (root: [UInt8], directories: [(path: RelativePath, modificationTime: Int64)]) {
    let rows = try IndexStatement(
      database,
      """
      SELECT DISTINCT directory.path, directory.mtime, library.root FROM track INDEXED BY track_album
      JOIN directory ON directory.id = track.directory JOIN library ON library.id = track.library
      WHERE track.album = ?
      """)
    rows.bind(id)
    var root: [UInt8] = []
    var found: [(path: RelativePath, modificationTime: Int64)] = []
    while try rows.step() {
      found.append((RelativePath(rows.bytes(0)), rows.integer(1)))
      root = rows.bytes(2)
    }
    return (root, found)
  }
}
