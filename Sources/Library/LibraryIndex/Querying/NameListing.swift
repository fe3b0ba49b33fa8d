// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel

/// Finds the IDs of one page of artists or genres, sorted by sort name.
struct NameListing {
  let database: Database
  private let libraries: LibraryScope
  let kind: NameKind
  private let query: LibraryQuery
  private let predicate: QueryPredicate
  private let arguments: QueryArguments
  private let days: LocalDays
  private let thresholds: QueryThresholds

  init(
    _ database: Database, _ libraries: LibraryScope, query: LibraryQuery, kind: NameKind,
    thresholds: QueryThresholds
  ) throws {
    self.database = database
    self.libraries = libraries
    self.kind = kind
    self.thresholds = thresholds
    self.query = try query.spelled(by: WordSpellings(database)).normalized
    days = LocalDays(database: database)
    var arguments = QueryArguments()
    _ = arguments.add(libraries.first)
    predicate = try QueryPredicate(self.query, arguments: &arguments, days: days)
    self.arguments = arguments
  }

  /// Returns the IDs of a page, and whether more follow.
  func page(offset: Int, limit: Int?) throws -> (ids: [Int64], hasMore: Bool) {
    let end = limit.map { $0.addingReportingOverflow(offset) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    let needed = end.flatMap { $0 < .max ? $0 + 1 : nil }
    let page = try ids(needed: needed ?? .max).dropFirst(offset)
    guard let limit else { return (Array(page), false) }
    return (Array(page.prefix(limit)), page.count > limit)
  }

  private func ids(needed: Int) throws -> [Int64] {
    if query == .nothing { return [] }
    if !libraries.isSingle { return try idsOfAllLibraries(needed: needed) }
    let library = libraries.first
    if query != .everything, needed <= 1_000, let ids = try readingAhead(needed: needed) { return ids }
    let narrower = QueryNarrower(database: database, library: library, days: days, thresholds: thresholds)
    var candidates = try narrower.candidates(for: query)
    let otherLibrary = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM library WHERE id <> ?"), arguments: [library])
    // The tables of names are shared by all libraries, so each name must be checked.
    if otherLibrary != nil { candidates.isExact = false }
    if candidates.isComplement, !candidates.isExact { return try readAll(needed: needed) }
    if candidates.isComplement { return try walk(candidates, needed: needed, steps: .max) ?? [] }
    let count = candidates.ids.count
    if candidates.isExact, count > thresholds.smallCount,
      let ids = try walk(candidates, needed: needed, steps: count * thresholds.stepsPerTrack)
    {
      return ids
    }
    return try sorted(candidates.ids.ids, needed: needed)
  }

  /// Returns the first `needed` IDs for several libraries. If the query matches everything, any track of a name will do
  /// and is soon found; otherwise, each library finds its own names.
  private func idsOfAllLibraries(needed: Int) throws -> [Int64] {
    if query == .everything { return try readAll(needed: needed) }
    var found: Set<Int64> = []
    for library in libraries.all {
      let listing = try NameListing(
        database, LibraryScope(library.id), query: query, kind: kind, thresholds: thresholds)
      found.formUnion(try listing.ids(needed: needed))
    }
    return try ordered(Array(found), needed: needed)
  }

  private var names: String {
    let tables = kind.tables
    return "SELECT id FROM \(tables.names) INDEXED BY \(tables.names)_sort"
  }

  /// Reads the tracks of each name, in the order of the names, until one matches. Returns `nil` if this takes too long.
  private func readingAhead(needed: Int) throws -> [Int64]? {
    let tables = kind.tables
    let trackLimit: Int64 = 64
    let nameParameter = arguments.count + 1
    let links = IndexStatement(
      database,
      """
      SELECT track.library = ?1 AND \(predicate.sql) \
      FROM (SELECT track FROM \(tables.links) WHERE \(tables.column) = ?\(nameParameter) LIMIT \(trackLimit)) AS link \
      CROSS JOIN track ON track.id = link.track CROSS JOIN words ON words.id = track.id
      """)
    arguments.bind(to: links)
    var missLimit = thresholds.missLimit / max(1, arguments.count / 8)
    var found: [Int64] = []
    let names = IndexStatement(database, "\(names) ORDER BY sort, id")
    while try names.step() {
      let id = names.integer(0)
      links.rebind(id, to: nameParameter)
      var count: Int64 = 0
      var isFound = false
      while !isFound, try links.step() {
        count += 1
        isFound = links.integer(0) != 0
      }
      links.reset()
      missLimit -= Int(count)
      if isFound {
        found.append(id)
        missLimit += thresholds.missesPerHit
        if found.count >= needed { return found }
      }
      if missLimit <= 0 || !isFound && count == trackLimit { return nil }
    }
    return found
  }

  /// Follows the names in order, and the tracks of each name until one of them is a candidate. Returns `nil` if this
  /// takes more than `steps` steps.
  private func walk(_ candidates: CandidateSet, needed: Int, steps: Int) throws -> [Int64]? {
    let tables = kind.tables
    let links = IndexStatement(
      database, "SELECT track FROM \(tables.links) WHERE \(tables.column) = ?")
    var found: [Int64] = []
    var steps = steps
    let names = IndexStatement(database, "\(names) ORDER BY sort, id")
    while found.count < needed, try names.step() {
      links.bind(names.integer(0))
      while try links.step() {
        steps -= 1
        if steps < 0 { return nil }
        guard candidates.ids.contains(links.integer(0)) != candidates.isComplement else { continue }
        found.append(names.integer(0))
        break
      }
      links.reset()
    }
    return found
  }

  /// Reads the tracks of each name until one matches the query.
  private func readAll(needed: Int) throws -> [Int64] {
    let tables = kind.tables
    var arguments = arguments
    let sql = """
      \(names) WHERE EXISTS (SELECT 1 FROM \(tables.links) AS link CROSS JOIN track ON track.id = link.track \
      CROSS JOIN words ON words.id = track.id WHERE link.\(tables.column) = \(tables.names).id \
      AND \(libraries.condition("track.library")) AND \(predicate.sql)) ORDER BY sort, id LIMIT \(arguments.add(Int64(needed)))
      """
    return try Int64.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
  }

  /// Reads these tracks, and sorts the names of those that match the query.
  private func sorted(_ candidates: [Int64], needed: Int) throws -> [Int64] {
    var arguments = arguments
    let sql = """
      SELECT DISTINCT \(kind.keys.joined(separator: " || char(31) || ")) FROM json_each(\(arguments.add(Listing.list(candidates)))) AS candidate \
      CROSS JOIN track ON track.id = candidate.value CROSS JOIN words ON words.id = track.id \
      CROSS JOIN album ON album.id = track.album WHERE track.library = ?1 AND \(predicate.sql)
      """
    var keys: Set<Substring> = []
    let rows = try String.fetchAll(database, sql: sql, arguments: arguments.statementArguments)
    for row in rows { keys.formUnion(row.split(separator: "\u{1F}")) }
    let names = kind.tables.names
    let statement = try database.makeStatement(sql: "SELECT id FROM \(names) WHERE key = ?")
    let ids = try keys.compactMap { try Int64.fetchOne(statement, arguments: [String($0)]) }
    return try ordered(ids, needed: needed)
  }

  /// Returns the first `needed` of these IDs, sorted by name.
  private func ordered(_ ids: [Int64], needed: Int) throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: """
        SELECT name.id FROM json_each(?) AS found CROSS JOIN \(kind.tables.names) AS name ON name.id = found.value
        ORDER BY name.sort, name.id LIMIT ?
        """, arguments: [Listing.list(ids), needed])
  }

  /// Returns the names with these IDs, in the given order, with their album and track counts.
  func entries(_ ids: [Int64]) throws -> [NameEntry] {
    try ids.compactMap { try Self.entry($0, kind, libraries, database) }
  }

  /// Returns the name with this ID, with its album and track counts; `nil` if there is none.
  static func entry(
    _ id: Int64, _ kind: NameKind, _ libraries: LibraryScope, _ database: Database
  ) throws -> NameEntry? {
    let name = try database.cachedStatement(sql: "SELECT name FROM \(kind.tables.names) WHERE id = ?")
    guard let text = try String.fetchOne(name, arguments: [id]) else { return nil }
    var entry = NameEntry(name: text, albumCount: 0, trackCount: 0)
    for library in libraries.all {
      let count = try NameCounts.count(id, kind, library: library.id, database)
      entry.albumCount += count.albums
      entry.trackCount += count.tracks
    }
    return entry
  }
}
