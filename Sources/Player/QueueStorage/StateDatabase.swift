// SPDX-License-Identifier: GPL-3.0-or-later

public import DatabaseFiles
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
  private struct OpenState: ~Copyable {
    var database: DatabaseQueue?
    var isChecked = false
    var writer = StateWriter()
    /// Whether ``writer`` knows what the database contains.
    var isKnown = false
    /// The position of the queue that the database contains, as far as it is known.
    var position = ElapsedFile.StoredPosition(elapsed: 0)
    /// Whether ``elapsedFile`` contains a later position than the database.
    var hasElapsedFile = false
    var elapsedFile: ElapsedFile

    init(_ path: FilePath) { elapsedFile = ElapsedFile(of: path) }

    /// Records that the database contains this position, which makes ``elapsedFile`` obsolete.
    mutating func recordPosition(_ position: ElapsedFile.StoredPosition) {
      self.position = position
      if hasElapsedFile { elapsedFile.remove() }
      hasElapsedFile = false
    }
  }

  private static let fileName = "state.sqlite"

  public let path: FilePath
  private let state: Mutex<OpenState>
  private let open: @Sendable (FilePath) throws -> DatabaseQueue
  private let moves: @Sendable (_ since: Int64) -> FileMoves

  /// Checks the database in `directory`, and changes nothing. Returns its path, and what was found; `nil` if there is
  /// none. Reads the whole database.
  public static func report(in directory: FilePath) -> (path: FilePath, report: DatabaseReport?) {
    let path = directory.appending(fileName)
    return (path, DatabaseFile(path).report(currentVersion: StateSchema.version))
  }

  /// Creates the database in `directory`. The file is opened, or created if it is missing, only when a function first
  /// needs it. `moves` returns the moves of files that scans of the library after this one have found; the queue that
  /// is read follows them.
  public convenience init(
    directory: FilePath, moves: @escaping @Sendable (_ since: Int64) -> FileMoves = { FileMoves(lastScan: $0) }
  ) {
    self.init(directory: directory, moves: moves) { try StateSchema.open($0) }
  }

  init(
    directory: FilePath, moves: @escaping @Sendable (_ since: Int64) -> FileMoves = { FileMoves(lastScan: $0) },
    open: @escaping @Sendable (FilePath) throws -> DatabaseQueue
  ) {
    self.moves = moves
    path = directory.appending(Self.fileName)
    state = Mutex(OpenState(path))
    self.open = open
  }

  /// Opens the database, and returns the values that are needed before the queue itself is loaded; see
  /// ``QueueRepository/readHeader()``.
  public func readHeader() throws(QueueStorageError) -> StoredQueueHeader {
    // Playback waits for this call before it starts, so the tables are checked later.
    let header = state.withLock { state -> StoredQueueHeader? in
      guard state.database == nil, let database = StateSchema.openPresent(path) else { return nil }
      let header = try? database.unsafeRead { try StateReader($0).header() }
      if header != nil { state.database = database }
      return header
    }
    if let header { return header }
    return try perform { _, database in try database.read { try StateReader($0).header() } }
  }

  /// Returns the stored queue with its history; see ``QueueRepository/restore()``.
  public func restore() throws(QueueStorageError) -> StoredQueue? {
    try perform { state, database in
      var queue = try Self.read(database, &state)
      if let elapsed = queue.flatMap({ self.elapsed(of: $0) }) {
        queue?.contents.elapsed = elapsed
        state.hasElapsedFile = true
      } else {
        state.elapsedFile.remove()
      }
      return queue.map { $0.following(moves($0.lastScan)) }
    }
  }

  /// Stores a queue; see ``QueueRepository/store(_:)``.
  public func store(_ queue: StoredQueue) throws(QueueStorageError) {
    try perform { state, database in
      if !state.isKnown { _ = try Self.read(database, &state) }
      var writer = state.writer
      try database.write { try writer.write(queue, to: $0) }
      state.writer = writer
      state.recordPosition(ElapsedFile.StoredPosition(queue.contents))
    }
  }

  /// Stores the elapsed time of the current item; see ``QueueRepository/store(elapsed:)``.
  public func store(elapsed: Duration) throws(QueueStorageError) {
    try perform { state, database in
      if !state.isKnown { _ = try Self.read(database, &state) }
      do throws(Errno) {
        try state.elapsedFile.write(elapsed.wholeNanoseconds, from: state.position)
      } catch {
        throw StateFiles.reportedError(error, path)
      }
      state.hasElapsedFile = true
    }
  }

  /// Stores the volume, in percent; see ``QueueRepository/store(volume:)``.
  public func store(volume: Int) throws(QueueStorageError) {
    try perform { _, database in
      try database.write {
        try $0.cachedStatement(sql: "UPDATE state SET volume = ?").execute(arguments: [volume])
      }
    }
  }

  /// Removes data that is no longer needed; see ``QueueRepository/deleteUnused()``.
  public func deleteUnused() throws(QueueStorageError) {
    try perform { state, database in
      guard state.isKnown, state.writer.pages.needsCleanUp else { return }
      var writer = state.writer
      try database.write { database in
        try writer.deleteUnusedPages(database)
        try database.execute(sql: "PRAGMA incremental_vacuum(256)")
      }
      state.writer = writer
    }
  }

  /// Renames the database so that a new one can be created; see ``QueueRepository/setAside()``.
  public func setAside() -> QueueStorageError {
    state.withLock { setAside(&$0, because: StateSchema.FileError.damaged("no queue")) }
  }

  /// Reads the stored queue without owning the database; see ``QueueRepository/peek()``.
  public func peek() throws(QueueStorageError) -> StoredQueue? {
    try reading { database in
      var reader = try StateReader(database)
      var queue = try reader.queue()
      if let elapsed = queue.flatMap({ elapsed(of: $0) }) { queue?.contents.elapsed = elapsed }
      return queue.map { $0.following(moves($0.lastScan)) }
    }
  }

  /// Reads the values that are needed before the queue itself is loaded, without owning the database; see
  /// ``QueueRepository/peekHeader()``.
  public func peekHeader() throws(QueueStorageError) -> StoredQueueHeader? {
    try reading { try StateReader($0).header() }
  }

  private func reading<Value>(_ body: (Database) throws -> Value?) throws(QueueStorageError) -> Value? {
    do {
      guard let database = try StateSchema.openReading(path) else { return nil }
      defer { try? database.close() }
      return try database.read(body)
    } catch {
      guard StateFiles.isDamage(error) else { throw StateFiles.reportedError(error, path) }
      throw damageError
    }
  }

  /// The error to report if the stored queue is damaged; see ``QueueRepository/damageError``.
  public var damageError: QueueStorageError {
    QueueStorageError(
      .unusable, "the saved queue \(path.shown) is damaged; the next `segue play` renames it and starts a new one")
  }

  /// Closes the database; see ``QueueRepository/close()``.
  public func close() {
    state.withLock { state in
      if state.hasElapsedFile, (try? Self.storeElapsed(of: path, state)) != nil { state.elapsedFile.remove() }
      try? state.database?.close()
      state = OpenState(path)
    }
  }

  /// Returns the elapsed time of the current item of `queue` that was stored after the database was written; `nil` if
  /// there is none.
  private func elapsed(of queue: StoredQueue) -> Duration? {
    ElapsedFile.elapsed(of: path, from: ElapsedFile.StoredPosition(queue.contents)).map { .nanoseconds($0) }
  }

  /// Copies the elapsed time in the ``ElapsedFile`` to the database.
  private static func storeElapsed(of path: FilePath, _ state: borrowing OpenState) throws {
    guard let elapsed = ElapsedFile.elapsed(of: path, from: state.position) else { return }
    try state.database?.write { try $0.execute(sql: "UPDATE state SET heard = ?", arguments: [elapsed]) }
  }

  private static func read(_ database: DatabaseQueue, _ state: inout OpenState) throws -> StoredQueue? {
    let (queue, writer) = try database.read { database in
      var reader = try StateReader(database)
      let queue = try reader.queue()
      return (queue, StateWriter(queue, readBy: reader))
    }
    state.writer = writer
    state.isKnown = true
    if let queue { state.position = ElapsedFile.StoredPosition(queue.contents) }
    return queue
  }

  private func perform<Value: Sendable>(_ body: (inout OpenState, DatabaseQueue) throws -> Value)
    throws(QueueStorageError) -> Value
  {
    let result = state.withLock { state -> Result<Value, QueueStorageError> in
      var isSecondAttempt = false
      while true {
        do {
          let database = try state.database ?? opened()
          state.database = database
          if !state.isChecked { try StateSchema.checkTables(of: database) }
          state.isChecked = true
          return .success(try body(&state, database))
        } catch {
          guard StateFiles.isDamage(error) else { return .failure(StateFiles.reportedError(error, path)) }
          // A failing disk can look like a damaged database. What is damaged fails again over a new connection.
          if isSecondAttempt {
            guard state.database?.hadSystemError == true else { return .failure(setAside(&state, because: error)) }
            return .failure(StateFiles.reportedError(DatabaseError(resultCode: .SQLITE_IOERR), path))
          }
          try? state.database?.close()
          let hasElapsedFile = state.hasElapsedFile
          state = OpenState(path)
          state.hasElapsedFile = hasElapsedFile
          isSecondAttempt = true
        }
      }
    }
    return try result.get()
  }

  private func opened() throws -> DatabaseQueue {
    try AtomicFile.makeDirectories(path.removingLastComponent())
    return try open(path)
  }

  private func setAside(_ state: inout OpenState, because error: any Error) -> QueueStorageError {
    try? state.database?.close()
    state.elapsedFile.remove()
    state = OpenState(path)
    return StateFiles.setAside(path, because: error)
  }
}

extension ElapsedFile.StoredPosition {
  fileprivate init(_ contents: StoredQueue.Contents) {
    self.init(item: contents.current, elapsed: contents.elapsed.wholeNanoseconds)
  }
}
