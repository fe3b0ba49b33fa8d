import GRDB
import MusicModel

/// Keeps the arrays of a library in step with its tables.
///
/// What is changed is named as a patch, within the transaction that does it; when all is done, many patches make new
/// arrays.
final class SnapshotRows {
  private let database: Database
  private let library: Int64
  private let limits: SnapshotLimits
  private let patching: IndexStatement
  private var isKept: Bool
  private var open: Set<Int64> = []
  private var patchCount: Int

  init(_ database: Database, library: Int64, limits: SnapshotLimits) throws {
    self.database = database
    self.library = library
    self.limits = limits
    patching = try IndexStatement(
      database, "INSERT OR IGNORE INTO snapshot_patch (library, track) VALUES (?, ?)")
    isKept =
      try Int64.fetchOne(
        database, sql: "SELECT 1 FROM snapshot WHERE library = ? LIMIT 1", arguments: [library]) != nil
    patchCount =
      isKept
      ? try Int.fetchOne(
        database, sql: "SELECT count(*) FROM snapshot_patch WHERE library = ?", arguments: [library]) ?? 0 : 0
  }

  /// Says that the row of a track, or of its album, is another or is gone.
  func patch(_ track: Int64) {
    if isKept { open.insert(track) }
  }

  /// Writes down what was said since the last time, in the transaction that did it.
  func settle() throws {
    guard isKept, !open.isEmpty else { return }
    patchCount += open.count
    if patchCount > 20 * limits.patches {
      try remove()
    } else {
      for track in open {
        patching.bind(library)
        patching.bind(track)
        try patching.run()
      }
    }
    open.removeAll(keepingCapacity: true)
  }

  /// Makes the arrays where there are none, or where they have more patches than is borne.
  func renew() throws {
    guard !isKept || patchCount > limits.patches else { return }
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 FROM track WHERE library = ? LIMIT ?)",
      arguments: [library, limits.tracks])
    guard isKept || count ?? 0 >= limits.tracks else { return }
    try database.inTransaction(.immediate) {
      try remove()
      isKept = count ?? 0 >= limits.tracks
      if isKept { try SnapshotMaking(database, library: library, wide: limits.commonTexts).run() }
      return .commit
    }
  }

  private func remove() throws {
    for table in ["snapshot", "snapshot_patch"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE library = ?", arguments: [library])
    }
    isKept = false
    patchCount = 0
  }
}
