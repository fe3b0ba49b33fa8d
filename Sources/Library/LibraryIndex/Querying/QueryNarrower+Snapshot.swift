// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel

extension QueryNarrower {
  /// Returns the candidates for a query from the snapshot, or from the index of whole names; `nil` if neither can
  /// provide them quickly.
  func quickCandidates(_ query: LibraryQuery, _ snapshot: LibrarySnapshot) throws -> CandidateSet? {
    switch query {
    case .number(let field, let range): return try number(field, range, snapshot).map(Self.exactly)
    case .text(.format, let pattern): return Self.exactly(try format(pattern, snapshot))
    case .text(.path, let pattern): return Self.exactly(try path(QueryPath(pattern), snapshot))
    case .text(let field, let pattern):
      if let words = QueryWords(field, pattern), words.isEmpty { return .everything }
      if let match = FullTextMatch(query),
        let found = try snapshot.tracks(SnapshotName.text(match.expression))
      {
        return CandidateSet(ids: found, isComplement: false, isExact: match.isExact)
      }
      return pattern.kind == .exact ? try wholeName(field, pattern, snapshot) : nil
    case .not(let inner): return try quickCandidates(inner, snapshot)?.negation
    case .any(let parts):
      var result = CandidateSet.everything.negation
      for part in parts {
        guard let found = try quickCandidates(part, snapshot) else { return nil }
        result.formUnion(found)
      }
      return result
    case .everything, .added, .all: return nil
    }
  }

  private static func exactly(_ ids: TrackSet) -> CandidateSet {
    CandidateSet(ids: ids, isComplement: false, isExact: true)
  }

  private func number(
    _ field: LibraryQuery.NumberField, _ range: QueryRange<Int>, _ snapshot: LibrarySnapshot
  ) throws -> TrackSet? {
    let (name, bounds) = QueryNumbers.bounds(field, range)
    guard let column = SnapshotColumn(rawValue: name) else { return nil }
    let lower = UInt32(clamping: bounds.lower ?? 0)
    let upper = UInt32(clamping: bounds.upper ?? .max)
    guard bounds.upper ?? 0 >= 0, lower <= upper else { return TrackSet() }
    return try snapshot.tracks(column, in: lower...upper)
  }

  private func format(_ pattern: TextPattern, _ snapshot: LibrarySnapshot) throws -> TrackSet {
    let wanted = pattern.text.lowercased().unicodeScalars
    let names = try snapshot.text(SnapshotName.formats).split(
      separator: "/", omittingEmptySubsequences: false)
    let codes = names.map { name in
      let name = name.asciiLowercased.unicodeScalars
      return pattern.kind == .beginning ? name.starts(with: wanted) : name.elementsEqual(wanted)
    }
    guard codes.contains(true) else { return TrackSet() }
    return try snapshot.tracks(.format) { $0 < codes.count && codes[Int($0)] }
  }

  private func path(_ path: QueryPath, _ snapshot: LibrarySnapshot) throws -> TrackSet {
    var arguments = QueryArguments()
    let parents = try ids(directories(path, &arguments), arguments)
    arguments = QueryArguments()
    var found = try ids(tracksInParent(path, &arguments), arguments)
    if !parents.isEmpty {
      found.formUnion(try snapshot.tracks(.directory) { parents.contains(Int64($0)) })
    }
    return found
  }

  /// Returns the tracks that have a name or title equal to the whole text.
  private func wholeName(
    _ field: LibraryQuery.TextField, _ pattern: TextPattern, _ snapshot: LibrarySnapshot
  ) throws -> CandidateSet? {
    guard let key = QueryWords(field, pattern)?.needle else { return nil }
    var arguments = QueryArguments()
    let name = arguments.add(key)
    func links(_ kind: NameKind, _ condition: String = "") -> String {
      let (names, links, column) = kind.tables
      return """
        SELECT link.track FROM \(names) AS name CROSS JOIN \(links) AS link ON link.\(column) = name.id\(condition) \
        WHERE name.key = \(name)
        """
    }
    switch field {
    case .artist: return Self.exactly(try ids(links(.artists), arguments))
    case .albumArtist: return Self.exactly(try ids(links(.artists, " AND link.role = 1"), arguments))
    case .genre: return Self.exactly(try ids(links(.genres), arguments))
    case .title:
      let sql = """
        SELECT id FROM track INDEXED BY track_title_key WHERE library = \(arguments.add(library)) AND title_key = \(name)
        """
      var found = try ids(sql, arguments)
      guard let match = FullTextMatch(.text(field, pattern)),
        var others = try snapshot.tracks(SnapshotName.sortedTitles)
      else { return nil }
      guard !others.isEmpty else { return Self.exactly(found) }
      arguments = QueryArguments()
      others.formIntersection(
        try ids("SELECT rowid FROM search WHERE search MATCH \(arguments.add(match.expression))", arguments))
      let isExact = others.isEmpty
      found.formUnion(others)
      return CandidateSet(ids: found, isComplement: false, isExact: isExact)
    case .anywhere, .album, .composer, .path, .format: return nil
    }
  }

  private func ids(_ sql: String, _ arguments: QueryArguments) throws -> TrackSet {
    let rows = try IndexStatement(database, sql)
    arguments.bind(to: rows)
    var ids = TrackSet()
    while try rows.step() { ids.insert(rows.integer(0)) }
    return ids
  }
}

extension Substring {
  /// The text in lower case as SQLite's function `lower` converts it, which changes only ASCII letters.
  fileprivate var asciiLowercased: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
