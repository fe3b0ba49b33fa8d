// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import GRDB
package import MusicModel
import SystemPackage
import UnicodeText

/// Answers queries on libraries in the index. Each call reads one consistent state.
///
/// Only tracks that belong to an album are found. Calls block until the disk has been read. They may be made from any
/// thread, and concurrently if the database allows it. Errors come from GRDB.
package struct IndexReader {
  /// The connection to the index.
  package let database: any DatabaseReader
  /// The libraries to query.
  package let libraries: LibraryScope
  /// The thresholds for choosing how to answer a query.
  var thresholds = QueryThresholds()

  /// Returns a page of the tracks that match `query`.
  package func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws -> LibraryPage<TrackEntry> {
    try database.read { database in
      let listing = try MergedListing(
        database, libraries, query: query, order: order, item: .tracks, thresholds: thresholds)
      let page = try listing.page(offset: window.offset, limit: window.limit)
      return LibraryPage(try Self.tracks(page.ids, database), hasMore: page.hasMore)
    }
  }

  /// Returns a page of the albums that have a track that matches `query`.
  package func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws -> LibraryPage<AlbumEntry> {
    try database.read { database in
      let listing = try MergedListing(
        database, libraries, query: query, order: order, item: .albums, thresholds: thresholds)
      let page = try listing.page(offset: window.offset, limit: window.limit)
      return LibraryPage(try Self.albums(page.ids, database), hasMore: page.hasMore)
    }
  }

  /// Returns the number of items in a listing. This takes as long as reading the IDs of all of them, except for all
  /// tracks of the libraries, whose number is stored with the albums.
  package func count(of listing: LibraryListing, matching query: LibraryQuery) throws -> Int {
    try database.read { database in
      switch listing {
      case .tracks where query == .everything:
        // Reading the table in its own order takes a tenth of the time that reading it in that of an index takes.
        let sql =
          "SELECT ifnull(sum(track_count), 0) FROM album NOT INDEXED WHERE \(libraries.condition("library"))"
        return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [libraries.first]) ?? 0
      case .albums where query == .everything:
        let sql = "SELECT count(*) FROM album WHERE \(libraries.condition("library"))"
        return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [libraries.first]) ?? 0
      case .tracks, .albums:
        let item: ListingOrder.Item = listing == .tracks ? .tracks : .albums
        return try MergedListing(
          database, libraries, query: query, order: LibraryOrder(), item: item, thresholds: thresholds
        ).page(offset: 0, limit: nil).ids.count
      case .artists, .genres:
        let kind: NameKind = listing == .artists ? .artists : .genres
        return try NameListing(database, libraries, query: query, kind: kind, thresholds: thresholds)
          .page(offset: 0, limit: nil).ids.count
      }
    }
  }

  /// Returns a page of the artists that have a track that matches `query`, sorted by sort name.
  package func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws -> LibraryPage<NameEntry> {
    try names(.artists, query, window)
  }

  /// Returns a page of the genres that have a track that matches `query`, sorted by name.
  package func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws -> LibraryPage<NameEntry> {
    try names(.genres, query, window)
  }

  private func names(
    _ kind: NameKind, _ query: LibraryQuery, _ window: LibraryPage<NameEntry>.Window
  ) throws -> LibraryPage<NameEntry> {
    try database.read { database in
      let listing = try NameListing(database, libraries, query: query, kind: kind, thresholds: thresholds)
      let page = try listing.page(offset: window.offset, limit: window.limit)
      return LibraryPage(try listing.entries(page.ids), hasMore: page.hasMore)
    }
  }

  /// Searches the tracks that match `query` for `text`, which may end within a word. Returns at most `limit` results,
  /// the best first.
  package func search(_ text: String, among query: LibraryQuery, limit: Int) throws -> [SearchHit] {
    try database.read { database in
      try TextSearch(database, libraries, text: text, query: query, limit: limit).hits()
    }
  }

  /// Returns a page of the files and directories that could not be added to the library, sorted by path.
  package func problems(window: LibraryPage<ProblemEntry>.Window) throws -> LibraryPage<ProblemEntry> {
    try database.read { database in
      let sql = """
        SELECT library.root, problem.path, problem.reason FROM problem JOIN library ON library.id = problem.library
        WHERE \(libraries.condition("problem.library", "?"))
        ORDER BY \(libraries.isSingle ? "" : "library.root, ")problem.path LIMIT ? OFFSET ?
        """
      let limit = window.limit.flatMap { $0 < .max ? $0 + 1 : nil } ?? -1
      let rows = try Row.fetchCursor(
        database.cachedStatement(sql: sql), arguments: [libraries.first, limit, window.offset])
      var problems: [ProblemEntry] = []
      while let row = try rows.next() {
        problems.append(
          ProblemEntry(path: StoredTrack.path(row.bytes(0), row.bytes(1)), reason: row.text(2) ?? ""))
      }
      let hasMore = window.limit.map { problems.count > $0 } ?? false
      if hasMore { problems.removeLast() }
      return LibraryPage(problems, hasMore: hasMore)
    }
  }

  /// Returns the number of files and directories that could not be added to the library.
  package func problemCount() throws -> Int {
    try database.read { database in
      let sql = "SELECT count(*) FROM problem WHERE \(libraries.condition("library"))"
      return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [libraries.first]) ?? 0
    }
  }

  /// Returns the tracks with these IDs, in the given order. IDs that match no track are skipped.
  static func tracks(_ ids: [Int64], _ database: Database) throws -> [TrackEntry] {
    let rows = IndexStatement(
      database, cached: true, "SELECT \(StoredTrack.columns) FROM track \(StoredTrack.tables) WHERE track.id = ?")
    return try ids.compactMap { try rows.first($0, read: StoredTrack.entry) }
  }

  /// Returns the albums with these IDs, in the given order. IDs that match no album are skipped.
  static func albums(_ ids: [Int64], _ database: Database) throws -> [AlbumEntry] {
    let rows = IndexStatement(
      database, cached: true, "SELECT \(StoredAlbum.columns) FROM album WHERE album.id = ?")
    return try ids.compactMap { try rows.first($0, read: StoredAlbum.entry) }
  }
}

/// A listing of the items that match a query.
public enum LibraryListing: Sendable, Hashable {
  case tracks
  /// The albums that have a track that matches.
  case albums
  /// The artists of tracks or albums that have a track that matches.
  case artists
  /// The genres that have a track that matches.
  case genres
}

/// The thresholds for switching between ways to answer a query. They affect only the speed, never the result.
struct QueryThresholds {
  /// The number of tracks up to which reading the tracks is faster than narrowing them further.
  var smallCount = 2_000
  /// The number of tracks to read without a match before using indexes, if the tracks are scattered over the tables.
  var missLimit = 400
  /// The factor for ``missLimit`` and ``missesPerHit`` if the tracks of an album are stored side by side.
  var adjacencyFactor = 4
  /// The number of further tracks to read for each match.
  var missesPerHit = 40
  /// The number of steps along an index, per candidate, before all candidates are read and sorted instead.
  var stepsPerTrack = 10
  /// The number of tracks at which a word is too common to narrow a query.
  var commonCount = 20_000
  /// The number of values in stickers, read one after the other, that take as long as looking up that of one track.
  var valuesPerLookup = 5
}
