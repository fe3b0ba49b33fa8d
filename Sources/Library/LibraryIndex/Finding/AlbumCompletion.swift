// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
package import MusicModel
import UnicodeText

/// Completes an album name that a user is typing, from the albums with a track that matches a query.
///
/// Albums whose title begins with the text come first, then albums of an artist named before a slash, then albums with
/// a word in the title that begins with the text. If there are none of these, the albums of artists whose name begins
/// with the text are found. Each group is in library order.
package struct AlbumCompletion {
  private let reader: IndexReader
  private let query: LibraryQuery
  private let limit: Int

  /// Creates a completion that finds at most `limit` albums in the libraries of `reader`, with a track that matches
  /// `query`.
  package init(reader: IndexReader, query: LibraryQuery, limit: Int) {
    self.reader = reader
    self.query = query
    self.limit = limit
  }

  /// Returns the albums that complete `text`, or all of them if it is blank.
  package func albums(_ text: String) throws -> [CompletedAlbum] {
    guard limit > 0 else { return [] }
    let words = TypedWords(text)
    if words.isEmpty {
      if text.contains(where: { !$0.isWhitespace }) { return [] }
      return try completions(try albums(matching: query), isByArtist: false)
    }
    var found = try completions(try albumsBeginning(with: words), isByArtist: false)
    for (artist, title) in Self.readings(text) {
      found += try completions(try albums(byArtist: artist, title: title), isByArtist: true)
    }
    // For one or two letters, collecting the titles with such a word in the middle takes too long.
    let isSelective =
      words.prefix == words.whole || (words.whole.split(separator: " ").last?.utf8.count ?? 0) > 2
    if found.count < limit, isSelective && !found.contains(where: \.isByArtist) || found.isEmpty {
      let containing = query.normalized.and(.text(.album, TextPattern(text)))
      let entries = try albums(matching: containing).filter { $0.titleKey.contains(words.prefix) }
      found += try completions(
        entries.filter { $0.titleKey.hasPrefix(words.prefix) }
          + entries.filter { !$0.titleKey.hasPrefix(words.prefix) }, isByArtist: false)
    }
    if found.isEmpty {
      found = try completions(try albums(byArtist: words, title: nil), isByArtist: true)
    }
    var seen: Set<Int64> = []
    return Array(found.filter { seen.insert($0.name.id).inserted }.prefix(limit))
  }

  /// Returns the possible ways to split a name at a slash into an artist and a title. Only the first four slashes are
  /// tried: a name with more of them is a path.
  private static func readings(_ text: String) -> [(artist: TypedWords, title: TypedWords)] {
    text.indices.filter { text[$0] == "/" }.prefix(4).map { slash in
      (
        TypedWords(String(text[..<slash]) + " "),
        TypedWords(String(text[text.index(after: slash)...]))
      )
    }.filter { !$0.artist.isEmpty }
  }

  private func albums(matching query: LibraryQuery) throws -> [AlbumName] {
    try reader.albums(query, order: LibraryOrder(), window: .init(limit: limit)).elements
      .map { AlbumName(id: $0.id, title: $0.title, artist: $0.artist) }
  }

  private func albumsBeginning(with words: TypedWords) throws -> [AlbumName] {
    try matchingAlbums { library, arguments in
      """
      album INDEXED BY album_title_key WHERE library = \(library) AND title_key >= \(arguments.add(words.prefix)) \
      AND title_key < \(arguments.add(words.upperBound))
      """
    }
  }

  private func albums(byArtist artist: TypedWords, title: TypedWords?) throws -> [AlbumName] {
    try matchingAlbums { library, arguments in
      let titles =
        title.map { $0.isEmpty ? "" : " AND instr(title_key, \(arguments.add($0.prefix)))" } ?? ""
      return """
        album INDEXED BY album_artist_key WHERE library = \(library) AND artist_key >= \(arguments.add(artist.prefix)) \
        AND artist_key < \(arguments.add(artist.upperBound))\(titles)
        """
    }
  }

  /// Returns the albums among the first 500 rows of `source`, or among the first 2,000 if the query matches everything.
  private func matchingAlbums(_ source: (String, inout QueryArguments) -> String) throws -> [AlbumName] {
    try reader.database.read { database in
      var arguments = QueryArguments()
      _ = arguments.add(reader.libraries.first)
      let query = query.normalized
      var condition = ""
      if query != .everything {
        let predicate = try QueryPredicate(query, arguments: &arguments, days: LocalDays(database: database))
        condition = """
           WHERE EXISTS (SELECT 1 FROM track INDEXED BY track_album CROSS JOIN words ON words.id = track.id \
          WHERE track.album = album.id AND \(predicate.sql))
          """
      }
      let candidates = reader.libraries.selection(limit: query == .everything ? 2_000 : 500) {
        source($0, &arguments)
      }
      let sql = """
        SELECT album.id, album.title, album.artist FROM (\(candidates)) AS candidate CROSS JOIN album ON album.id = candidate.id\(condition) \
        ORDER BY album.sort, album.id LIMIT \(arguments.add(Int64(limit)))
        """
      return try Row.fetchAll(database, sql: sql, arguments: arguments.statementArguments).compactMap { row in
        guard let id = row.long(0), let title = row.text(1) else { return nil }
        return AlbumName(id: id, title: title, artist: row.text(2))
      }
    }
  }

  private func completions(_ names: [AlbumName], isByArtist: Bool) throws -> [CompletedAlbum] {
    try reader.database.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT count(*) FROM (SELECT 1 FROM album INDEXED BY album_title_key \
          WHERE \(reader.libraries.condition("library", "?")) AND title_key = ? LIMIT 2)
          """)
      return try names.map { name in
        let count = try Int.fetchOne(statement, arguments: [reader.libraries.first, name.titleKey]) ?? 0
        return CompletedAlbum(name, isAmbiguous: count > 1, isByArtist: isByArtist)
      }
    }
  }
}

extension AlbumName {
  fileprivate var titleKey: String { title.searchWords }
}
