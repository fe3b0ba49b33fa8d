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
    selection.bind(library)
    selection.bind(path.bytes)
    var known: Int64?
    while try selection.step() { known = selection.integer(0) }
    let id = try known ?? add(path)
    if ids.count >= Self.cacheLimit { ids.removeAll(keepingCapacity: true) }
    ids[path] = id
    return id
  }

  private func add(_ path: RelativePath) throws -> Int64 {
    insertion.bind(library)
    insertion.bind(path.bytes)
    return try insertion.insert()
  }

  /// Records that the index has all contents of a directory, as they were when it was listed. Returns the row ID of the
  /// directory.
  func complete(_ visit: DirectoryVisit) throws -> Int64 {
    let id = try visit.id ?? id(of: visit.path)
    completion.bind(visit.modificationTime)
    completion.bind(visit.sheets?.count)
    completion.bind(id)
    try completion.run()
    if let sheets = visit.sheets { try replaceSheets(with: sheets, in: id) }
    return id
  }

  private func replaceSheets(with sheets: [SheetFile], in id: Int64) throws {
    sheetDeletion.bind(id)
    try sheetDeletion.run()
    for sheet in sheets {
      sheetInsertion.bind(id)
      sheetInsertion.bind(sheet.name)
      sheetInsertion.bind(sheet.state.size)
      sheetInsertion.bind(sheet.state.modificationTime)
      sheetInsertion.bind(sheet.state.inode)
      sheetInsertion.bind(sheet.state.device)
      try sheetInsertion.run()
    }
  }

  /// Removes the row of a directory that no track refers to, and the rows of the directory's cue sheets.
  func remove(_ id: Int64) throws {
    sheetDeletion.bind(id)
    try sheetDeletion.run()
    deletion.bind(id)
    try deletion.run()
    ids = [:]
    last = nil
  }
}
