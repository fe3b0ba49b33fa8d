// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import Platform
import SystemPackage
import TestSupport

@testable import MusicModel
@testable import QueueStorage

enum StateDatabaseCheck {
  /// Returns the problem in the queue restored from a state database with the edits in `bytes`.
  static func fileProblem(in bytes: [UInt8]) -> String? {
    guard case .success(let template) = template else { return "cannot store a queue" }
    var script = ByteScript(bytes)
    guard let directory = try? TemporaryDirectory(),
      (try? directory.write(script.edited(template), to: "state.sqlite")) != nil
    else { return "cannot write a file" }
    let database = StateDatabase(directory: directory.path)
    defer { database.close() }
    _ = try? StateDatabase(directory: directory.path).peek()
    do throws(QueueStorageError) {
      _ = try database.readHeader()
      if let problem = problem(of: try database.restore()) { return problem }
    } catch {
      if error.kind == .unwritten { return "\(error)" }
    }
    // If damage is found only now, the database is also set aside. One of a later version is not changed.
    if let queue = try? queue() {
      do throws(QueueStorageError) { try database.store(queue.stored) } catch {
        if error.kind == .unwritten { return "\(error)" }
      }
    }
    return nil
  }

  /// Returns the problem in a queue whose rows have the values in `bytes`, which alternate between a row with a column
  /// and a value; see ``ByteScript/value()``.
  static func rowProblem(in bytes: [UInt8]) -> String? {
    guard case .success(let database) = rowDatabase else { return "cannot create a database" }
    do {
      var stored: StoredQueue?
      try database.inDatabase { database in
        try database.inTransaction {
          try change(database, ByteScript(bytes))
          var reader = try StateReader(database)
          stored = try? reader.queue()
          return .rollback
        }
      }
      return problem(of: stored)
    } catch {
      return "\(error)"
    }
  }

  private static let columns: [(table: String, column: String, key: String)] = [
    ("state", "repeat", "id"), ("state", "random", "id"), ("state", "single", "id"), ("state", "consume", "id"),
    ("state", "stop_after", "id"), ("state", "seed", "id"), ("state", "last_id", "id"), ("state", "volume", "id"),
    ("state", "title", "id"), ("state", "current", "id"), ("state", "heard", "id"), ("arrangement", "items", "id"),
    ("arrangement", "playing", "id"), ("arrangement", "tracks", "id"), ("step", "is_undone", "number"),
    ("step", "name", "number"), ("step", "title", "number"), ("step", "items", "number"),
    ("step", "playing", "number"), ("step", "current", "number"), ("step", "heard", "number"),
    ("page", "bytes", "number"), ("page", "sum", "number"),
  ]

  /// Sets columns to the values in `script`.
  private static func change(_ database: Database, _ script: ByteScript) throws {
    var script = script
    while !script.isAtEnd {
      let (table, column, key) = columns[Int(script.byte()) % columns.count]
      let row = Int64(script.byte() % 8)
      let value = script.value()
      // A constraint of the table may refuse the value.
      _ = try? database.execute(
        sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", arguments: [value, row == 0 ? 1 : row])
      if table == "page", column == "bytes", case .blob(let data) = value.storage {
        try database.execute(
          sql: "UPDATE page SET sum = ? WHERE number = ?", arguments: [PageSum.sum(Array(data)), row == 0 ? 1 : row])
      }
    }
  }

  /// Returns the problem in a restored queue.
  private static func problem(of stored: StoredQueue?) -> String? {
    guard let stored, let queue = PlayQueue(stored) else { return nil }
    if let current = stored.contents.current, queue.current?.id.rawValue != current { return "another item is current" }
    _ = (queue.duration, queue.items.prefix(64).map(\.track.title))
    guard let restored = PlayQueue(queue.stored) else { return "stored again, it is not a queue" }
    if restored.items.map(\.id) != queue.items.map(\.id) { return "stored again, the queue differs" }
    var edited = queue
    for action in [QueueAction.undo(steps: 1), .redo(steps: 1), .shuffle(nil, by: .tracks, seed: 1), .dedupe] {
      edited.reduce(action)
    }
    return PlayQueue(edited.stored) == nil ? "stored after edits, it is not a queue" : nil
  }

  /// Returns a queue of two albums, with an edit that can be undone.
  private static func queue() throws -> PlayQueue {
    let tracks = (0..<6).map { number in
      var track = Track(path: FilePath("/music/\(number / 3)/\(number).flac"), title: "Title \(number)")
      track.artists = ["Artist"]
      track.album = "Album \(number / 3)"
      track.number = Ordinal(number % 3 + 1, of: 3)
      track.duration = .seconds(100 + number)
      return track
    }
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Albums", tracks: tracks), item: 1))
    queue.reduce(.remove(.positions([4..<5])))
    return queue
  }

  /// The bytes of a state database.
  static let template: Result<[UInt8], any Error> = Result {
    let directory = try TemporaryDirectory()
    let database = StateDatabase(directory: directory.path)
    try database.store(try queue().stored)
    database.close()
    return try contents(of: directory["state.sqlite"])
  }

  /// A state database in memory.
  private static let rowDatabase: Result<DatabaseQueue, any Error> = Result {
    let database = try DatabaseQueue()
    try database.write { database in
      try database.execute(sql: StateTables.creation)
      var writer = StateWriter()
      try writer.write(try queue().stored, to: database)
    }
    return database
  }
}
