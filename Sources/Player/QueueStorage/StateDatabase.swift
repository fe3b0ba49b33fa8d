// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// Stores a queue in an SQLite database, `state.sqlite` in the state directory.
///
/// Only its owner, the process that holds the lock of the directory, writes. Other processes may read at any time and
/// never block the owner. The database is in WAL mode with `synchronous = NORMAL`: killing the process at any moment
/// loses nothing that was stored, and a power failure loses the last edits at most, never the whole queue. An edit
/// writes only new pages. The elapsed time is written to a file beside the database; see ``ElapsedFile``.
public final class StateDatabase: QueueRepository {
  private struct Desk: ~Copyable {
    var database: DatabaseQueue?
    /// Whether the tables have been checked.
    var isChecked = false
    var writer = StateWriter()
    /// Whether ``writer`` knows what the database contains.
    var isKnown = false
    /// The position of the queue that the database contains, as far as it is known.
    var place = ElapsedFile.Place(heard: 0)
    /// Whether ``mark`` contains a later position than the database.
    var isMarked = false
    var mark: ElapsedFile

    init(_ path: FilePath) { mark = ElapsedFile(of: path) }

    /// Records that the database contains this position, which makes ``mark`` obsolete.
    mutating func stand(at place: ElapsedFile.Place) {
      self.place = place
      if isMarked { mark.remove() }
      isMarked = false
    }
  }

  /// The path of the database.
  public let path: FilePath
  private let desk: Mutex<Desk>

  /// Creates the database in `directory`. The file is opened, or created if it is missing, only when a function first
  /// needs it.
  public init(directory: FilePath) {
    path = directory.appending("state.sqlite")
    desk = Mutex(Desk(path))
  }

  /// Opens the database, and returns the values that are needed before the queue itself is loaded; see
  /// ``QueueRepository/begin()``.
  public func begin() throws(QueueFault) -> KeptBeginning {
    // Playback waits for this call before it starts, so the tables are checked later.
    let beginning = desk.withLock { desk -> KeptBeginning? in
      guard desk.database == nil, let database = StateSchema.openPresent(path) else { return nil }
      let beginning = try? database.unsafeRead { try StateReader($0).beginning() }
      if beginning != nil { desk.database = database }
      return beginning
    }
    if let beginning { return beginning }
    return try perform { _, database in try database.read { try StateReader($0).beginning() } }
  }

  /// Returns the stored queue with its history; see ``QueueRepository/recall()``.
  public func recall() throws(QueueFault) -> KeptQueue? {
    try perform { desk, database in
      var queue = try Self.read(database, &desk)
      if let heard = queue.flatMap({ self.heard(of: $0) }) {
        queue?.contents.heard = heard
        desk.isMarked = true
      } else {
        desk.mark.remove()
      }
      return queue
    }
  }

  /// Stores a queue; see ``QueueRepository/keep(_:)``.
  public func keep(_ queue: KeptQueue) throws(QueueFault) {
    try perform { desk, database in
      if !desk.isKnown { _ = try Self.read(database, &desk) }
      var writer = desk.writer
      try database.write { try writer.write(queue, to: $0) }
      desk.writer = writer
      desk.stand(at: ElapsedFile.Place(queue.contents))
    }
  }

  /// Stores the elapsed time of the current item; see ``QueueRepository/keep(heard:)``.
  public func keep(heard: Duration) throws(QueueFault) {
    try perform { desk, database in
      if !desk.isKnown { _ = try Self.read(database, &desk) }
      do throws(Errno) {
        try desk.mark.write(heard.wholeNanoseconds, from: desk.place)
      } catch {
        throw StateFiles.fault(error, path)
      }
      desk.isMarked = true
    }
  }

  /// Stores the volume, in percent; see ``QueueRepository/keep(volume:)``.
  public func keep(volume: Int) throws(QueueFault) {
    try perform { _, database in
      try database.write {
        try $0.cachedStatement(sql: "UPDATE state SET volume = ?").execute(arguments: [volume])
      }
    }
  }

  /// Removes data that is no longer needed; see ``QueueRepository/tidy()``.
  public func tidy() throws(QueueFault) {
    try perform { desk, database in
      guard desk.isKnown, desk.writer.pages.isUntidy else { return }
      var writer = desk.writer
      try database.write { database in
        try writer.tidy(database)
        try database.execute(sql: "PRAGMA incremental_vacuum(256)")
      }
      desk.writer = writer
    }
  }

  /// Renames the database so that a new one can be created; see ``QueueRepository/setAside()``.
  public func setAside() -> QueueFault {
    desk.withLock { setAside(&$0, because: StateSchema.Obstacle.damaged("no queue")) }
  }

  /// Reads the stored queue without owning the database; see ``QueueRepository/look()``.
  public func look() throws(QueueFault) -> KeptQueue? {
    try looking { database in
      var reader = StateReader(database)
      var queue = try reader.queue()
      if let heard = queue.flatMap({ heard(of: $0) }) { queue?.contents.heard = heard }
      return queue
    }
  }

  /// Reads the values that are needed before the queue itself is loaded, without owning the database; see
  /// ``QueueRepository/lookAtBeginning()``.
  public func lookAtBeginning() throws(QueueFault) -> KeptBeginning? {
    try looking { try StateReader($0).beginning() }
  }

  private func looking<Value>(_ body: (Database) throws -> Value?) throws(QueueFault) -> Value? {
    do {
      guard let database = try StateSchema.openReading(path) else { return nil }
      defer { try? database.close() }
      return try database.read(body)
    } catch {
      guard StateFiles.isDamage(error) else { throw StateFiles.fault(error, path) }
      throw damaged
    }
  }

  /// The error to report if the stored queue is damaged; see ``QueueRepository/damaged``.
  public var damaged: QueueFault {
    QueueFault(
      .unusable, "the saved queue \(path.shown) is damaged; the next `segue play` renames it and starts a new one")
  }

  /// Closes the database; see ``QueueRepository/close()``.
  public func close() {
    desk.withLock { desk in
      if desk.isMarked, (try? Self.takeUpMark(of: path, desk)) != nil { desk.mark.remove() }
      try? desk.database?.close()
      desk = Desk(path)
    }
  }

  /// Returns the elapsed time of the current item of `queue` that was stored after the database was written; `nil` if
  /// there is none.
  private func heard(of queue: KeptQueue) -> Duration? {
    ElapsedFile.heard(of: path, from: ElapsedFile.Place(queue.contents)).map { .nanoseconds($0) }
  }

  /// Copies the position in the mark file to the database.
  private static func takeUpMark(of path: FilePath, _ desk: borrowing Desk) throws {
    guard let heard = ElapsedFile.heard(of: path, from: desk.place) else { return }
    try desk.database?.write { try $0.execute(sql: "UPDATE state SET heard = ?", arguments: [heard]) }
  }

  private static func read(_ database: DatabaseQueue, _ desk: inout Desk) throws -> KeptQueue? {
    let (queue, writer) = try database.read { database in
      var reader = StateReader(database)
      let queue = try reader.queue()
      return (queue, StateWriter(queue, readBy: reader))
    }
    desk.writer = writer
    desk.isKnown = true
    if let queue { desk.place = ElapsedFile.Place(queue.contents) }
    return queue
  }

  private func perform<Value: Sendable>(_ body: (inout Desk, DatabaseQueue) throws -> Value)
    throws(QueueFault) -> Value
  {
    let result = desk.withLock { desk -> Result<Value, QueueFault> in
      do {
        let database = try desk.database ?? opened()
        desk.database = database
        if !desk.isChecked { try StateSchema.checkTables(of: database) }
        desk.isChecked = true
        return .success(try body(&desk, database))
      } catch {
        guard StateFiles.isDamage(error) else { return .failure(StateFiles.fault(error, path)) }
        return .failure(setAside(&desk, because: error))
      }
    }
    return try result.get()
  }

  private func opened() throws -> DatabaseQueue {
    try AtomicFile.makeDirectories(path.removingLastComponent())
    return try StateSchema.open(path)
  }

  private func setAside(_ desk: inout Desk, because error: any Error) -> QueueFault {
    try? desk.database?.close()
    desk.mark.remove()
    desk = Desk(path)
    return StateFiles.setAside(path, because: error)
  }
}

extension ElapsedFile.Place {
  /// Creates the position of a queue.
  fileprivate init(_ contents: KeptQueue.Contents) {
    self.init(item: contents.current, heard: contents.heard.wholeNanoseconds)
  }
}
