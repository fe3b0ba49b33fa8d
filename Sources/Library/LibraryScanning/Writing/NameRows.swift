// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import Tagging

/// Writes the rows of artists or genres, and their links to tracks.
final class NameRows {
  private static let cacheLimit = 50_000
  private static let recentLimit = 4

  private let database: Database
  private let library: Int64

  private let find: IndexStatement
  private let insert: IndexStatement
  private let linking: RowInsertion
  private let unlink: IndexStatement
  private let removal: IndexStatement
  private let kind: NameKind
  /// Whether any counts were cached before.
  private let hasCounts: Bool
  private var ids: [ByteText: Int64] = [:]
  /// The names that were looked up last, which are already marked as touched.
  private var recent: [(name: IndexName, id: Int64)] = []
  /// The links that have not been written yet. ``finish()``, or the next removal of a link, writes them.
  private var addedLinks: [Link] = []
  /// The names that have lost a link since the last ``finish()``.
  private var unlinked: Set<Int64> = []
  /// The names whose tracks have changed since the last ``finish()`` (`touched`), and before it (`changed`).
  private var touched: Set<Int64> = []
  private var changed: Set<Int64> = []

  init(_ database: Database, _ kind: NameKind, library: Int64) throws {
    self.database = database
    self.library = library
    self.kind = kind
    hasCounts = try NameCounts.hasCachedCounts(kind, library: library, database)
    let (names, links, name) = kind.tables
    find = IndexStatement(database, "SELECT id FROM \(names) WHERE key = ?")
    let row = Optional(RowChecksum.names(kind)).row(of: ["key", "name", "sort"])
    insert = IndexStatement(database, "INSERT INTO \(names) (key, name, sort, checksum) VALUES \(row)")
    linking = RowInsertion(
      database, into: links, columns: kind == .artists ? ["artist", "role", "track"] : ["genre", "track"],
      or: .ignore)
    unlink = IndexStatement(
      database,
      kind == .artists
        ? "DELETE FROM credit WHERE artist = ? AND role = ? AND track = ?"
        : "DELETE FROM track_genre WHERE genre = ? AND track = ?")
    removal = IndexStatement(
      database,
      "DELETE FROM \(names) WHERE id = ? AND NOT EXISTS (SELECT 1 FROM \(links) WHERE \(name) = \(names).id)")
  }

  private struct Link {
    let name: Int64
    let role: Int64
    let track: Int64
  }

  /// Links these names to a track. The rows are written by the next ``finish()`` at the latest.
  func add(_ names: [IndexName], role: Int64 = 0, to track: Int64) throws {
    for name in names {
      addedLinks.append(Link(name: try touchedID(of: name), role: role, track: track))
    }
  }

  /// Links the existing names with the keys in `words` to a track. The rows are written by the next ``finish()`` at the
  /// latest.
  func add(words: String, role: Int64, to track: Int64) throws {
    if words.isEmpty { return }
    for key in words.split(separator: "\u{1F}") {
      guard let id = try id(String(key)) else { continue }
      if hasCounts { touched.insert(id) }
      addedLinks.append(Link(name: id, role: role, track: track))
    }
  }

  /// Returns the row ID of a name and marks the name as touched. The last few names are cached, because the tracks of
  /// an album share them.
  private func touchedID(of name: IndexName) throws -> Int64 {
    for known in recent where known.name === name || known.name.key == name.key { return known.id }
    let id = try id(name)
    if hasCounts { touched.insert(id) }
    if recent.count >= Self.recentLimit { recent.removeAll(keepingCapacity: true) }
    recent.append((name, id))
    return id
  }

  /// Writes the added links, in the order of the table's primary key.
  private func writeLinks() throws {
    if addedLinks.isEmpty { return }
    addedLinks.sort { ($0.name, $0.role, $0.track) < ($1.name, $1.role, $1.track) }
    let hasRoles = kind == .artists
    try linking.add(addedLinks) { link, row in
      row.bind(link.name)
      if hasRoles { row.bind(link.role) }
      row.bind(link.track)
    }
    addedLinks.removeAll(keepingCapacity: true)
  }

  /// Removes the links from a track to the names whose keys are in `words`. Returns the search words of those names
  /// that exist: ``IndexRepair`` removes damaged ones.
  @discardableResult
  func remove(_ words: String, role: Int64 = 0, from track: Int64) throws -> String {
    try writeLinks()
    var found = words
    for key in words.split(separator: "\u{1F}") {
      guard let id = try id(String(key)) else {
        found.replace("\u{1F}\(key)\u{1F}", with: "\u{1F}")
        continue
      }
      unlinked.insert(id)
      touched.insert(id)
      if kind == .artists { try unlink.run(id, role, track) } else { try unlink.run(id, track) }
    }
    return found == "\u{1F}" ? "" : found
  }

  /// Records that a track with these names has moved to another album.
  func touch(_ names: [IndexName]) throws {
    for name in names {
      if let id = try id(name.key) { touched.insert(id) }
    }
  }

  /// Removes the names that no track has any more, and deletes the cached counts of the names that changed. Call this
  /// in the transaction of the changes.
  func finish() throws {
    try writeLinks()
    if hasCounts {
      try NameCounts.invalidate(touched, kind, library: library, database)
      changed.formUnion(touched)
    }
    touched.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
    if unlinked.isEmpty { return }
    for id in unlinked { try removal.run(id) }
    unlinked = []
    ids = [:]
  }

  /// Completes the cached counts of the names that changed, or of all names if no counts were cached before.
  func completeCounts() throws {
    try NameCounts.complete(hasCounts ? changed : nil, kind, library: library, database)
    changed = []
  }

  private func id(_ key: String) throws -> Int64? {
    if let id = ids[ByteText(key)] { return id }
    return try find.first(key) { $0.integer(0) }
  }

  private func id(_ name: IndexName) throws -> Int64 {
    let key = ByteText(name.key)
    if let id = ids[key] { return id }
    let id = try self.id(name.key) ?? insert.insert(name.key, name.name, name.sort)
    if ids.count >= Self.cacheLimit { ids.removeAll(keepingCapacity: true) }
    ids[key] = id
    return id
  }
}
