// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// The row of a library in the index.
struct LibraryRow: Sendable {
  /// The library's row ID.
  let id: Int64
  /// Whether the library has tracks or problems.
  let isKnown: Bool

  /// Whether the library has tracks, and all of them were on file systems other than `device` at their last scan.
  func isOnOtherDevice(_ device: Int64, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM track WHERE library = ?)
          AND NOT EXISTS (SELECT 1 FROM track WHERE library = ? AND device = ?)
        """, arguments: [id, id, device]) ?? false
  }

  /// Records whether the library's directory is absent.
  func mark(isAbsent: Bool, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE library SET is_absent = ? WHERE id = ? AND is_absent <> ?",
      arguments: [isAbsent, id, isAbsent])
  }

  /// Records the result of a scan.
  func mark(_ summary: ScanSummary, _ scope: ScanPlan.Scope, isComplete: Bool, _ database: Database) throws {
    try mark(isAbsent: false, database)
    if scope == .everything, isComplete {
      let count = summary.unchangedCount + summary.addedCount + summary.changedCount + summary.movedCount
      try database.execute(
        sql: "UPDATE library SET scanned = ?, file_count = ? WHERE id = ?",
        arguments: [WallClock.now / 1_000_000_000, count, id])
    } else if summary.addedCount != summary.missingCount {
      try database.execute(
        sql: "UPDATE library SET file_count = max(0, file_count + ?) WHERE id = ?",
        arguments: [summary.addedCount - summary.missingCount, id])
    }
  }
}

extension LibraryIndex {
  /// Returns the row of the library in `root`, creating it if there is none.
  func library(_ root: FilePath) throws(LibraryError) -> LibraryRow {
    let bytes = Data(root.systemBytes)
    let sql = """
      SELECT id, EXISTS (SELECT 1 FROM track WHERE library = library.id)
        OR EXISTS (SELECT 1 FROM problem WHERE library = library.id)
      FROM library WHERE root = ?
      """
    let find = { (database: Database) in
      try Row.fetchOne(database, sql: sql, arguments: [bytes]).map { row in
        guard let id = row.long(0), let isKnown = row.long(1) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return LibraryRow(id: id, isKnown: isKnown != 0)
      }
    }
    if let known = try read(find) { return known }
    // The scan that follows checkpoints the write-ahead log.
    return try write(checkpoints: false) { database in
      try database.execute(sql: "INSERT OR IGNORE INTO library (root) VALUES (?)", arguments: [bytes])
      guard let created = try find(database) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      return created
    }
  }

  /// Whether the library in `root` was continued under another name; see ``RenamedLibrary``.
  func hasContinuation(_ root: FilePath) throws(LibraryError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM renamed_library JOIN library ON id = former WHERE root = ?)",
        arguments: [Data(root.systemBytes)])
    } ?? false
  }

  /// Returns the directories of the library in `root` with their modification times, in nanoseconds since 1970. Returns
  /// `nil` if there are more than ``IndexedLibrary/refreshDirectoryLimit``, or if the library was never completely
  /// scanned.
  func directories(
    of root: FilePath
  ) throws(LibraryError) -> [(path: RelativePath, modificationTime: Int64)]? {
    try read { database in
      guard
        let id = try Int64.fetchOne(
          database, sql: "SELECT id FROM library WHERE root = ? AND scanned IS NOT NULL",
          arguments: [Data(root.systemBytes)])
      else { return nil }
      let rows = IndexStatement(database, "SELECT path, mtime FROM directory WHERE library = ? LIMIT ?")
      let found = try rows.all(id, IndexedLibrary.refreshDirectoryLimit + 1) { row in
        (path: RelativePath(row.bytes(0)), modificationTime: row.integer(1))
      }
      return found.count > IndexedLibrary.refreshDirectoryLimit ? nil : found
    }
  }
}
