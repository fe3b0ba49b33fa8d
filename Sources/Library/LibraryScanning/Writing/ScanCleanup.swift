// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import MusicModel
import Platform
import Tagging

/// The last step of a scan, after everything has been listed and read: removes what no longer exists.
struct ScanCleanup {
  private let database: Database
  private let plan: ScanPlan
  private let writer: ScanWriter
  private let lastID: Int64

  /// Creates the last step of a scan. `lastID` is the highest track ID before the scan.
  init(_ database: Database, plan: ScanPlan, writer: ScanWriter, lastID: Int64) {
    self.database = database
    self.plan = plan
    self.writer = writer
    self.lastID = lastID
  }

  /// Removes the rows of what no longer exists, unless it was found elsewhere.
  func run() throws {
    // A directory behind a broken link is only unavailable, like an unmounted disk, so its rows remain.
    var unavailable: Set<RelativePath> = []
    let directories = try missingRows(of: "directory") { id, path in
      if writer.visited.contains(id) || isUntouched(path) || path.isWithin(anyOf: unavailable) {
        return false
      }
      let isLink = (try? FileStatus(of: plan.absolute(path), followingLinks: false).kind) == .symbolicLink
      if isLink { unavailable.insert(path) }
      return !isLink
    }
    let problems = try missingRows(of: "problem") { !writer.seenProblems.contains($0) && !isUntouched($1.parent) }
    var missing = writer.missing
    let tracks = IndexStatement(database, "SELECT id FROM track WHERE directory = ?")
    for directory in directories {
      tracks.bind(directory)
      while try tracks.step() { missing.append(tracks.integer(0)) }
    }
    try writer.reuseIDs(reappeared(missing))
    try writer.finish(missing: missing, directories: directories, problems: problems)
    try writer.completeCounts()
  }

  private func isUntouched(_ path: RelativePath) -> Bool { path.isWithin(anyOf: writer.untouchedPaths) }

  /// Returns the row IDs of the rows in a table that are within the scope of the scan and satisfy `isLost`.
  private func missingRows(
    of table: String, where isLost: (Int64, RelativePath) throws -> Bool
  ) throws -> [Int64] {
    var lost: [Int64] = []
    let rows = IndexStatement(
      database, "SELECT id, path FROM \(table) WHERE library = ? AND path >= ? AND path < ? ORDER BY path")
    func collect(_ lower: [UInt8], _ upper: [UInt8]) throws {
      rows.bind(plan.library)
      rows.bind(lower)
      rows.bind(upper)
      while try rows.step() {
        let id = rows.integer(0)
        if try isLost(id, RelativePath(rows.bytes(1))) { lost.append(id) }
      }
    }
    switch plan.scope {
    case .everything:
      let all = RelativePath.root.contentBounds
      try collect(all.lower, all.upper)
    case .directories(let paths, _):
      for path in paths {
        if !path.bytes.isEmpty { try collect(path.bytes, path.bytes + [0]) }
        let contents = path.contentBounds
        try collect(contents.lower, contents.upper)
      }
    }
    return lost
  }

  /// Returns the new tracks that are missing tracks under another path. They have the same file name, size and
  /// modification time, as after a move to another file system.
  private func reappeared(_ missing: [Int64]) throws -> [(new: Int64, former: Int64)] {
    if missing.isEmpty || writer.summary.addedCount == 0 { return [] }
    var former: [Key: Int64?] = [:]
    let row = IndexStatement(database, "SELECT name, size, mtime, segment FROM track WHERE id = ?")
    for id in missing {
      row.bind(id)
      while try row.step() {
        let key = Key(row, 0)
        former[key] = former[key] == nil ? id : .some(nil)
      }
    }
    var found: [Int64: Int64?] = [:]
    let added = IndexStatement(
      database, "SELECT id, name, size, mtime, segment FROM track WHERE id > ? AND +library = ?")
    added.bind(lastID)
    added.bind(plan.library)
    while try added.step() {
      if case .some(.some(let id)) = former[Key(added, 1)] {
        found[id] = found[id] == nil ? added.integer(0) : .some(nil)
      }
    }
    return found.compactMap { former, new in new.map { ($0, former) } }.sorted { $0.former < $1.former }
  }

  private struct Key: Hashable {
    let name: [UInt8]
    let size: Int64
    let modificationTime: Int64
    let segment: Int64

    init(_ row: IndexStatement, _ column: Int32) {
      name = row.bytes(column)
      size = row.integer(column + 1)
      modificationTime = row.integer(column + 2)
      segment = row.integer(column + 3)
    }
  }
}
