// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import FoundationEssentials
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
        try salvage.carry(
          "\(StickerTable.presentName), sticker.value", of: "sticker CROSS JOIN track ON track.id = sticker.track",
          by: "sticker.track")
        try salvage.carry("'', CAST(track.added AS TEXT)", of: "track", by: "track.id")
        try salvage.copyObjectStickers()
        try salvage.copyMissingTracks()
        try salvage.copyPlays()
        try salvage.copyMoves()
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
        guard missing >= 0, row.count >= LoudnessTable.originalCount, case .blob = row[0] else { return }
        // Earlier versions had fewer columns.
        try insertion.execute(arguments: StatementArguments(row + repeatElement(.null, count: missing)))
      }
      if isComplete { return }
    }
  }

  /// Copies `values` from each row of `tables` into the table `carried`, with the path of the row's track.
  ///
  /// - Parameter key: The column that contains the track's ID.
  private func carry(_ values: String, of tables: String, by key: String) throws {
    let insertion = try new.cachedStatement(sql: SalvagedTable.insertion)
    let tables = """
      \(tables) CROSS JOIN directory ON directory.id = track.directory CROSS JOIN library ON library.id = track.library
      """
    try forEachRow(
      "library.root, directory.path, track.name, track.segment, \(values)", of: tables, by: key
    ) { _, row in
      guard case .blob = row[0], case .blob = row[1], case .blob = row[2], case .int64 = row[3], case .string = row[4],
        case .string = row[5]
      else { return }
      try insertion.execute(arguments: StatementArguments(row))
    }
  }

  private func copyObjectStickers() throws {
    let insertion = try new.cachedStatement(sql: "INSERT OR IGNORE INTO object_sticker VALUES (?, ?, ?, ?)")
    _ = try forEachRow("SELECT type, object, name, value FROM object_sticker", []) { row in
      if row.allSatisfy(\.isText) { try insertion.execute(arguments: StatementArguments(row)) }
    }
  }

  /// Copies the play log. Scans find the tracks of the library that are in it, except missing ones, whose IDs
  /// have not changed.
  private func copyPlays() throws {
    let track = try new.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO played_track
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM missing_track WHERE id = ?))
        """)
    let columns = "path, segment, title, artist, album, album_artist, genre, duration, library_track"
    try forEachRow(columns, of: "played_track", by: "id") { id, row in
      guard case .blob = row[0], row[1].isInteger, row[2...6].allSatisfy(\.isText),
        row[7...8].allSatisfy({ $0.isNull || $0.isInteger })
      else { return }
      try track.execute(arguments: StatementArguments([.int64(id)] + row))
    }
    let play = try new.cachedStatement(
      sql: "INSERT OR IGNORE INTO play SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM played_track WHERE id = ?3)")
    try forEachRow("time, track, heard, origin", of: "play", by: "id") { id, row in
      guard row[0...2].allSatisfy(\.isInteger), row[3].isText else { return }
      try play.execute(arguments: StatementArguments([.int64(id)] + row))
    }
  }

  /// Copies the missing tracks with their stickers. They keep their IDs, unless a scan has used these already.
  private func copyMissingTracks() throws {
    let library = try new.cachedStatement(sql: "INSERT OR IGNORE INTO library (root) VALUES (?)")
    let insertion = try new.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO missing_track SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM library
        WHERE root = ?2 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)
        """)
    let columns = "library.root, path, segment, size, mtime, sound, recording, names, duration, added, since"
    try forEachRow(
      columns, of: "missing_track CROSS JOIN library ON library.id = missing_track.library", by: "missing_track.id"
    ) { id, row in
      guard case .blob = row[0], case .blob = row[1], row[2...4].allSatisfy(\.isInteger),
        row[5].isNull || row[5].isInteger, row[6...7].allSatisfy({ $0.isNull || $0.isText }),
        row[8].isNull || row[8].isInteger, row[9...].allSatisfy(\.isInteger)
      else { return }
      try library.execute(arguments: StatementArguments(row.prefix(1)))
      try insertion.execute(arguments: StatementArguments([.int64(id)] + row))
    }
    let sticker = try new.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO sticker SELECT id, ?2, ?3 FROM missing_track
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)
        """)
    try forEachRow(
      "\(StickerTable.presentName), sticker.value",
      of: "sticker CROSS JOIN missing_track ON missing_track.id = sticker.track", by: "sticker.track"
    ) { id, row in
      guard row.allSatisfy(\.isText) else { return }
      try sticker.execute(arguments: StatementArguments([.int64(id)] + row))
    }
  }

  /// Copies the moves of files that queues and playlists may not follow yet.
  private func copyMoves() throws {
    let insertion = try new.cachedStatement(sql: "INSERT OR IGNORE INTO file_move VALUES (?, ?, ?, ?, ?)")
    try forEachRow("scan, former, present, is_directory", of: "file_move", by: "id") { id, row in
      guard row[0].isInteger, case .blob = row[1], case .blob = row[2], row[3].isInteger else { return }
      try insertion.execute(arguments: StatementArguments([.int64(id)] + row))
    }
    let followed = try new.cachedStatement(sql: "INSERT OR IGNORE INTO followed_move VALUES (?, ?)")
    _ = try forEachRow("SELECT playlists, scan FROM followed_move", []) { row in
      guard case .blob = row[0], row[1].isInteger else { return }
      try followed.execute(arguments: StatementArguments(row))
    }
  }

  /// Calls `body` with the ID and the values of each readable row of `tables`.
  ///
  /// - Parameter key: The column that contains the ID.
  private func forEachRow(
    _ values: String, of tables: String, by key: String, _ body: (Int64, [DatabaseValue.Storage]) throws -> Void
  ) throws {
    let sql = "SELECT \(key), \(values) FROM \(tables) WHERE \(key) > ? ORDER BY \(key)"
    var last: Int64 = 0
    var step: Int64 = 1
    for _ in 0..<Self.attemptLimit {
      let isComplete = try forEachRow(sql, [last]) { row in
        guard case .int64(let id) = row[0] else { return }
        (last, step) = (id, 1)
        try body(id, Array(row.dropFirst()))
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
    _ sql: String, _ arguments: StatementArguments, _ body: ([DatabaseValue.Storage]) throws -> Void
  ) throws -> Bool {
    guard let rows = try? Row.fetchCursor(damaged, sql: sql, arguments: arguments) else { return false }
    while true {
      let row: Row?
      do { row = try rows.next() } catch { return false }
      guard let row else { return true }
      try body(row.databaseValues.map(\.storage))
    }
  }
}

extension DatabaseValue.Storage {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
  fileprivate var isInteger: Bool { if case .int64 = self { true } else { false } }
  fileprivate var isText: Bool { if case .string = self { true } else { false } }
}

extension StatementArguments {
  fileprivate init(_ values: some Sequence<DatabaseValue.Storage>) {
    self.init(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .int64(let number): number
        case .double(let number): number
        case .string(let text): text
        case .blob(let data): data
        }
      })
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
    let rows = IndexStatement(database, "SELECT 1 FROM carried WHERE root = ?")
    rows.bind(root)
    isEmpty = try !rows.step()
    rows.reset()
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
    selection.bind(root)
    selection.bind(directory.bytes)
    selection.bind(file)
    selection.bind(segment)
    var found: [(name: String, value: String)] = []
    while try selection.step() { found.append((selection.text(0), selection.text(1))) }
    var added: Int64?
    for (name, value) in found {
      if name.isEmpty {
        added = Int64(value)
        continue
      }
      if name == SalvagedTable.formerTrack {
        plays.bind(id)
        plays.bind(Int64(value))
        try plays.run()
        continue
      }
      insertion.bind(id)
      insertion.bind(name)
      insertion.bind(value)
      try insertion.run()
    }
    return added
  }

  /// Deletes the remaining data, after a scan has seen all files of the library.
  package func removeRemaining() throws {
    if isEmpty { return }
    let deletion = IndexStatement(database, "DELETE FROM carried WHERE root = ?")
    deletion.bind(root)
    try deletion.run()
    isEmpty = true
  }
}
