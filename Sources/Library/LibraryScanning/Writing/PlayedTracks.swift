// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex

/// Finds the plays in the log that are those of new tracks: of files that were played before they were in the library,
/// or whose index was lost.
final class PlayedTracks {
  /// The SQL statement that removes the track `?` from the log, but not its plays, if it no longer exists.
  static let orphaning = """
    UPDATE played_track SET library_track = NULL
    WHERE library_track = ?1 AND library_track > 0 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)
    """

  /// Whether the tracks of all plays are known, which is nearly always the case.
  private let isEmpty: Bool
  private let adoption: IndexStatement

  init(_ database: Database) throws {
    let unknown = IndexStatement(database, "SELECT 1 FROM played_track WHERE library_track IS NULL LIMIT 1")
    isEmpty = try !unknown.hasRow()
    adoption = IndexStatement(
      database,
      "UPDATE played_track SET library_track = ? WHERE path = ? AND segment = ? AND library_track IS NULL")
  }

  /// Gives the plays of the file at an absolute path to the new track `id`.
  func adopt(_ path: @autoclosure () -> [UInt8], segment: Int64, by id: Int64) throws {
    if isEmpty { return }
    try adoption.run(id, path(), segment)
  }
}
