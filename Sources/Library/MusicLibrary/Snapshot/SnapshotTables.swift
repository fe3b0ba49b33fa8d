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
