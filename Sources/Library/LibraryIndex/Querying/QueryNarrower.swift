// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel

/// Finds the tracks that can match a query, by using indexes and without reading the tracks.
///
/// Once a result is narrow enough, it is not narrowed further, because reading a few thousand tracks is faster.
struct QueryNarrower {
  let database: Database
  let library: Int64
  let days: LocalDays
  let thresholds: QueryThresholds

  /// Returns the tracks that can match `query`.
  func candidates(for query: LibraryQuery) throws -> CandidateSet {
    switch query {
    case .everything: return .everything
    case .not(let inner): return try candidates(for: inner).negation
    case .all(let parts): return try candidates(forAll: parts)
    case .any(let parts): return try candidates(forAny: parts)
    case .tracks(let ids): return CandidateSet(ids: TrackSet(ids), isComplement: false, isExact: true)
    case .text, .number, .date, .playlist: return try lookUp(query) ?? .unknown
    }
  }

  private func candidates(forAny parts: [LibraryQuery]) throws -> CandidateSet {
    var texts: [LibraryQuery] = []
    var rest: [LibraryQuery] = []
    var result = CandidateSet.everything.negation
    for part in parts {
      if FullTextMatch(part) == nil { rest.append(part) } else { texts.append(part) }
    }
    for part in rest {
      result.formUnion(try candidates(for: part))
      if result.isUnknown { return .unknown }
    }
    if !texts.isEmpty {
      result.formUnion(try lookUp(LibraryQuery.disjunction(texts)) ?? .unknown)
    }
    return result
  }

  private func candidates(forAll parts: [LibraryQuery]) throws -> CandidateSet {
    for case .tracks(let ids) in parts where ids.count <= thresholds.smallCount {
      return CandidateSet(ids: TrackSet(ids), isComplement: false, isExact: false)
    }
    for part in parts where part.hasColumnIndex {
      if let found = try lookUp(part, limit: thresholds.smallCount) {
        return CandidateSet(ids: found.ids, isComplement: false, isExact: false)
      }
    }
    var texts: [LibraryQuery] = []
    var rest = parts
    if parts.contains(where: { FullTextMatch($0) != nil }) {
      texts = parts.filter { $0.isText }
      rest = parts.filter { !$0.isText }
    }
    var result = CandidateSet.everything
    if !texts.isEmpty {
      let query = LibraryQuery.conjunction(try selective(texts))
      result = try lookUp(query) ?? .unknown
      if query != .conjunction(texts) { result.isExact = false }
      if !rest.isEmpty, result.ids.count <= thresholds.smallCount {
        result.isExact = false
        return result
      }
    }
    for (index, part) in rest.enumerated() {
      result.formIntersection(try candidates(for: part))
      if index + 1 < rest.count, !result.isComplement, result.ids.count <= thresholds.smallCount {
        result.isExact = false
        break
      }
    }
    return result
  }

  /// Removes prefixes of up to three letters that match very many tracks, if another part remains. To search for a
  /// prefix, FTS5 collects all tracks of all words with it before it returns the first one.
  private func selective(_ texts: [LibraryQuery]) throws -> [LibraryQuery] {
    let rest = try texts.filter { part in
      guard case .text(let field, let pattern) = part, pattern.kind == .beginning, pattern.text.utf8.count < 4
      else { return true }
      let word = LibraryQuery.text(field, TextPattern(pattern.text, kind: .words))
      guard let match = FullTextMatch(word) else { return true }
      let count = try Int.fetchOne(
        database.cachedStatement(
          sql: "SELECT count(*) FROM (SELECT rowid FROM search WHERE search MATCH ? LIMIT ?)"),
        arguments: [match.expression, thresholds.commonCount])
      return count ?? 0 < thresholds.commonCount
    }
    return rest.contains { FullTextMatch($0) != nil } ? rest : texts
  }

  /// Narrows a query with one index. Returns `nil` if no index can be used, or if it finds more than `limit` tracks.
  private func lookUp(_ query: LibraryQuery, limit: Int? = nil) throws -> CandidateSet? {
    if let (name, range, includesOthers) = try sticker(query) {
      return try lookUp(name, range, includesOthers: includesOthers, limit: limit)
    }
    if case .date(.listened, let range) = query { return try lookUp(playedIn: try days.seconds(range), limit: limit) }
    var arguments = QueryArguments()
    var isExact = true
    let sql: String
    switch query {
    case .number(let field, let range):
      let (column, bounds) = QueryNumbers.bounds(field, range)
      sql = """
        SELECT track.id FROM track \(QueryNumbers.index(of: field)) WHERE track.library = \(arguments.add(library)) \
        AND \(column) IS NOT NULL\(QueryPredicate.interval(column, bounds, &arguments))
        """
    case .date(_, let range):
      sql = """
        SELECT track.id FROM track INDEXED BY track_added WHERE track.library = \(arguments.add(library))\
        \(QueryPredicate.interval("track.added", try days.seconds(range), &arguments))
        """
    case .text(.path, let pattern): sql = path(QueryPath(pattern), &arguments)
    case .text(.format, let pattern):
      sql = """
        SELECT track.id FROM track INDEXED BY \(PropertyIndex.name) WHERE track.library = \(arguments.add(library)) \
        AND \(QueryPredicate.format(pattern, &arguments))
        """
    default:
      if case .text(let field, let pattern) = query, let words = QueryWords(field, pattern), words.isEmpty {
        return .everything
      }
      guard let match = FullTextMatch(query) else { return nil }
      isExact = match.isExact
      sql = "SELECT rowid FROM search WHERE search MATCH \(arguments.add(match.expression))"
    }
    return try ids(sql, arguments, limit: limit).map { CandidateSet(ids: $0, isComplement: false, isExact: isExact) }
  }

  /// Returns the sticker that a query compares, the range of its numbers, and whether tracks without it match; `nil`
  /// for other queries.
  private func sticker(
    _ query: LibraryQuery
  ) throws -> (name: String, range: QueryRange<Int64>, includesOthers: Bool)? {
    switch query {
    case .number(let field, let range):
      let bounds = QueryNumbers.bounds(field, range).bounds
      // A track without the sticker counts as 0.
      return StickerTable.name(of: field).map { ($0, bounds, bounds.contains(0)) }
    case .date(let field, let range):
      return try StickerTable.name(of: field).map { ($0, try days.seconds(range), false) }
    default: return nil
    }
  }

  /// Finds the tracks with a number in a sticker; returns `nil` as ``lookUp(_:limit:)`` does.
  private func lookUp(
    _ name: String, _ range: QueryRange<Int64>, includesOthers: Bool, limit: Int?
  ) throws -> CandidateSet? {
    if includesOthers, limit != nil { return nil }
    var arguments = QueryArguments()
    let nameCondition = "name = \(arguments.add(name))"
    let interval = QueryPredicate.interval(StickerTable.number, range, &arguments)
    let condition = includesOthers ? "\(nameCondition) AND NOT (1\(interval))" : nameCondition + interval
    let sql = "SELECT track FROM sticker INDEXED BY sticker_number WHERE \(condition)"
    return try ids(sql, arguments, limit: limit).map {
      CandidateSet(ids: $0, isComplement: includesOthers, isExact: true)
    }
  }

  /// Finds the tracks with a play in a time; returns `nil` as ``lookUp(_:limit:)`` does.
  private func lookUp(playedIn range: QueryRange<Int64>, limit: Int?) throws -> CandidateSet? {
    var arguments = QueryArguments()
    let interval = QueryPredicate.interval("time", range, &arguments)
    // In the log, a track is found by another ID. There are far more plays than tracks.
    guard
      let played = try ids("SELECT track FROM play INDEXED BY play_time WHERE 1\(interval)", arguments, limit: limit)
    else { return nil }
    let rows = IndexStatement(
      database, "SELECT id, library_track FROM played_track INDEXED BY played_library_track WHERE library_track > 0")
    var tracks = TrackSet()
    while try rows.step() {
      if played.contains(rows.integer(0)) { tracks.insert(rows.integer(1)) }
    }
    return CandidateSet(ids: tracks, isComplement: false, isExact: true)
  }

  /// Returns the IDs that a statement finds; `nil` if there are more than `limit`.
  private func ids(_ sql: String, _ arguments: QueryArguments, limit: Int?) throws -> TrackSet? {
    let limitClause = limit.map { " LIMIT \($0 + 1)" } ?? ""
    var ids = TrackSet()
    var count = 0
    let rows = IndexStatement(database, sql + limitClause)
    arguments.bind(to: rows)
    while try rows.step() {
      ids.insert(rows.integer(0))
      count += 1
    }
    if let limit, count > limit { return nil }
    return ids
  }

  private func path(_ path: QueryPath, _ arguments: inout QueryArguments) -> String {
    """
    SELECT track.id FROM (\(directories(path, &arguments))) AS parent CROSS JOIN track ON track.directory = parent.id
    UNION ALL \(tracksInParent(path, &arguments))
    """
  }

  /// Returns the SQL query for the directories in which every track matches the path.
  func directories(_ path: QueryPath, _ arguments: inout QueryArguments) -> String {
    let directories = "SELECT id FROM directory WHERE library = \(arguments.add(library)) AND"
    guard path.isWhole else { return "\(directories) \(range("path", path.bytes, &arguments))" }
    return """
      \(directories) path = \(arguments.add(Data(path.bytes))) UNION ALL \(directories) \
      \(range("path", path.bytes + [UInt8(ascii: "/")], &arguments))
      """
  }

  /// Returns the SQL query for the tracks in the path's parent directory whose file names match the path.
  func tracksInParent(_ path: QueryPath, _ arguments: inout QueryArguments) -> String {
    let parts = path.parts
    let library = arguments.add(library)
    let parent = arguments.add(Data(parts.directory))
    let names =
      path.isWhole
      ? "track.name = \(arguments.add(Data(parts.name)))" : range("track.name", parts.name, &arguments)
    return """
      SELECT track.id FROM directory CROSS JOIN track ON track.directory = directory.id \
      WHERE directory.library = \(library) AND directory.path = \(parent) AND \(names)
      """
  }

  private func range(_ column: String, _ prefix: [UInt8], _ arguments: inout QueryArguments) -> String {
    let lower = "\(column) >= \(arguments.add(Data(prefix)))"
    return QueryPath.end(of: prefix).map { "\(lower) AND \(column) < \(arguments.add(Data($0)))" } ?? lower
  }
}

extension LibraryQuery {
  /// Whether an index of numbers or paths may answer the query.
  fileprivate var hasColumnIndex: Bool {
    switch self {
    case .date, .number(.year, _), .number(.duration, _), .text(.path, _): true
    case .number(let field, _): StickerTable.name(of: field) != nil
    default: false
    }
  }

  /// Whether the full-text index can use the query as part of a conjunction.
  fileprivate var isText: Bool {
    if case .not(let inner) = self { return FullTextMatch(inner)?.isExact ?? false }
    return FullTextMatch(self) != nil
  }
}
