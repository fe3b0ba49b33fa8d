// SPDX-License-Identifier: GPL-3.0-or-later

public import DatabaseFiles
import FoundationEssentials
package import GRDB
public import MusicModel
import Platform
import Synchronization
public import SystemPackage
package import Tagging

/// The index of the music library: an SQLite database of everything that Segue knows about the music files.
///
/// Several processes can use it at once. Only one writes at a time; other writers wait for up to 5 seconds. A damaged
/// database never stops the program: it is set aside and replaced. A scan restores most of its contents, and what a
/// scan cannot find out, such as ratings, is carried over into the new database.
///
/// Every call blocks until the disk has been read or written. Safe to use from any thread.
public final class LibraryIndex: Sendable {
  /// The database file.
  public let path: FilePath
  /// A warning to show to the user if a damaged or foreign file was set aside when the index was opened; otherwise
  /// `nil`.
  public let warning: String?

  private static let fileName = "index.sqlite"

  private let mainConnection: Mutex<DatabaseQueue?>
  /// The connection for queries that read only a few rows, so that they do not wait for queries that scan whole tables.
  private let quickConnection = Mutex<DatabaseQueue?>(nil)
  private let readers: IndexConnections
  private let writers: IndexConnections

  /// Checks the database in `directory`, and changes nothing. Returns its path, and what was found; `nil` if there is
  /// none. Reads the whole database.
  public static func report(in directory: FilePath) -> (path: FilePath, report: DatabaseReport?) {
    let path = directory.appending(fileName)
    let report = DatabaseFile(path).report(
      currentVersion: IndexSchema.version, prepare: { try IndexSchema.addFunctions(to: $0) },
      check: { try IndexRepair.problem($0) })
    return (path, report)
  }

  /// Opens the index in `directory`, creating the directory and the index if they are missing.
  ///
  /// - Throws: ``LibraryIndexError``. A damaged or foreign file is no error: it is replaced by a new index.
  public init(directory: FilePath) throws(LibraryIndexError) {
    path = directory.appending(Self.fileName)
    do throws(Errno) {
      try AtomicFile.makeDirectories(directory)
    } catch {
      throw .unusable(path, "\(error)")
    }
    (readers, writers) = Self.connections(path)
    if let present = try? IndexSchema.connectToPresent(path) {
      mainConnection = Mutex(present)
      warning = nil
      return
    }
    // Only one process at a time may create the database or set a damaged one aside. If the lock cannot be taken,
    // continue without it, which usually works.
    let lock = try? Self.lock(path)
    defer { withExtendedLifetime(lock) {} }
    do throws(LibraryIndexError) {
      mainConnection = Mutex(try IndexSchema.open(path))
      warning = nil
    } catch {
      guard error.isSetAside else { throw error }
      let database = try IndexSchema.open(path)
      if case .damaged(_, let old) = error { try? IndexSalvage.copy(from: old, into: database) }
      mainConnection = Mutex(database)
      warning = error.description
    }
  }

  /// The databases in memory that are not in use. They stay open, because closing one makes Dispatch wake the program
  /// every second.
  private static let idleInMemory = Mutex<[DatabaseQueue]>([])

  /// Calls `body` with an empty index in memory, which is only valid until `body` returns.
  package static func withTemporary<Value>(_ body: (LibraryIndex) throws -> Value) throws -> Value {
    let database = try idleInMemory.withLock { $0.popLast() } ?? IndexSchema.connectInMemory()
    defer { if (try? IndexSchema.empty(database)) != nil { idleInMemory.withLock { $0.append(database) } } }
    return try body(LibraryIndex(inMemory: database))
  }

  private init(inMemory database: DatabaseQueue) {
    path = ":memory:"
    readers = IndexConnections(path) { _ in database }
    writers = readers
    mainConnection = Mutex(database)
    warning = nil
  }

  /// Runs a read-only query. If the disk or the open connection fails, tries again once on a new connection.
  private func withRetry<Value>(_ body: () throws -> Value) throws(LibraryError) -> Value {
    try perform {
      do {
        return try body()
      } catch let error as DatabaseError
        where [.SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
      {
        mainConnection.withLock { $0 = nil }
        quickConnection.withLock { $0 = nil }
        return try body()
      }
    }
  }

  /// Runs an operation that may find the database damaged. If the damaged file was set aside, creates a new index.
  private func perform<Value>(_ body: () throws -> Value) throws(LibraryError) -> Value {
    let result: Result<Value, LibraryError>
    do throws(LibraryIndexError) {
      result = try IndexSchema.perform(path) {
        // The error of an operation within this one has been handled.
        do { return .success(try body()) } catch let error as LibraryError { return .failure(error) }
      }
    } catch {
      // The open connection may refer to another file by now, or may have cached pages that were read incorrectly.
      mainConnection.withLock { $0 = nil }
      quickConnection.withLock { $0 = nil }
      if case .damaged(_, let old) = error { createReplacement(for: old) }
      throw LibraryError(error)
    }
    return try result.get()
  }

  /// Creates a new index in place of the damaged one, which has been renamed to `old`.
  private func createReplacement(for old: FilePath) {
    let lock = try? Self.lock(path)
    defer { withExtendedLifetime(lock) {} }
    guard let database = try? IndexSchema.open(path) else { return }
    try? IndexSalvage.copy(from: old, into: database)
    try? database.close()
  }

  /// Takes the lock for creating the index at `path`. The lock is held until the returned value is released.
  private static func lock(_ path: FilePath) throws(Errno) -> FileLock {
    try FileLock(
      path.removingLastComponent().appending("index.lock"),
      until: MonotonicInstant.now.advanced(byMilliseconds: DatabaseFile.timeout * 1_000))
  }

  /// Opens the existing index in `directory` without changing it. Returns `nil` if there is none, if it does not have
  /// the current schema, or if it cannot be read.
  public init?(presentIn directory: FilePath) {
    path = directory.appending(Self.fileName)
    guard let present = try? IndexSchema.connectToPresent(path) else { return nil }
    (readers, writers) = Self.connections(path)
    mainConnection = Mutex(present)
    warning = nil
  }

  /// Returns two pools of connections to the index at `path`: one only for reading, and one for writing many rows.
  private static func connections(_ path: FilePath) -> (readers: IndexConnections, writers: IndexConnections) {
    let writers = IndexConnections(path) { path in
      let queue = try IndexSchema.connect(path)
      try queue.writeWithoutTransaction {
        try $0.execute(
          sql: """
            PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000; PRAGMA secure_delete = OFF;
            PRAGMA temp_store = MEMORY
            """)
        // What is written under a damaged name or type could not be read again.
        guard try IndexSchema.hasExpectedTables($0) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      }
      return queue
    }
    return (IndexConnections(path) { try IndexSchema.connectToPresent($0) }, writers)
  }

  /// Whether `directory` contains an index file.
  public static func isPresent(in directory: FilePath) -> Bool {
    (try? FileStatus(of: directory.appending(fileName)))?.kind == .regular
  }

  /// Runs a read-only query. It does not wait for a writer in this or in another process.
  package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    try withRetry { try queue(mainConnection).read(body) }
  }

  /// Calls `body` with a connection for a reader that runs on its own thread and opens its own transactions.
  package func lend<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.lend(body) }

  /// Returns the open connection, or opens one and stores it.
  private func queue(_ stored: borrowing Mutex<DatabaseQueue?>) throws -> DatabaseQueue {
    try stored.withLock { stored in
      if let stored { return stored }
      let database = try IndexSchema.connect(path)
      stored = database
      return database
    }
  }

  /// Queries the libraries in `roots`. Returns `nil` if none of them is in the index.
  package func withReader<Value>(
    _ roots: LibraryRoots, _ body: (IndexReader) throws -> Value
  ) throws(LibraryError) -> Value? {
    try withRetry {
      let queue = try queue(mainConnection)
      return try queue.read { try Self.libraries(in: roots, $0) }
        .map { try body(IndexReader(database: queue, libraries: $0)) }
    }
  }

  /// Queries the libraries in `roots` within one read transaction. Returns `nil` if none of them is in the index.
  ///
  /// - Parameter isQuick: Whether the query reads only a few rows. Such queries use a connection of their own, so that
  ///   they do not wait for queries that read many.
  package func inReadTransaction<Value>(
    _ roots: LibraryRoots, isQuick: Bool = false, _ body: (Database, LibraryScope) throws -> Value
  ) throws(LibraryError) -> Value? {
    try withRetry {
      try (isQuick ? queue(quickConnection) : queue(mainConnection)).inDatabase { database in
        var value: Value?
        try database.inTransaction(.deferred) {
          value = try Self.libraries(in: roots, database).map { try body(database, $0) }
          return .commit
        }
        return value
      }
    }
  }

  /// Returns the libraries in `roots` that are in the index, or `nil` if none is.
  private static func libraries(in roots: LibraryRoots, _ database: Database) throws -> LibraryScope? {
    let statement = try database.cachedStatement(sql: LibraryScope.selection)
    return try LibraryScope(roots) { try Int64.fetchOne(statement, arguments: [Data($0)]) }
  }

  /// Writes many rows through a connection that is used only for writing, so that readers in this process need not
  /// wait.
  ///
  /// `body` opens its own transactions. If the index has no contents yet, nothing waits for the disk: what is written
  /// comes from the files, and a power failure costs no more than another scan.
  ///
  /// - Parameter checkpoints: Whether to checkpoint a large write-ahead log afterwards. Pass `false` if the caller does
  ///   this itself.
  package func write<Value>(
    checkpoints: Bool = true, _ body: (Database) throws -> Value
  ) throws(LibraryError) -> Value {
    try perform {
      try writers.lend { database in
        let waits = try !checkpoints || Self.hasContents(database)
        if !waits { try database.execute(sql: "PRAGMA synchronous = OFF") }
        defer { if !waits { try? database.execute(sql: "PRAGMA synchronous = NORMAL") } }
        let value = try body(database)
        if checkpoints, IndexSchema.needsCheckpoint(path) {
          try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return value
      }
    }
  }
}

extension LibraryIndex {
  private static func hasContents(_ database: Database) throws -> Bool {
    let tables = ["track", "loudness", "carried", "missing_track"].map { "EXISTS (SELECT 1 FROM \($0))" }
    return try Bool.fetchOne(database, sql: "SELECT \(tables.joined(separator: " OR "))") ?? true
  }
}

extension LibraryIndex: LoudnessRepository {
  public func loudness(of paths: [FilePath]) throws(LibraryError) -> [FilePath: StoredLoudness] {
    try read { database in
      let statement = try database.cachedStatement(sql: LoudnessTable.selection)
      var found: [FilePath: StoredLoudness] = [:]
      for path in paths {
        if let row = try Row.fetchOne(statement, arguments: [Data(path.systemBytes)]) {
          found[path] = LoudnessTable.value(row, path: path)
        }
      }
      return found
    }
  }

  public func store(_ measurements: [StoredLoudness]) throws(LibraryError) {
    try perform {
      try queue(mainConnection).write { database in
        let statement = try database.cachedStatement(sql: LoudnessTable.insertion)
        for value in measurements { try statement.execute(arguments: LoudnessTable.arguments(value)) }
      }
    }
  }

  /// Returns what was measured of each of `tracks` or, if it was not measured, the ReplayGain values of its tags.
  ///
  /// A measurement is used only if the file has the same size and modification time as when it was measured; otherwise
  /// the tags are used. If a track was measured without its album, the album's gain and peak come from the tags. Every
  /// file is checked on disk. If the index cannot be read, only the tags are used.
  public func measurements(for tracks: [Track]) -> [AudioMeasurement] {
    let known = (try? loudness(of: tracks.map(\.path))) ?? [:]
    return tracks.map { track in
      // A measurement covers the whole file, so it says nothing about a segment of it.
      guard track.segment == nil, let stored = known[track.path],
        let status = try? FileStatus(of: track.path), stored.isCurrent(for: status)
      else { return AudioMeasurement(replayGain: track.replayGain) }
      return AudioMeasurement(replayGain: stored.replayGain.completed(by: track.replayGain), sound: stored.sound)
    }
  }
}

extension ReplayGainTags {
  /// Returns this measurement, with the missing track or album values filled in from `tags`.
  fileprivate func completed(by tags: ReplayGainTags) -> ReplayGainTags {
    let hasTrack = trackGain != nil
    let hasAlbum = albumGain != nil
    return ReplayGainTags(
      trackGain: hasTrack ? trackGain : tags.trackGain, trackPeak: hasTrack ? trackPeak : tags.trackPeak,
      albumGain: hasAlbum ? albumGain : tags.albumGain, albumPeak: hasAlbum ? albumPeak : tags.albumPeak)
  }
}
