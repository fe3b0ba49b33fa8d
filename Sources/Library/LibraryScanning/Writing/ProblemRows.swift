// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import Tagging

/// Reads and writes the rows of a library's problems.
final class ProblemRows {
  private let library: Int64
  private let insertion: IndexStatement
  private let pathDeletion: IndexStatement
  private let deletion: IndexStatement
  private let counting: IndexStatement

  init(_ database: Database, library: Int64) {
    self.library = library
    insertion = IndexStatement(
      database,
      """
      INSERT INTO problem (library, path, reason, size, mtime, inode, device) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (library, path) DO UPDATE SET reason = excluded.reason, size = excluded.size,
        mtime = excluded.mtime, inode = excluded.inode, device = excluded.device
      RETURNING id
      """)
    pathDeletion = IndexStatement(database, "DELETE FROM problem WHERE library = ? AND path = ?")
    deletion = IndexStatement(database, "DELETE FROM problem WHERE id = ?")
    counting = IndexStatement(database, "SELECT count(*) FROM problem WHERE library = ?")
  }

  /// Stores a problem and returns its row ID.
  func insert(_ path: RelativePath, _ state: FileState, _ reason: String) throws -> Int64 {
    let ids = try insertion.all(
      library, path.bytes, reason, state.size, state.modificationTime, state.inode, state.device
    ) { $0.integer(0) }
    return ids.last ?? 0
  }

  /// Removes the problem with the file at `path`, if there is one.
  func remove(_ path: RelativePath) throws {
    try pathDeletion.run(library, path.bytes)
  }

  /// Removes the problem with this row ID.
  func remove(_ id: Int64) throws { try deletion.run(id) }

  /// Returns the number of problems in the library.
  func count() throws -> Int {
    try counting.first(library) { Int($0.integer(0)) } ?? 0
  }
}
