import FoundationEssentials
package import GRDB
package import MusicModel
import SystemPackage

/// Answers what is asked of libraries of the index as one, each call in one snapshot of it.
///
/// Tracks count once they have an album. Calls block while the disk does; any thread, and several at once where the
/// database allows. They throw what GRDB throws.
package struct IndexReader {
  /// Where the index is read.
  package let database: any DatabaseReader
  /// The rows of `library`.
  package let libraries: LibraryScope
  /// When another way of reading is tried.
  var effort = ReadingEffort()

  /// The tracks of which `query` is true.
  package func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws -> LibraryPage<TrackEntry> {
    try database.read { database in
      let listing = try MergedListing(
        database, libraries, query: query, order: order, item: .tracks, effort: effort)
      let page = try listing.page(offset: window.offset, limit: window.limit)
      return LibraryPage(try Self.tracks(page.ids, database), hasMore: page.hasMore)
    }
  }

  /// The albums with a track of which `query` is true.
  package func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws -> LibraryPage<AlbumEntry> {
    try database.read { database in
      let listing = try MergedListing(
        database, libraries, query: query, order: order, item: .albums, effort: effort)
      let page = try listing.page(offset: window.offset, limit: window.limit)
      return LibraryPage(try Self.albums(page.ids, database), hasMore: page.hasMore)
    }
  }

  /// The artists with a track of which `query` is true, by sort name.
  package func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws -> LibraryPage<NameEntry> {
    try names(.artists, query, window)
  }

  /// The genres with a track of which `query` is true, by name.
  package func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws -> LibraryPage<NameEntry> {
    try names(.genres, query, window)
  }

  private func names(
    _ kind: NameKind, _ query: LibraryQuery, _ window: LibraryPage<NameEntry>.Window
  ) throws -> LibraryPage<NameEntry> {
    try database.read { database in
      let listing = try NameListing(database, libraries, query: query, kind: kind, effort: effort)
      let page = try listing.page(offset: window.offset, limit: window.limit)
      return LibraryPage(try listing.entries(page.ids), hasMore: page.hasMore)
    }
  }

  /// What `text`, which may end within a word, finds among the tracks of which `query` is true: best first, at most
  /// `limit`.
  package func search(_ text: String, among query: LibraryQuery, limit: Int) throws -> [SearchHit] {
    try database.read { database in
      try TextSearch(database, libraries, text: text, query: query, limit: limit).hits()
    }
  }

  /// The album with this id and its tracks in playing order; `nil` where there is none any more.
  func album(_ id: Int64) throws -> Album? {
    try database.read { try AlbumLookup(database: $0, libraries: libraries).album(id) }
  }

  /// The files and directories that cannot be in the library, by path.
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

  /// How many files and directories cannot be in the library.
  package func problemCount() throws -> Int {
    try database.read { database in
      let sql = "SELECT count(*) FROM problem WHERE \(libraries.condition("library"))"
      return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [libraries.first]) ?? 0
    }
  }

  /// The tracks with these ids, in their order.
  static func tracks(_ ids: [Int64], _ database: Database) throws -> [TrackEntry] {
    let statement = try database.cachedStatement(
      sql: "SELECT \(StoredTrack.columns) FROM track \(StoredTrack.tables) WHERE track.id = ?")
    return try ids.compactMap { try Row.fetchOne(statement, arguments: [$0]).map { StoredTrack.entry($0) } }
  }

  /// The albums with these ids, in their order.
  static func albums(_ ids: [Int64], _ database: Database) throws -> [AlbumEntry] {
    let statement = try database.cachedStatement(
      sql: "SELECT \(StoredAlbum.columns) FROM album WHERE album.id = ?")
    return try ids.compactMap { try Row.fetchOne(statement, arguments: [$0]).map { StoredAlbum.entry($0) } }
  }
}

/// How much is read before another way is tried. The numbers decide on time alone, never on what is found.
struct ReadingEffort {
  /// How many tracks are few: reading these takes less time than narrowing them further.
  var few = 5_000
  /// How many tracks are read in vain, here and there in the tables, before indexes are asked.
  var patience = 1_200
  /// How many times as many are read where those of an album lie side by side.
  var locality = 4
  /// How many more are read for each one that answered.
  var patienceForEach = 40
  /// How many steps along an index are tried for each track that can answer, before all of these are read and sorted.
  var stepsPerTrack = 10
  /// How many tracks hold a word that tells too few apart.
  var many = 20_000
  /// Whether a snapshot is used where there is one.
  var usesSnapshot = true

  /// With a snapshot, less has to be tried before indexes are asked.
  var withSnapshot: ReadingEffort {
    var effort = self
    effort.few = few / 5
    effort.patience = patience / 6
    effort.patienceForEach = patienceForEach / 4
    effort.locality = locality / 2
    return effort
  }
}
