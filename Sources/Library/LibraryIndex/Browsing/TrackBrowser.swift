// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import GRDB
public import MusicModel
import Platform
public import SystemPackage
import Tagging
import UnicodeText

/// Browses libraries by directory and by tag value, within one read transaction of the index; see
/// ``IndexedLibrary/browse(_:)``.
///
/// Only tracks that belong to an album are found. Paths are relative to the library's directory, which has the empty
/// path. If there are several libraries, the empty path contains one directory for each of them, under the library's
/// name. Errors come from GRDB.
public final class TrackBrowser {
  let database: Database
  let libraries: LibraryScope
  let statements: BrowserStatements
  /// Whether a regular expression in a filter took too long, so that results are incomplete.
  public private(set) var isIncomplete = false

  /// Creates a browser that reads these libraries from `database`.
  package init(_ database: Database, libraries: LibraryScope) {
    self.database = database
    self.libraries = libraries
    statements = BrowserStatements(database)
  }

  /// Returns the library that contains `path`, and the path within it; `nil` if no library contains it.
  func find(_ path: FilePath) -> (library: Int64, path: RelativePath)? {
    libraries.resolve(RelativePath(path.systemBytes))
  }

  /// Returns what `path` refers to, or `nil` if the library has nothing at this path.
  public func target(at path: FilePath) throws -> BrowsedTarget? {
    guard let (library, path) = find(path) else { return path.isEmpty ? .directory : nil }
    if path == .root { return .directory }
    let tracks = IndexStatement(
      database,
      """
      SELECT track.id FROM directory CROSS JOIN track ON track.directory = directory.id
      WHERE directory.library = ? AND directory.path = ? AND track.name = ? AND track.album IS NOT NULL
      ORDER BY track.segment
      """)
    let ids = try tracks.all(library, path.parent.bytes, Array(path.name)) { $0.integer(0) }
    if !ids.isEmpty { return .tracks(ids) }
    return try hasTracks(path, in: library) ? .directory : nil
  }

  /// Returns the ID of the track that begins at `segment`, a CD frame, in the file at `path`; `nil` if there is none.
  public func track(_ path: FilePath, segment: Int) throws -> Int64? {
    guard let (library, path) = find(path) else { return nil }
    return try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT track.id FROM directory CROSS JOIN track ON track.directory = directory.id
          WHERE directory.library = ? AND directory.path = ? AND track.name = ? AND track.segment = ?
          """), arguments: [library, Data(path.parent.bytes), Data(path.name), segment])
  }

  /// Returns the ID of a track whose file has this path in the library; `nil` if it is not in the library.
  public func id(of track: Track, at path: FilePath) throws -> Int64? {
    guard case .tracks(let ids)? = try target(at: path) else { return nil }
    return ids.count == 1 ? ids[0] : try self.track(path, segment: Int(track.segment?.start ?? 0)) ?? ids.first
  }

  /// Returns the IDs of the tracks directly in the directory at `path`, sorted by album, disc and number, then by file
  /// name.
  public func trackIDs(in path: FilePath) throws -> [Int64] {
    guard let (library, path) = find(path) else { return [] }
    return try statements.sortedIDs.all(library, path.bytes) { $0.integer(0) }
  }

  /// Returns the tracks with these IDs, in the given order. IDs that match no track are skipped.
  public func tracks(_ ids: some Sequence<Int64>) throws -> [BrowsedTrack] {
    try ids.compactMap { id in
      try statements.track.first(id) { BrowsedTrack(id: id, track: $0.track, modified: $0.integer(36)) }
    }
  }

  /// Returns the path and the segment of each track with these IDs, in the given order; `nil` for an ID that matches no
  /// track.
  public func names(_ ids: some Sequence<Int64>) throws -> [(path: FilePath, segment: TrackSegment?)?] {
    try ids.map { id in
      try statements.name.first(id) { row in
        let segment = row.int(3).flatMap { TrackSegment(start: $0, end: row.int(4)) }
        return (StoredTrack.path(row.bytes(0), row.bytes(1), row.bytes(2)), segment)
      }
    }
  }

  /// Returns the absolute paths of all files with tracks, in no particular order.
  public func files() throws -> [FilePath] {
    let libraries = libraries
    let rows = IndexStatement(
      database,
      """
      SELECT DISTINCT library.root, directory.path, track.name FROM library
      CROSS JOIN directory ON directory.library = library.id CROSS JOIN track ON track.directory = directory.id
      WHERE \(libraries.condition("library.id")) AND track.album IS NOT NULL
      """)
    return try rows.all(libraries.first) { StoredTrack.path($0.bytes(0), $0.bytes(1), $0.bytes(2)) }
  }

  /// Returns the numbers of artists, albums and tracks in these libraries.
  public func totals() throws -> LibraryTotals {
    let libraries = libraries
    let albums = IndexStatement(
      database,
      """
      SELECT count(*), ifnull(sum(track_count), 0), ifnull(sum(duration), 0),
        (SELECT count(*) FROM artist WHERE EXISTS (SELECT 1 FROM credit CROSS JOIN track ON track.id = credit.track
          WHERE credit.artist = artist.id AND credit.role = 0 AND \(libraries.condition("track.library")))),
        (SELECT max(scanned) FROM library WHERE \(libraries.condition("id")))
      FROM album WHERE \(libraries.condition("library"))
      """)
    return try albums.first(libraries.first) { row in
      var totals = LibraryTotals()
      totals.albumCount = row.int(0) ?? 0
      totals.tracks.trackCount = row.int(1) ?? 0
      totals.tracks.milliseconds = row.integer(2)
      totals.artistCount = row.int(3) ?? 0
      totals.scanned = row.optionalInteger(4)
      return totals
    } ?? LibraryTotals()
  }

  /// Returns the IDs of the tracks that match `filter`, or of one page of them.
  public func trackIDs(
    _ filter: TrackFilter, order: TrackOrder = TrackOrder(), offset: Int = 0, limit: Int? = nil
  ) throws -> [Int64] {
    let condition = TrackCondition(filter, libraries: libraries)
    let rows = IndexStatement(
      database,
      """
      SELECT track.id FROM \(condition.albumRows) ORDER BY \(order.sql)
      LIMIT \(limit ?? -1) OFFSET \(max(0, offset))
      """)
    condition.bind(to: rows)
    let ids = try rows.all { $0.integer(0) }
    isIncomplete = isIncomplete || condition.isIncomplete
    return ids
  }

  /// Returns a track that matches `filter`; `nil` if there is none, or if those that match belong to several albums.
  public func trackOfOnlyAlbum(_ filter: TrackFilter) throws -> Int64? {
    let condition = TrackCondition(filter, libraries: libraries)
    let rows = IndexStatement(
      database, "SELECT min(track.id) FROM \(condition.rows()) GROUP BY track.album LIMIT 2")
    condition.bind(to: rows)
    guard try rows.step() else { return nil }
    let track = rows.integer(0)
    return try rows.step() ? nil : track
  }

  /// Calls `body` with each distinct combination of the values of `fields` among the tracks that match `filter`, in no
  /// particular order.
  ///
  /// For each field, `body` receives the bytes of all values, separated by U+001F. They are empty if the track has
  /// neither the field nor a fallback for it.
  public func values(
    of fields: [TrackTag], _ filter: TrackFilter, _ body: ([[UInt8]]) throws -> Void
  ) throws {
    let condition = TrackCondition(filter, libraries: libraries)
    let columns = fields.map(\.columnWithFallback).joined(separator: ", ")
    let isIndexed = filter == .everything && NameIndex.covers(fields)
    let sql = "SELECT DISTINCT \(columns) FROM \(condition.rows(fromIndex: isIndexed))"
    let rows = IndexStatement(database, cached: isIndexed && fields.count == 1, sql)
    condition.bind(to: rows)
    let numbers = 0..<Int32(truncatingIfNeeded: fields.count)
    while try rows.step() { try body(numbers.map { rows.bytes($0) }) }
    isIncomplete = isIncomplete || condition.isIncomplete
  }

  /// Calls `body` with each combination of the values of `fields` among the tracks that match `filter`, and with the
  /// totals of the tracks that have it. The order is arbitrary, and a combination may occur several times.
  ///
  /// For each field, `body` receives all values, or none if the track has neither the field nor a fallback for it.
  public func groups(
    _ fields: [TrackTag], _ filter: TrackFilter, _ body: ([[String]], TrackTotals) throws -> Void
  ) throws {
    let condition = TrackCondition(filter, libraries: libraries)
    let columns = fields.map(\.columnWithFallback)
    let totals = ["count(*)", "ifnull(sum(track.duration), 0)"]
    let numbers = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
    let rows = IndexStatement(
      database,
      """
      SELECT \((columns + totals).joined(separator: ", ")) FROM \(condition.rows()) \
      \(columns.isEmpty ? "" : "GROUP BY \(numbers)")
      """)
    condition.bind(to: rows)
    let (count, values) = (Int32(truncatingIfNeeded: fields.count), 0..<Int32(truncatingIfNeeded: fields.count))
    while try rows.step() {
      var group = TrackTotals()
      group.trackCount = rows.int(count) ?? 0
      group.milliseconds = rows.integer(count + 1)
      try body(values.map { rows.texts($0) }, group)
    }
    isIncomplete = isIncomplete || condition.isIncomplete
  }

  /// Returns the form in which `path`, a path in the given library, is shown to users.
  func shownPath(_ path: [UInt8], in library: Int64) -> FilePath {
    FilePath(systemBytes: libraries.shownPath(RelativePath(path), in: library).bytes)
  }
}
