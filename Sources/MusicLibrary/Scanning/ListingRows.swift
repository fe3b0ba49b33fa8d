import GRDB

/// Drops what is kept of the directories of which tracks change; see ``ListingTable``.
final class ListingRows {
  private let presence: IndexStatement
  private let deletion: IndexStatement
  private let deletionByTrack: IndexStatement
  /// Whether anything is kept, as far as is known.
  private var isAny = true

  init(_ database: Database) throws {
    presence = try IndexStatement(database, "SELECT EXISTS (SELECT 1 FROM listing)")
    deletion = try IndexStatement(database, "DELETE FROM listing WHERE directory = ?")
    deletionByTrack = try IndexStatement(
      database, "DELETE FROM listing WHERE directory = (SELECT directory FROM track WHERE id = ?)")
  }

  /// Looks whether there is anything to drop; to be called at the beginning of each transaction that writes.
  func begin() throws {
    defer { presence.reset() }
    isAny = try presence.step() && presence.integer(0) != 0
  }

  /// Drops what is kept of a directory.
  func forget(directory: Int64) throws {
    guard isAny else { return }
    deletion.bind(directory)
    try deletion.run()
  }

  /// Drops what is kept of the directory of a track.
  func forget(directoryOf track: Int64) throws {
    guard isAny else { return }
    deletionByTrack.bind(track)
    try deletionByTrack.run()
  }
}
