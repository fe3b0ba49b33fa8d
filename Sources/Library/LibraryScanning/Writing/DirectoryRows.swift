// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import Tagging

/// Reads and writes the rows of a library's directories.
final class DirectoryRows {
  private static let cacheLimit = 20_000

  private let library: Int64
  private let insertion: IndexStatement
  private let selection: IndexStatement
  private let completion: IndexStatement
  private let deletion: IndexStatement
  private let sheetInsertion: IndexStatement
  private let sheetDeletion: IndexStatement
  private var ids: [RelativePath: Int64] = [:]
  /// The directory that was looked up last, which is most likely to be looked up next.
  private var last: (path: RelativePath, id: Int64)?

  init(_ database: Database, library: Int64) {
    self.library = library
    insertion = IndexStatement(
      database, "INSERT INTO directory (library, path, mtime) VALUES (?, ?, 0)")
    selection = IndexStatement(database, "SELECT id FROM directory WHERE library = ? AND path = ?")
    completion = IndexStatement(
      database, "UPDATE directory SET mtime = ?, sheets = coalesce(?, sheets) WHERE id = ?")
    sheetInsertion = IndexStatement(
      database, "INSERT INTO sheet (directory, name, size, mtime, inode, device) VALUES (?, ?, ?, ?, ?, ?)")
    sheetDeletion = IndexStatement(database, "DELETE FROM sheet WHERE directory = ?")
    deletion = IndexStatement(
      database,
      "DELETE FROM directory WHERE id = ? AND NOT EXISTS (SELECT 1 FROM track WHERE directory = directory.id)"
    )
  }

  /// Returns the row ID of a directory, creating the row if there is none.
  func id(of path: RelativePath) throws -> Int64 {
    if let last, last.path == path { return last.id }
    let id = try knownID(of: path)
    last = (path, id)
    return id
  }

  private func knownID(of path: RelativePath) throws -> Int64 {
    if let id = ids[path] { return id }
    let known = try selection.first(library, path.bytes) { $0.integer(0) }
    let id = try known ?? insertion.insert(library, path.bytes)
    if ids.count >= Self.cacheLimit { ids.removeAll(keepingCapacity: true) }
    ids[path] = id
    return id
  }

  /// Records that the index has all contents of a directory, as they were when it was listed. Returns the row ID of the
  /// directory.
  func complete(_ visit: DirectoryVisit) throws -> Int64 {
    let id = try visit.id ?? id(of: visit.path)
    try completion.run(visit.modificationTime, visit.sheets?.count, id)
    if let sheets = visit.sheets { try replaceSheets(with: sheets, in: id) }
    return id
  }

  private func replaceSheets(with sheets: [SheetFile], in id: Int64) throws {
    try sheetDeletion.run(id)
    for sheet in sheets {
      let state = sheet.state
      try sheetInsertion.run(id, sheet.name, state.size, state.modificationTime, state.inode, state.device)
    }
  }

  /// Removes the row of a directory that no track refers to, and the rows of the directory's cue sheets.
  func remove(_ id: Int64) throws {
    try sheetDeletion.run(id)
    try deletion.run(id)
    ids = [:]
    last = nil
  }
}
