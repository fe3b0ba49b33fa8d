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

  init(_ database: Database, plan: ScanPlan, writer: ScanWriter) {
    self.database = database
    self.plan = plan
    self.writer = writer
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
    for directory in directories { missing += try tracks.all(directory) { $0.integer(0) } }
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
      lost += try rows.all(plan.library, lower, upper) { row in
        try isLost(row.integer(0), RelativePath(row.bytes(1))) ? row.integer(0) : nil
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
}
