// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
package import GRDB
import SystemPackage
package import Tagging

/// Copies data that no scan can restore from a damaged index into a new one, as far as rows can be read: stickers (such
/// as ratings and play counts), the times when tracks were added, loudness measurements, and what is remembered of
/// missing tracks and of moves.
struct IndexSalvage {
  /// The maximum number of times that reading continues after unreadable rows.
  private static let attemptLimit = 10_000

  private let damaged: Database
  private let new: Database

  /// Copies data from the damaged index at `path` into the index that replaces it.
  ///
  /// - Throws: If either database cannot be opened or the new one cannot be written.
  static func copy(from path: FilePath, into queue: DatabaseQueue) throws {
    try? restoreSchema(of: path, from: queue)
    let damaged = try connect(path)
    defer { try? damaged.close() }
    try damaged.unsafeRead { old in
      try queue.write { new in
        let salvage = IndexSalvage(damaged: old, new: new)
        try salvage.copyLoudness()
        for copied in CopiedRows.all { try salvage.copy(copied) }
      }
    }
  }

  /// Connects to the damaged index at `path`; definitions of tables that SQLite cannot read are no error.
  private static func connect(_ path: FilePath) throws -> DatabaseQueue {
    try DatabaseFile(path).connect(.writing, label: "salvage") { try $0.execute(sql: "PRAGMA writable_schema = ON") }
  }

  /// Replaces the definitions of tables, which may be damaged, by those in the new index. Rows do not depend on the
  /// names of columns.
  private static func restoreSchema(of path: FilePath, from queue: DatabaseQueue) throws {
    let definitions = try queue.read {
      try Row.fetchAll($0, sql: "SELECT sql, name FROM sqlite_master WHERE sql IS NOT NULL")
    }
    let damaged = try connect(path)
    defer { try? damaged.close() }
    try damaged.write { database in
      for row in definitions {
        try database.execute(
          sql: "UPDATE sqlite_master SET sql = ? WHERE name = ?", arguments: StatementArguments(row.databaseValues))
      }
    }
  }

  /// Copies loudness measurements. Reads the rows from the first one on, and if one cannot be read, also from the last
  /// one backwards.
  private func copyLoudness() throws {
    let insertion = try new.cachedStatement(sql: LoudnessTable.addition)
    for order in ["ASC", "DESC"] {
      let isComplete = try forEachRow("SELECT * FROM loudness ORDER BY path \(order)", []) { row in
        // A row whose columns have other types was not written by Segue.
        let missing = LoudnessTable.columns.count - row.count
        guard missing >= 0, row.count >= LoudnessTable.originalCount, case .blob = row[0].storage else { return }
        // Earlier versions had fewer columns.
        try insertion.execute(arguments: StatementArguments(row + repeatElement(.null, count: missing)))
      }
      if isComplete { return }
    }
  }

  private func copy(_ copied: CopiedRows) throws {
    let insertions = copied.insertions.map { sql in IndexStatement(new, sql) }
    try forEachRow(of: copied) { row in
      guard zip(copied.types, row.dropFirst()).allSatisfy({ $0.includes($1) }) else { return }
      for insertion in insertions {
        for value in row { insertion.bind(value) }
        try insertion.run()
      }
    }
  }

  /// Calls `body` with the key and the columns of each readable row.
  private func forEachRow(of copied: CopiedRows, _ body: ([DatabaseValue]) throws -> Void) throws {
    guard let key = copied.key else {
      _ = try forEachRow("SELECT NULL, \(copied.columns) FROM \(copied.tables)", [], body)
      return
    }
    let sql = "SELECT \(key), \(copied.columns) FROM \(copied.tables) WHERE \(key) > ? ORDER BY \(key)"
    var last: Int64 = 0
    var step: Int64 = 1
    for _ in 0..<Self.attemptLimit {
      let isComplete = try forEachRow(sql, [last]) { row in
        guard let id = Int64.fromDatabaseValue(row[0]) else { return }
        (last, step) = (id, 1)
        try body(row)
      }
      // Unreadable rows are adjacent, and their number is unknown, so skip in ever larger steps.
      let (next, isOverflow) = last.addingReportingOverflow(step)
      if isComplete || isOverflow || step > 1 << 40 { return }
      (last, step) = (next, step * 2)
    }
  }

  /// Calls `body` with each readable row.
  ///
  /// - Returns: Whether all rows were read.
  private func forEachRow(
    _ sql: String, _ arguments: StatementArguments, _ body: ([DatabaseValue]) throws -> Void
  ) throws -> Bool {
    guard let rows = try? Row.fetchCursor(damaged, sql: sql, arguments: arguments) else { return false }
    while true {
      let row: Row?
      do { row = try rows.next() } catch { return false }
      guard let row else { return true }
      try body(Array(row.databaseValues))
    }
  }
}

/// The rows of a table, or of a join, that are copied from a damaged index. A row whose columns have other types than
/// these was not written by Segue, and is left out.
private struct CopiedRows: Sendable {
  /// The type of a column's values.
  enum Kind: Sendable {
    case bytes, integer, text, integerOrNull, textOrNull

    func includes(_ value: DatabaseValue) -> Bool {
      switch (self, value.storage) {
      case (.bytes, .blob), (.integer, .int64), (.text, .string): true
      case (.integerOrNull, .int64), (.integerOrNull, .null), (.textOrNull, .string), (.textOrNull, .null): true
      default: false
      }
    }
  }

  let columns: String
  let tables: String
  /// The column with an integer by which the rows are read, so that reading continues after a damaged one; `nil` for
  /// tables without it.
  var key: String?
  let types: [Kind]
  /// The statements that insert a row. The key is `?1`, and the columns follow; a statement need not use all of them.
  let insertions: [String]

  static let all = [
    carried(
      "\(StickerTable.presentName), sticker.value", of: "sticker CROSS JOIN track ON track.id = sticker.track",
      key: "sticker.track"),
    carried("'', CAST(track.added AS TEXT)", of: "track", key: "track.id"),
    CopiedRows(
      columns: "type, object, name, value", tables: "object_sticker", types: [.text, .text, .text, .text],
      insertions: ["INSERT OR IGNORE INTO object_sticker VALUES (?2, ?3, ?4, ?5)"]),
    // Missing tracks keep their IDs, unless a scan has used these already.
    CopiedRows(
      columns: "library.root, path, segment, size, mtime, sound, recording, names, duration, added, since",
      tables: "missing_track CROSS JOIN library ON library.id = missing_track.library", key: "missing_track.id",
      types: [
        .bytes, .bytes, .integer, .integer, .integer, .integerOrNull, .textOrNull, .textOrNull, .integerOrNull,
        .integer, .integer,
      ],
      insertions: [
        "INSERT OR IGNORE INTO library (root) VALUES (?2)",
        """
        INSERT OR IGNORE INTO missing_track SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM library
        WHERE root = ?2 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)
        """,
      ]),
    CopiedRows(
      columns: "\(StickerTable.presentName), sticker.value",
      tables: "sticker CROSS JOIN missing_track ON missing_track.id = sticker.track", key: "sticker.track",
      types: [.text, .text],
      insertions: [
        """
        INSERT OR IGNORE INTO sticker SELECT id, ?2, ?3 FROM missing_track
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)
        """
      ]),
    // Scans find the tracks of the library that are in the play log, except missing ones, whose IDs have not changed.
    CopiedRows(
      columns: "path, segment, title, artist, album, album_artist, genre, duration, library_track",
      tables: "played_track", key: "id",
      types: [.bytes, .integer, .text, .text, .text, .text, .text, .integerOrNull, .integerOrNull],
      insertions: [
        """
        INSERT OR IGNORE INTO played_track
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT id FROM missing_track WHERE id = ?10))
        """
      ]),
    CopiedRows(
      columns: "time, track, heard, origin", tables: "play", key: "id", types: [.integer, .integer, .integer, .text],
      insertions: [
        """
        INSERT OR IGNORE INTO play SELECT ?1, ?2, ?3, ?4, ?5
        WHERE EXISTS (SELECT 1 FROM played_track WHERE id = ?3)
        """
      ]),
    // Queues and playlists may not follow these moves yet.
    CopiedRows(
      columns: "scan, former, present, is_directory", tables: "file_move", key: "id",
      types: [.integer, .bytes, .bytes, .integer],
      insertions: ["INSERT OR IGNORE INTO file_move VALUES (?1, ?2, ?3, ?4, ?5)"]),
    CopiedRows(
      columns: "playlists, scan", tables: "followed_move", types: [.bytes, .integer],
      insertions: ["INSERT OR IGNORE INTO followed_move VALUES (?2, ?3)"]),
  ]

  /// Returns rows with `values` that are copied into the table `carried`, with the path of the row's track.
  private static func carried(_ values: String, of tables: String, key: String) -> CopiedRows {
    CopiedRows(
      columns: "library.root, directory.path, track.name, track.segment, \(values)",
      tables: """
        \(tables) CROSS JOIN directory ON directory.id = track.directory
        CROSS JOIN library ON library.id = track.library
        """, key: key, types: [.bytes, .bytes, .bytes, .integer, .text, .text],
      insertions: ["INSERT OR IGNORE INTO carried VALUES (?2, ?3, ?4, ?5, ?6, ?7)"])
  }
}

/// The table `carried`: data about tracks of a damaged index, or of a library whose directory was renamed, stored until
/// a scan finds their files again.
///
/// A row contains the name and value of a sticker or, with an empty name, the time when the track was added, in seconds
/// since 1970, or the ID of the track in the library whose directory was renamed (see ``formerTrack``).
package enum SalvagedTable {
  static let creation = """
    CREATE TABLE carried (
      root BLOB NOT NULL,                 -- of the library; absolute
      directory BLOB NOT NULL,            -- below it
      file BLOB NOT NULL,
      segment INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (root, directory, file, segment, name)
    ) WITHOUT ROWID
    """

  /// The name of a row with the ID that the track had, whose plays it gets. No sticker has this name.
  package static let formerTrack = "\u{0}track"

  package static let insertion = "INSERT OR IGNORE INTO carried VALUES (?, ?, ?, ?, ?, ?)"
}

/// Attaches the data that was carried over from a damaged index to the new tracks of a scan.
package final class SalvagedRows {
  private let database: Database
  private let root: [UInt8]
  /// Whether there is no data for this library, which is nearly always the case.
  private var isEmpty: Bool
  private let selection: IndexStatement
  private let insertion: IndexStatement
  private let plays: IndexStatement

  /// Opens the carried-over data for the library whose directory is `root`.
  package init(_ database: Database, root: [UInt8]) throws {
    self.database = database
    self.root = root
    isEmpty = try !IndexStatement(database, "SELECT 1 FROM carried WHERE root = ?").hasRow(root)
    selection = IndexStatement(
      database, "SELECT name, value FROM carried WHERE root = ? AND directory = ? AND file = ? AND segment = ?")
    insertion = IndexStatement(database, StickerTable.insertion)
    plays = IndexStatement(database, PlayLogTables.takeover)
  }

  /// Attaches the carried-over stickers and plays to the new track `id`.
  ///
  /// - Returns: The time when the track was first added, in seconds since 1970; `nil` if unknown.
  package func restore(_ directory: RelativePath, _ file: [UInt8], segment: Int64, to id: Int64) throws -> Int64? {
    if isEmpty { return nil }
    var added: Int64?
    for (name, value) in try selection.all(root, directory.bytes, file, segment, read: { ($0.text(0), $0.text(1)) }) {
      switch name {
      case "": added = Int64(value)
      case SalvagedTable.formerTrack: try plays.run(id, Int64(value))
      default: try insertion.run(id, name, value)
      }
    }
    return added
  }

  /// Deletes the remaining data, after a scan has seen all files of the library.
  package func removeRemaining() throws {
    if isEmpty { return }
    try IndexStatement(database, "DELETE FROM carried WHERE root = ?").run(root)
    isEmpty = true
  }
}
