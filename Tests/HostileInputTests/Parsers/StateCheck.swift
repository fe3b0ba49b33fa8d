// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import Platform
import SystemPackage
import TestSupport

@testable import MusicModel
@testable import QueueStorage

enum StateCheck {
  /// Returns the problem in what is restored from a state database with the edits in `bytes`.
  static func fileFault(in bytes: [UInt8]) -> String? {
    guard case .success(let template) = template else { return "no queue can be kept" }
    var script = ByteScript(bytes)
    guard let directory = try? TemporaryDirectory(),
      (try? directory.write(script.edited(template), to: "state.sqlite")) != nil
    else { return "no file can be written" }
    let database = StateDatabase(directory: directory.path)
    defer { database.close() }
    _ = try? StateDatabase(directory: directory.path).look()
    do throws(QueueFault) {
      _ = try database.begin()
      if let fault = fault(of: try database.recall()) { return fault }
    } catch {
      if error.kind == .unwritten { return "\(error)" }
    }
    // Damage found only now is set aside, too; a file of a later version stays.
    if let queue = try? queue() {
      do throws(QueueFault) { try database.keep(queue.kept) } catch {
        if error.kind == .unwritten { return "\(error)" }
      }
    }
    return nil
  }

  /// Returns the problem in a queue whose rows have the values in `bytes`, which alternate between a row with a column
  /// and a value; see ``ByteScript/value()``.
  static func rowFault(in bytes: [UInt8]) -> String? {
    guard case .success(let database) = rows else { return "no database can be made" }
    do {
      var kept: KeptQueue?
      try database.inDatabase { database in
        try database.inTransaction {
          try change(database, ByteScript(bytes))
          var reader = StateReader(database)
          kept = try? reader.queue()
          return .rollback
        }
      }
      return fault(of: kept)
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

  private static func change(_ database: Database, _ script: ByteScript) throws {
    var script = script
    while !script.isAtEnd {
      let (table, column, key) = columns[Int(script.byte()) % columns.count]
      let row = Int64(script.byte() % 8)
      let value = script.value()
      // A constraint of the table may refuse it.
      _ = try? database.execute(
        sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", arguments: [value, row == 0 ? 1 : row])
      if table == "page", column == "bytes", case .blob(let data) = value.storage {
        try database.execute(
          sql: "UPDATE page SET sum = ? WHERE number = ?", arguments: [PageSum.sum(Array(data)), row == 0 ? 1 : row])
      }
    }
  }

  /// Returns the problem in a restored queue.
  private static func fault(of kept: KeptQueue?) -> String? {
    guard let kept, let queue = PlayQueue(kept) else { return nil }
    if let current = kept.contents.current, queue.current?.id.rawValue != current { return "another item is current" }
    _ = (queue.duration, queue.items.prefix(64).map(\.track.title))
    guard let again = PlayQueue(queue.kept) else { return "what is kept of it is no queue" }
    if again.items.map(\.id) != queue.items.map(\.id) { return "what is kept of it is another queue" }
    var edited = queue
    for action in [QueueAction.undo(steps: 1), .redo(steps: 1), .shuffle(nil, by: .tracks, seed: 1), .dedupe] {
      edited.reduce(action)
    }
    return PlayQueue(edited.kept) == nil ? "what is kept of it once it is edited is no queue" : nil
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

  static let template: Result<[UInt8], any Error> = Result {
    let directory = try TemporaryDirectory()
    let database = StateDatabase(directory: directory.path)
    try database.keep(try queue().kept)
    database.close()
    return try contents(of: directory["state.sqlite"])
  }

  private static let rows: Result<DatabaseQueue, any Error> = Result {
    let database = try DatabaseQueue()
    try database.write { database in
      try database.execute(sql: StateTables.creation)
      var writer = StateWriter()
      try writer.write(try queue().kept, to: database)
    }
    return database
  }
}
