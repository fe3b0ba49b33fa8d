// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel

/// Finds the IDs of one page of the tracks or albums of one library.
///
/// 1. The first tracks in the sort order are read through the index of that order. If many of them match the query, the
///    page is soon full.
/// 2. Otherwise, indexes narrow down the tracks that can match (``CandidateSet``). If there are few candidates, they
///    are read and sorted.
/// 3. If there are more, the index of the sort order is followed again, and only the candidates are read. This stops
///    when it has taken as long as reading and sorting all of them. If everything is wanted, it does not even begin
///    unless it can reach the end before.
/// 4. If no index narrows the query, all tracks are read.
struct Listing {
  let database: Database
  let library: Int64
  let query: LibraryQuery
  let item: ListingOrder.Item
  let order: ListingOrder
  private let thresholds: QueryThresholds
  private let days: LocalDays
  private let predicate: QueryPredicate
  private let arguments: QueryArguments

  private static let words = " CROSS JOIN words ON words.id = track.id"

  /// The column with the ID of what is listed. Orders of albums read the album before its tracks.
  private var idColumn: String { item == .albums ? "album.id" : "track.id" }

  init(
    _ database: Database, library: Int64, query: LibraryQuery, order: LibraryOrder, item: ListingOrder.Item,
    thresholds: QueryThresholds
  ) throws {
    self.database = database
    self.library = library
    self.query = try query.spelled(by: WordSpellings(database)).normalized
    self.item = item
    self.thresholds = thresholds
    self.order = ListingOrder(order, of: item)
    days = LocalDays(database: database)
    var arguments = QueryArguments()
    _ = arguments.add(library)
    predicate = try QueryPredicate(self.query, arguments: &arguments, days: days)
    self.arguments = arguments
  }

  /// Returns the first `needed` IDs.
  func ids(needed: Int) throws -> [Int64] {
    if item == .albums, query == .everything { return try allAlbums(needed: needed) }
    if query == .nothing { return [] }
    if query != .everything, needed <= 1_000, let ids = try readingAhead(needed: needed) { return ids }
    let narrower = QueryNarrower(database: database, library: library, days: days, thresholds: thresholds)
    let candidates = try narrower.candidates(for: query)
    if candidates.isComplement {
      return candidates.isExact
        ? try walk(candidates, needed: needed, steps: .max) ?? [] : try readAll(needed: needed)
    }
    let count = candidates.ids.count
    let steps = count * thresholds.stepsPerTrack
    if count > thresholds.smallCount, try needed < .max || lastTrack() <= steps,
      let ids = try walk(candidates, needed: needed, steps: steps)
    {
      return ids
    }
    return try sorted(candidates, needed: needed)
  }

  /// Returns the highest ID of a track, which is at least the number of steps to the end of an order.
  private func lastTrack() throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM track")) ?? 0
  }

  private func allAlbums(needed: Int) throws -> [Int64] {
    var ids: [Int64] = []
    for segment in order.albumSegments where ids.count < needed {
      let cursor = try Int64.fetchCursor(
        database.cachedStatement(sql: segment.selection("album.id")), arguments: [library])
      while ids.count < needed, let id = try cursor.next() { ids.append(id) }
    }
    return ids
  }

  /// Reads tracks in order. Returns `nil` if too few of the first ones match the query.
  private func readingAhead(needed: Int) throws -> [Int64]? {
    var hits = Hits(item, needed: needed)
    let adjacencyFactor = order.albumSegments.isEmpty ? 1 : thresholds.adjacencyFactor
    // Each value of the query is compared with each track, so long queries give up after fewer tracks.
    var missLimit = thresholds.missLimit * adjacencyFactor / max(1, arguments.count / 8)
    let columns = "CASE WHEN \(predicate.sql) THEN \(idColumn) END"
    for segment in order.segments {
      let rows = IndexStatement(database, segment.selection(columns, joining: Self.words))
      arguments.bind(to: rows)
      while try rows.step() {
        missLimit -= 1
        if let id = rows.optionalInteger(0), hits.add(id) {
          missLimit += thresholds.missesPerHit * adjacencyFactor
          if hits.isFull { return hits.ids }
        }
        if missLimit <= 0 { return nil }
      }
    }
    return hits.ids
  }

  /// Reads tracks in order until enough match the query.
  private func readAll(needed: Int) throws -> [Int64] {
    var hits = Hits(item, needed: needed)
    for segment in order.segments {
      let rows = IndexStatement(
        database, segment.selection(idColumn, joining: Self.words, where: predicate.sql))
      arguments.bind(to: rows)
      while try rows.step() {
        if hits.add(rows.integer(0)), hits.isFull { return hits.ids }
      }
    }
    return hits.ids
  }

  /// Follows the index of the sort order and reads only candidates. Returns `nil` if this takes more than `steps`
  /// steps.
  private func walk(_ candidates: CandidateSet, needed: Int, steps: Int) throws -> [Int64]? {
    var hits = Hits(item, needed: needed)
    var included = candidates
    if order.albumSegments.isEmpty {
      included.formIntersection(CandidateSet(ids: try ungrouped(), isComplement: true, isExact: true))
    }
    let check = candidates.isExact ? nil : TrackCheck(database, predicate, arguments)
    var steps = steps
    for segment in order.segments {
      let rows = IndexStatement(database, cached: true, segment.selection("track.id, \(idColumn)"))
      rows.bind(library)
      while try rows.step() {
        steps -= 1
        if steps < 0 { return nil }
        let track = rows.integer(0)
        guard included.contains(track), !hits.contains(rows.integer(1)) else { continue }
        if let check, try !check.matches(track) { continue }
        if hits.add(rows.integer(1)), hits.isFull { return hits.ids }
      }
    }
    return hits.ids
  }

  /// Returns the tracks that do not belong to an album yet.
  private func ungrouped() throws -> TrackSet {
    var ids = TrackSet()
    let cursor = try Int64.fetchCursor(
      database.cachedStatement(sql: "SELECT id FROM track INDEXED BY track_album WHERE album IS NULL"))
    while let id = try cursor.next() { ids.insert(id) }
    return ids
  }

  /// Sorts these tracks or albums, which may belong to any library, and returns the first ones.
  func sorted(_ ids: [Int64], needed: Int) throws -> [Int64] {
    var arguments = QueryArguments()
    let list = arguments.add(Self.list(ids))
    let tables =
      switch item {
      case .tracks: "track ON track.id = found.value CROSS JOIN album ON album.id = track.album"
      case .albums: "album ON album.id = found.value"
      }
    let name = item == .tracks ? "track" : "album"
    let sql = """
      SELECT \(name).id FROM json_each(\(list)) AS found CROSS JOIN \(tables) \
      ORDER BY \(order.keys) LIMIT \(arguments.add(Int64(needed)))
      """
    return try Int64.fetchAll(
      database.cachedStatement(sql: sql), arguments: arguments.statementArguments)
  }

  /// Reads the candidates, sorts those that match the query, and returns the first ones.
  private func sorted(_ candidates: CandidateSet, needed: Int) throws -> [Int64] {
    var arguments = QueryArguments()
    _ = arguments.add(library)
    if !candidates.isExact { arguments = self.arguments }
    let list = arguments.add(Self.list(candidates.ids.ids))
    let limit = arguments.add(Int64(needed))
    let tracks = """
      FROM json_each(\(list)) AS candidate CROSS JOIN track ON track.id = candidate.value\(candidates.isExact ? "" : Self.words) \
      CROSS JOIN album ON album.id = track.album WHERE track.library = ?1\(candidates.isExact ? "" : " AND \(predicate.sql)")
      """
    let sql =
      switch item {
      case .tracks: "SELECT track.id \(tracks) ORDER BY \(order.keys) LIMIT \(limit)"
      case .albums:
        """
        SELECT album.id FROM (SELECT DISTINCT album.id AS id \(tracks)) AS found \
        CROSS JOIN album ON album.id = found.id ORDER BY \(order.keys) LIMIT \(limit)
        """
      }
    return try Int64.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
  }

  /// Formats IDs as a JSON array, for `json_each`.
  static func list(_ ids: some Sequence<Int64>) -> String { "[\(ids.map { "\($0)" }.joined(separator: ","))]" }

  /// The IDs of tracks or albums found so far, without duplicates.
  private struct Hits {
    private(set) var ids: [Int64] = []
    private let needed: Int
    private let areAlbums: Bool
    private var albums: Set<Int64> = []

    init(_ item: ListingOrder.Item, needed: Int) {
      self.needed = needed
      areAlbums = item == .albums
    }

    var isFull: Bool { ids.count >= needed }

    /// Whether this album was found before.
    func contains(_ id: Int64) -> Bool { areAlbums && albums.contains(id) }

    /// Adds a track or an album. Returns whether it was new.
    mutating func add(_ id: Int64) -> Bool {
      guard !areAlbums || albums.insert(id).inserted else { return false }
      ids.append(id)
      return true
    }
  }
}
