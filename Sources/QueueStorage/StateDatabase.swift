import GRDB
public import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// Keeps a queue in a SQLite database, `state.sqlite` in the state directory.
///
/// Its one owner, the process that has the directory's lock, writes; others may read at any time, and never hold it up. The database
/// is in WAL mode with `synchronous = NORMAL`: a process that is killed at any moment loses nothing that was kept, and a power
/// failure at most the last edits, but never the whole. An edit writes the pages that are new, and no others.
public final class StateDatabase: QueueRepository {
  private struct Desk {
    /// What read the beginning; it stays until ``database`` is open, since the last to close a database puts its log in order.
    var glance: StateGlance?
    var database: DatabaseQueue?
    var writer = StateWriter()
    /// Whether ``writer`` knows what the database holds.
    var isKnown = false
  }

  /// The file.
  public let path: FilePath
  private let desk = Mutex(Desk())

  /// The database in `directory`, which is opened, and made where it is missing, by the first call.
  public init(directory: FilePath) { path = directory.appending("state.sqlite") }

  /// See ``QueueRepository/begin()``.
  public func begin() throws(QueueFault) -> KeptBeginning {
    if let glance = StateGlance(path), let beginning = glance.beginning {
      desk.withLock { $0.glance = glance }
      return beginning
    }
    return try perform { _, database in try database.read { try StateReader($0).beginning() } }
  }

  /// See ``QueueRepository/recall()``.
  public func recall() throws(QueueFault) -> KeptQueue? {
    try perform { desk, database in try Self.read(database, &desk) }
  }

  /// See ``QueueRepository/keep(_:)``.
  public func keep(_ queue: KeptQueue) throws(QueueFault) {
    try perform { desk, database in
      if !desk.isKnown { _ = try Self.read(database, &desk) }
      var writer = desk.writer
      try database.write { try writer.write(queue, to: $0) }
      desk.writer = writer
    }
  }

  /// See ``QueueRepository/keep(heard:)``.
  public func keep(heard: Duration) throws(QueueFault) {
    // One statement is a transaction of its own, and each second it takes less than half of what a transaction around it would.
    try perform { _, database in
      try database.writeWithoutTransaction {
        try $0.cachedStatement(sql: "UPDATE state SET heard = ?").execute(arguments: [heard.wholeNanoseconds])
      }
    }
  }

  /// See ``QueueRepository/keep(volume:)``.
  public func keep(volume: Int) throws(QueueFault) {
    try perform { _, database in
      try database.write {
        try $0.cachedStatement(sql: "UPDATE state SET volume = ?").execute(arguments: [volume])
      }
    }
  }

  /// See ``QueueRepository/tidy()``.
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

  /// See ``QueueRepository/setAside()``.
  public func setAside() -> QueueFault {
    desk.withLock { setAside(&$0, because: StateSchema.Obstacle.damaged("no queue")) }
  }

  /// See ``QueueRepository/look()``.
  public func look() throws(QueueFault) -> KeptQueue? {
    do {
      guard let database = try StateSchema.openReading(path) else { return nil }
      defer { try? database.close() }
      return try database.read { database in
        var reader = StateReader(database)
        return try reader.queue()
      }
    } catch {
      guard StateFiles.isDamage(error) else { throw StateFiles.fault(error, path) }
      throw damaged
    }
  }

  /// See ``QueueRepository/damaged``.
  public var damaged: QueueFault {
    QueueFault(.unusable, "the kept queue \(path.shown) is damaged; the next `segue play` sets it aside")
  }

  /// See ``QueueRepository/close()``.
  public func close() {
    desk.withLock { desk in
      try? desk.database?.close()
      desk = Desk()
    }
  }

  private static func read(_ database: DatabaseQueue, _ desk: inout Desk) throws -> KeptQueue? {
    let (queue, writer) = try database.read { database in
      var reader = StateReader(database)
      let queue = try reader.queue()
      return (queue, StateWriter(queue, readBy: reader))
    }
    desk.writer = writer
    desk.isKnown = true
    return queue
  }

  private func perform<Value: Sendable>(_ body: (inout Desk, DatabaseQueue) throws -> Value)
    throws(QueueFault) -> Value
  {
    let result = desk.withLock { desk -> Result<Value, QueueFault> in
      do {
        let database = try desk.database ?? opened()
        desk.database = database
        desk.glance = nil
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
    desk = Desk()
    return StateFiles.setAside(path, because: error)
  }
}
