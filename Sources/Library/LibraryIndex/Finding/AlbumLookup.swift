// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB
package import MusicModel
package import Tagging
import UnicodeText

/// Finds the album that a user names.
///
/// A query is a title (or its sort name), or an artist and a title separated by a slash ("Miles Davis/Kind of Blue").
/// Case, diacritics, width and punctuation are ignored. The query is read in every possible way, and the best match of
/// a title wins: the whole title before its beginning, and its beginning before any other part. If several are equally
/// good, a match of the whole query as a title wins. After that, the best match of the artist wins, in the same order.
/// If nothing matches, names in which something stands between the letters of a word are found ("acdc").
package struct AlbumLookup {
  /// The maximum number of albums that are compared with the query.
  static let limit = 1_000
  /// The maximum number of titles that are compared with the query to find suggestions.
  private static let suggestionLimit = 100_000

  private let database: Database
  private let libraries: LibraryScope

  /// Creates a look-up of the albums of these libraries in `database`.
  package init(database: Database, libraries: LibraryScope) {
    self.database = database
    self.libraries = libraries
  }

  /// Returns the album that `query` names, or suggestions. An artist's name alone names no album, but suggests albums
  /// of that artist.
  package func find(_ query: String) throws -> Match<AlbumName> {
    try match(query) ?? .none(suggestions: try suggestions(query))
  }

  /// Returns the album that `query` names, or `nil` if it names none.
  package func match(_ query: String) throws -> Match<AlbumName>? {
    try match(QueryReading.all(of: query)) ?? match(QueryReading.variants(of: query, WordSpellings(database)))
  }

  /// Returns the albums from whose names `query` differs by one slip of a finger in a word, or in several.
  package func albums(mistypedAs query: String) throws -> [AlbumName] {
    var found: [AlbumName] = []
    for text in try corrections(of: query) {
      switch try match(text) {
      case .found(let name)?: found.append(name)
      case .ambiguous(let names)?: found += names
      case .none(suggestions: _)?, nil: break
      }
    }
    var seen: Set<Int64> = []
    return found.filter { seen.insert($0.id).inserted }
  }

  /// Returns the texts in the words of the library from which `query` differs by one slip of a finger in a word, or in
  /// several.
  package func corrections(of query: String) throws -> [String] {
    try WordSpellings(database).corrections(of: query)
  }

  private func match(_ readings: [QueryReading]) throws -> Match<AlbumName>? {
    for tier in [MatchTier.exact, .prefix, .substring] {
      let ranked = try readings.flatMap { try candidates($0, tier) }
      // A single match does not need the set below. The first use of a `Set<Int64>` makes the runtime search all
      // protocol conformances.
      if ranked.count == 1 { return .found(ranked[0].name) }
      guard let best = ranked.map(\.rank).min() else { continue }
      var seen: Set<Int64> = []
      let matches = ranked.filter { $0.rank == best && seen.insert($0.name.id).inserted }.map(\.name)
      return matches.count == 1 ? .found(matches[0]) : .ambiguous(matches)
    }
    return nil
  }

  /// Returns the albums whose title matches `reading` in this tier, in listing order. Each has the rank of its artist
  /// match; lower is better.
  ///
  /// The unary plus in ORDER BY keeps SQLite from reading every album in the order of the index.
  private func candidates(_ reading: QueryReading, _ tier: MatchTier) throws -> [(rank: Int, name: AlbumName)] {
    guard let (condition, values) = reading.condition(tier, in: libraries) else { return [] }
    let rows = IndexStatement(
      database,
      """
      SELECT id, title, artist, artist_key, sort_artist_key FROM album
      WHERE \(condition) AND (? IS NULL OR instr(artist_key, ?) OR instr(sort_artist_key, ?))
      ORDER BY +sort LIMIT \(Self.limit)
      """)
    rows.bind(libraries.first)
    for value in values { rows.bind(value) }
    for _ in 0..<3 { rows.bind(reading.artist) }
    var found: [(rank: Int, name: AlbumName)] = []
    while try rows.step() {
      guard let name = Self.name(rows) else { continue }
      guard let artist = reading.artist else {
        found.append((0, name))
        continue
      }
      let keys = [3, 4].compactMap { rows.optionalText($0)?.trimmed.utf8 }
      let tier = keys.compactMap { MatchTier(Array(artist.utf8), in: Array($0)) }.min()
      if let tier { found.append((1 + tier.rawValue, name)) }
    }
    return found
  }

  private func suggestions(_ query: String) throws -> [AlbumName] {
    let words = query.searchWords.trimmed
    guard !words.isEmpty else { return [] }
    let variants = try WordSpellings(database).joinedVariants(of: query, isUnfinished: false)
    for name in [words] + variants.map(\.words) {
      let byArtist = try albums(ofArtist: name)
      if !byArtist.isEmpty { return byArtist }
    }
    let title = (query.split(separator: "/").last.map(String.init) ?? query).searchWords.trimmed
    let rows = IndexStatement(
      database,
      """
      SELECT id, title_key, artist_key FROM album WHERE \(libraries.condition("library", "?")) ORDER BY sort
      LIMIT \(Self.suggestionLimit)
      """)
    let known = try rows.all(libraries.first) { row in
      (id: row.integer(0), title: row.text(1).trimmed, artist: row.text(2).trimmed)
    }
    let byTitle = try Likeness.nearest(to: title, in: known.map(\.title)).flatMap { index in
      try IndexStatement(database, "SELECT id, title, artist FROM album WHERE id = ?")
        .all(known[index].id, read: Self.name)
    }
    if !byTitle.isEmpty { return byTitle }
    return try Likeness.nearest(to: words, in: known.map(\.artist), limit: 1).flatMap { index in
      try albums(ofArtist: known[index].artist)
    }
  }

  /// Returns at most three albums of artists whose names contain these words.
  private func albums(ofArtist words: String) throws -> [AlbumName] {
    let rows = IndexStatement(
      database,
      """
      SELECT id, title, artist FROM album WHERE \(libraries.condition("library", "?")) AND instr(artist_key, ?)
      ORDER BY sort LIMIT 3
      """)
    return try rows.all(libraries.first, words, read: Self.name)
  }

  private static func name(_ row: IndexStatement) -> AlbumName? {
    guard let id = row.optionalInteger(0), let title = row.optionalText(1) else { return nil }
    return AlbumName(id: id, title: title, artist: row.optionalText(2))
  }
}

/// One way to read a query, as a title or as an artist and a title.
private struct QueryReading {
  /// The search words of the artist, separated by spaces; `nil` if the query is read as a title alone.
  let artist: String?
  /// The search words of the title, separated by spaces.
  let title: String

  /// Returns all ways to read a query: as a whole title and, for each slash, as an artist and a title.
  static func all(of query: String) -> [QueryReading] {
    parts(of: query).map { artist, title in
      QueryReading(artist: artist?.searchWords.trimmed, title: title.searchWords.trimmed)
    }.filter { $0.artist?.isEmpty != true }
  }

  /// Returns the readings of a query in which something else stands between the letters of its words.
  static func variants(of query: String, _ spellings: WordSpellings) throws -> [QueryReading] {
    func spelled(_ text: String) throws -> [String] {
      try [text.searchWords.trimmed] + spellings.joinedVariants(of: text, isUnfinished: false).map(\.words)
    }
    return try parts(of: query).flatMap { artist, title in
      let artists: [String?] = try artist.map { try spelled($0) } ?? [nil]
      let titles = try spelled(title)
      // The first ones are the words of the query.
      return artists.flatMap { artist in titles.map { QueryReading(artist: artist, title: $0) } }.dropFirst()
    }.filter { $0.artist?.isEmpty != true }
  }

  private static func parts(of query: String) -> [(artist: String?, title: String)] {
    let slashes = query.utf8.indices.filter { query.utf8[$0] == UInt8(ascii: "/") }
    // No artist's name has more than 16 slashes; a query with more is a path.
    return [(nil, query)]
      + slashes.prefix(16).map { slash in
        (String(query[..<slash]), String(query[query.utf8.index(after: slash)...]))
      }
  }

  /// Returns the SQL condition that an album's title matches in `tier`, and the values to bind to it after the first
  /// library. Returns `nil` if the title is empty.
  func condition(_ tier: MatchTier, in libraries: LibraryScope) -> (sql: String, values: [String])? {
    guard !title.isEmpty else { return nil }
    switch tier {
    case .exact:
      return (Self.indexed(in: libraries) { "\($0) = ?" }, [" \(title) ", " \(title) "])
    case .prefix:
      // The upper bound sorts after every text with this prefix, because no text contains this scalar.
      let bounds = [" \(title)", " \(title)\u{10FFFF}"]
      return (Self.indexed(in: libraries) { "\($0) >= ? AND \($0) < ?" }, bounds + bounds)
    case .substring:
      // If an artist is named, the limit must apply after the artist is compared.
      let limit = artist == nil ? " LIMIT \(AlbumLookup.limit)" : ""
      return (Self.indexed(in: libraries, limit) { "instr(\($0), ?)" }, [title, title])
    }
  }

  /// Returns a condition that finds albums through the index of titles or of sort titles. The index is named, because
  /// SQLite might otherwise scan all albums.
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
  /// The string without leading and trailing spaces.
  fileprivate var trimmed: String {
    var words = self[...]
    while words.first == " " { words.removeFirst() }
    while words.last == " " { words.removeLast() }
    return String(words)
  }
}

extension AlbumLookup {
  /// Returns all albums of the first library, sorted by artist, date and title, then by the path of the first track.
  package func albums() throws -> [Album] {
    let rows = IndexStatement(
      database,
      """
      SELECT album.id FROM album CROSS JOIN track INDEXED BY track_album ON track.album = album.id AND track.place = 0
      CROSS JOIN directory ON directory.id = track.directory
      WHERE album.library = ? ORDER BY album.sort, directory.path, track.name, track.segment
      """)
    return try rows.all(libraries.first) { try album($0.integer(0)) }
  }

  /// Returns the album with this ID and its tracks in playing order, or `nil` if it no longer exists.
  package func album(_ id: Int64) throws -> Album? {
    let rows = IndexStatement(
      database, cached: true,
      """
      SELECT \(StoredTrack.columns) FROM track INDEXED BY track_album \(StoredTrack.tables)
      WHERE track.album = ?2 AND \(libraries.condition("track.library")) ORDER BY track.place
      """)
    let tracks = try rows.all(libraries.first, id) { $0.track }
    guard !tracks.isEmpty, let entry = try IndexReader.albums([id], database).first else { return nil }
    var album = Album(
      title: entry.title, artist: entry.artist, isCompilation: entry.isCompilation, tracks: tracks)
    album.sortTitle = tracks.lazy.compactMap(\.sortNames.album).first
    album.sortArtist = tracks.lazy.compactMap(\.sortNames.albumArtist).first
    album.date = entry.date
    return album
  }

  /// Returns the root of an album's library and the directories that contain the album's tracks. Each directory has the
  /// modification time that it had when it was scanned, in nanoseconds since 1970.
  package static func directories(
    ofAlbum id: Int64, _ database: Database
  ) throws -> (root: [UInt8], directories: [(path: RelativePath, modificationTime: Int64)]) {
    let rows = IndexStatement(
      database,
      """
      SELECT DISTINCT directory.path, directory.mtime, library.root FROM track INDEXED BY track_album
      JOIN directory ON directory.id = track.directory JOIN library ON library.id = track.library
      WHERE track.album = ?
      """)
    var root: [UInt8] = []
    let found = try rows.all(id) { row in
      root = row.bytes(2)
      return (path: RelativePath(row.bytes(0)), modificationTime: row.integer(1))
    }
    return (root, found)
  }
}
