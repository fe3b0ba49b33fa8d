// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB
import MusicModel

/// The tables of the snapshot of a large library, which contains its orders and columns as plain arrays.
///
/// - `snapshot` stores each array under its name (``SnapshotName``), in parts of ``partSize`` little-endian 32-bit
///   numbers.
/// - `snapshot_patch` lists the tracks for which the arrays are out of date. Code that changes a value that an array
///   contains, of a track or of its album, must add the track here in the same transaction. Queries look up these
///   tracks in the main tables instead.
/// - Either table may be empty; the arrays are then written at the end of the next scan.
enum SnapshotTables {
  /// The number of elements in a full part.
  static let partSize = 1 << 16

  static let creation = """
    CREATE TABLE snapshot (
      library INTEGER NOT NULL REFERENCES library(id),
      name TEXT NOT NULL,
      part INTEGER NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (library, name, part)
    );
    CREATE TABLE snapshot_patch (
      library INTEGER NOT NULL REFERENCES library(id),
      track INTEGER NOT NULL,
      PRIMARY KEY (library, track)
    ) WITHOUT ROWID;
    """
}

/// The names of the arrays in a snapshot.
enum SnapshotName {
  /// Returns the names of three arrays: the IDs of all albums, artists or genres in order; the end index of each
  /// group's tracks; and the IDs of these tracks, those of an album in playing order. Other arrays refer to a group by
  /// its index in the first array.
  static func groups(_ table: String) -> (ids: String, ends: String, tracks: String) {
    ("\(table)", "\(table) ends", "\(table) tracks")
  }

  /// The text with the names of the formats, joined by slashes. The array `track.format` contains indexes into this
  /// list.
  static let formats = "formats"

  /// The bit set of the tracks that have a sort title.
  static let sortedTitles = "sort_title"

  /// Returns the name of the bit set of the tracks that match a full-text expression. It is stored only if there are
  /// very many of them.
  static func text(_ expression: String) -> String { "text \(expression)" }

  /// Returns the name of an order of tracks (by ID) or albums (by index). `segment` is the index of a segment of a
  /// ``ListingOrder``; the segments are read one after another.
  static func order(_ name: String, segment: Int) -> String { "\(name) \(segment)" }
}

/// A column of the table `track` that a snapshot contains as an array, indexed by track ID.
enum SnapshotColumn: String, CaseIterable {
  case year = "track.year"
  case number = "track.number"
  case disc = "track.disc"
  case duration = "track.duration"
  case rate = "track.rate"
  case bits = "track.bits"
  case channels = "track.channels"
  case directory = "track.directory"
  case format = "track.format"

  /// The value that stands for NULL, and for an ID without a track.
  static let null = UInt32.max
}

/// The limits that decide when a library gets a snapshot, and when the snapshot is renewed.
package struct SnapshotLimits: Sendable {
  /// The minimum number of tracks of a library with a snapshot. Smaller libraries are read fast enough without one.
  let tracks: Int
  /// The number of patches above which the arrays are written again.
  let patches: Int
  /// The number of tracks that must match a word for the set of these tracks to be stored.
  let commonTexts: Int

  /// Creates limits; the defaults suit a library of any size.
  package init(tracks: Int = 20_000, patches: Int = 1_000, commonTexts: Int = 30_000) {
    self.tracks = tracks
    self.patches = patches
    self.commonTexts = commonTexts
  }
}

/// Keeps the snapshot of a library up to date with its tables.
///
/// A changed track is recorded as a patch, in the transaction that changes it. At the end of a scan, the arrays are
/// written again if there are many patches.
package final class SnapshotUpdater {
  private let database: Database
  private let library: Int64
  private let limits: SnapshotLimits
  private let patching: IndexStatement
  private var hasSnapshot: Bool
  private var pendingPatches: Set<Int64> = []
  private var patchCount: Int

  /// Opens the snapshot of the library with this row ID.
  package init(_ database: Database, library: Int64, limits: SnapshotLimits) throws {
    self.database = database
    self.library = library
    self.limits = limits
    patching = try IndexStatement(
      database, "INSERT OR IGNORE INTO snapshot_patch (library, track) VALUES (?, ?)")
    hasSnapshot =
      try Int64.fetchOne(
        database, sql: "SELECT 1 FROM snapshot WHERE library = ? LIMIT 1", arguments: [library]) != nil
    patchCount =
      hasSnapshot
      ? try Int.fetchOne(
        database, sql: "SELECT count(*) FROM snapshot_patch WHERE library = ?", arguments: [library]) ?? 0 : 0
  }

  /// Records that the row of a track, or of its album, has changed or been deleted.
  package func patch(_ track: Int64) {
    if hasSnapshot { pendingPatches.insert(track) }
  }

  /// Writes the patches recorded since the last call. Call this in the transaction that changed the tracks.
  package func writePatches() throws {
    guard hasSnapshot, !pendingPatches.isEmpty else { return }
    patchCount += pendingPatches.count
    if patchCount > 20 * limits.patches {
      try remove()
    } else {
      for track in pendingPatches {
        patching.bind(library)
        patching.bind(track)
        try patching.run()
      }
    }
    pendingPatches.removeAll(keepingCapacity: true)
  }

  /// Writes the arrays if they are missing, or if they have too many patches.
  package func rebuildIfNeeded() throws {
    guard !hasSnapshot || patchCount > limits.patches else { return }
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 FROM track WHERE library = ? LIMIT ?)",
      arguments: [library, limits.tracks])
    guard hasSnapshot || count ?? 0 >= limits.tracks else { return }
    try database.inTransaction(.immediate) {
      try remove()
      hasSnapshot = count ?? 0 >= limits.tracks
      if hasSnapshot { try SnapshotBuilder(database, library: library, commonThreshold: limits.commonTexts).run() }
      return .commit
    }
  }

  private func remove() throws {
    for table in ["snapshot", "snapshot_patch"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE library = ?", arguments: [library])
    }
    hasSnapshot = false
    patchCount = 0
  }
}
