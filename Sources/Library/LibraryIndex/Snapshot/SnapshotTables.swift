package import GRDB
import MusicModel

/// The tables of what a great library was when a scan of it had ended: orders and columns as plain arrays.
///
/// - `snapshot` holds each array under its name (``SnapshotName``), in parts of ``partSize`` little-endian numbers of
///   32 bits.
/// - `snapshot_patch` says of which tracks the arrays are wrong by now. Whoever writes what an array holds of a track,
///   or of its album, names the track here within the same transaction. What is named is looked up in the tables
///   instead.
/// - Both may be missing, and are then made at the end of the next scan.
enum SnapshotTables {
  /// How many numbers a part has.
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

/// The names of a snapshot's arrays.
enum SnapshotName {
  /// The ids of albums, artists or genres in their order; where the tracks of each end; and the ids of these tracks,
  /// those of an album in playing order. The place of a group is its place here.
  static func groups(_ table: String) -> (ids: String, ends: String, tracks: String) {
    ("\(table)", "\(table) ends", "\(table) tracks")
  }

  /// The formats whose places `track.format` holds, each behind a slash but the first: a text.
  static let formats = "formats"

  /// The tracks that have a sort name of their title: a bit each.
  static let sortedTitles = "sort_title"

  /// The tracks that an expression of the full-text index finds, where they are very many: a bit each.
  static func text(_ expression: String) -> String { "text \(expression)" }

  /// The places of albums, or the ids of tracks, in an order; `segment` counts what ``ListingOrder`` walks one after
  /// the other.
  static func order(_ name: String, segment: Int) -> String { "\(name) \(segment)" }
}

/// A column of tracks as an array by their ids.
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

  /// What stands for NULL, and for a track that is not there.
  static let null = UInt32.max
}

/// From where on a library is kept as arrays, too.
package struct SnapshotLimits: Sendable {
  /// How many tracks it must have: fewer are read in no time.
  let tracks: Int
  /// With how many patches the arrays are made anew.
  let patches: Int
  /// How many tracks have a text whose tracks are kept.
  let commonTexts: Int

  /// Limits that suit a library of any size.
  package init(tracks: Int = 20_000, patches: Int = 1_000, commonTexts: Int = 30_000) {
    self.tracks = tracks
    self.patches = patches
    self.commonTexts = commonTexts
  }
}

/// Keeps the arrays of a library in step with its tables.
///
/// What is changed is named as a patch, within the transaction that does it; when all is done, many patches make new
/// arrays.
package final class SnapshotRows {
  private let database: Database
  private let library: Int64
  private let limits: SnapshotLimits
  private let patching: IndexStatement
  private var isKept: Bool
  private var open: Set<Int64> = []
  private var patchCount: Int

  /// Keeps those of the library of this row.
  package init(_ database: Database, library: Int64, limits: SnapshotLimits) throws {
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
  package func patch(_ track: Int64) {
    if isKept { open.insert(track) }
  }

  /// Writes down what was said since the last time, in the transaction that did it.
  package func settle() throws {
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
  package func renew() throws {
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
