// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import FoundationEssentials
package import GRDB
public import MusicModel
import Platform
import Synchronization
public import SystemPackage
package import Tagging

/// The library's index: a SQLite database of everything that Segue knows about music files beyond the files themselves.
///
/// Several processes can use it at once. Only one writes at a time; other writers wait for up to 5 seconds. A damaged
/// database never stops the program: it is set aside and replaced. A scan restores most of its contents, and what a
/// scan cannot find out is carried over into the new database.
///
/// Every call blocks for as long as the disk does. Safe to use from any thread.
public final class LibraryIndex: Sendable {
  /// The database file.
  public let path: FilePath
  /// A warning for the user if opening the index set a damaged file aside; otherwise `nil`.
  public let warning: String?

  private static let fileName = "index.sqlite"

  private let opened: Mutex<DatabaseQueue?>
  /// The connection for queries on a few rows, so that they do not wait behind queries that scan whole tables.
  private let quick = Mutex<DatabaseQueue?>(nil)
  private let readers: IndexConnections
  private let writers: IndexConnections

  /// Opens the index in `directory`, creating the directory and the index if they are missing.
  ///
  /// - Throws: `LibraryIndexError`, but never `damaged`: a damaged index is replaced by a new one.
  public init(directory: FilePath) throws(LibraryIndexError) {
    path = directory.appending(Self.fileName)
    do throws(Errno) {
      try AtomicFile.makeDirectories(directory)
    } catch {
      throw .unusable(path, "\(error)")
    }
    (readers, writers) = Self.connections(path)
    if let present = try? IndexSchema.connectToPresent(path) {
      opened = Mutex(present)
      warning = nil
      return
    }
    // One process at a time creates the database or sets a damaged one aside. If the lock is unavailable, go ahead:
    // this mostly works without it.
    let lock = try? Self.lock(path)
    defer { withExtendedLifetime(lock) {} }
    do throws(LibraryIndexError) {
      opened = Mutex(try IndexSchema.open(path))
      warning = nil
    } catch {
      guard error.isSetAside else { throw error }
      let database = try IndexSchema.open(path)
      if case .damaged(_, let old) = error { try? IndexSalvage.carry(from: old, into: database) }
      opened = Mutex(database)
      warning = error.description
    }
  }

  /// Runs a read-only query. If the disk or the open connection fails, retries once on a new connection.
  private func ask<Value>(_ body: () throws -> Value) throws(LibraryIndexError) -> Value {
    try perform {
      do {
        return try body()
      } catch let error as DatabaseError
        where [.SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
      {
        opened.withLock { $0 = nil }
        quick.withLock { $0 = nil }
        return try body()
      }
    }
  }

  /// Runs an operation that may find the database damaged. If the damaged file was set aside, creates a new index.
  private func perform<Value>(_ body: () throws -> Value) throws(LibraryIndexError) -> Value {
    do throws(LibraryIndexError) {
      return try IndexSchema.perform(path, body)
    } catch {
      // The open connection may refer to another file by now, or may have cached pages that were read wrongly.
      opened.withLock { $0 = nil }
      quick.withLock { $0 = nil }
      if case .damaged(_, let old) = error { renew(from: old) }
      throw error
    }
  }

  /// Creates a new index in place of the damaged one, which has been renamed to `old`.
  private func renew(from old: FilePath) {
    let lock = try? Self.lock(path)
    defer { withExtendedLifetime(lock) {} }
    guard let database = try? IndexSchema.open(path) else { return }
    try? IndexSalvage.carry(from: old, into: database)
    try? database.close()
  }

  /// Takes the lock for creating the index at `path`. The lock is held until the returned value is released.
  private static func lock(_ path: FilePath) throws(Errno) -> FileLock {
    try FileLock(
      path.removingLastComponent().appending("index.lock"),
      until: MonotonicInstant.now.advanced(byMilliseconds: DatabaseFile.patience * 1_000))
  }

  /// Opens an existing index in `directory` without changing it. Returns `nil` if there is none, if its schema is not
  /// the current one, or if it cannot be read.
  public init?(presentIn directory: FilePath) {
    path = directory.appending(Self.fileName)
    guard let present = try? IndexSchema.connectToPresent(path) else { return nil }
    (readers, writers) = Self.connections(path)
    opened = Mutex(present)
    warning = nil
  }

  /// Returns two connection pools for the index at `path`: one for reading only, one for writing many rows.
  private static func connections(_ path: FilePath) -> (readers: IndexConnections, writers: IndexConnections) {
    let writers = IndexConnections(path) { path in
      let queue = try IndexSchema.connect(path)
      try queue.writeWithoutTransaction {
        try $0.execute(
          sql: """
            PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000; PRAGMA secure_delete = OFF;
            PRAGMA temp_store = MEMORY
            """)
      }
      return queue
    }
    return (IndexConnections(path) { try IndexSchema.connectToPresent($0) }, writers)
  }

  /// Whether `directory` contains an index file.
  public static func isPresent(in directory: FilePath) -> Bool {
    (try? FileStatus(of: directory.appending(fileName)))?.kind == .regular
  }

  /// Runs a read-only query. It is not blocked by a writer, in this or in another process.
  package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryIndexError) -> Value {
    try ask { try queue(opened).read(body) }
  }

  /// Lends a connection to a reader that runs on its own thread and opens its own transactions.
  package func lend<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.lend(body) }

  /// Returns the stored connection, or opens and stores a new one.
  private func queue(_ kept: borrowing Mutex<DatabaseQueue?>) throws -> DatabaseQueue {
    try kept.withLock { kept in
      if let kept { return kept }
      let database = try IndexSchema.connect(path)
      kept = database
      return database
    }
  }

  /// Queries the libraries in `roots`; returns `nil` if none of them is in the index.
  package func reading<Value>(
    _ roots: LibraryRoots, _ body: (IndexReader) throws -> Value
  ) throws(LibraryIndexError) -> Value? {
    try ask {
      let queue = try queue(opened)
      return try queue.read { try Self.libraries(in: roots, $0) }
        .map { try body(IndexReader(database: queue, libraries: $0)) }
    }
  }

  /// Queries the libraries in `roots` within one read transaction; returns `nil` if none of them is in the index.
  ///
  /// - Parameter isQuick: Whether the query reads only a few rows. Such a query uses its own connection, so it does not
  ///   wait behind queries that read many.
  package func readingSnapshot<Value>(
    _ roots: LibraryRoots, isQuick: Bool = false, _ body: (Database, LibraryScope) throws -> Value
  ) throws(LibraryIndexError) -> Value? {
    try ask {
      try (isQuick ? queue(quick) : queue(opened)).inDatabase { database in
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

  /// Writes many rows through a connection used only for writing, so that readers in this process need not wait.
  ///
  /// `body` opens its own transactions.
  ///
  /// - Parameter movesLog: Whether to checkpoint a large write-ahead log afterwards. Pass `false` if the caller does so
  ///   itself.
  package func write<Value>(
    movesLog: Bool = true, _ body: (Database) throws -> Value
  ) throws(LibraryIndexError) -> Value {
    try perform {
      try writers.lend { database in
        let value = try body(database)
        if movesLog, IndexSchema.needsCheckpoint(path) {
          try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return value
      }
    }
  }
}

extension LibraryIndex: LoudnessRepository {
  /// Returns the stored loudness measurements of these files, whether or not the files have changed since.
  public func loudness(of paths: [FilePath]) throws(LibraryError) -> [FilePath: StoredLoudness] {
    do throws(LibraryIndexError) {
      return try ask {
        try queue(opened).read { database in
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
    } catch {
      throw LibraryError(error)
    }
  }

  /// Stores these measurements, replacing earlier ones of the same files: all of them, or none if it fails.
  public func store(_ measurements: [StoredLoudness]) throws(LibraryError) {
    do throws(LibraryIndexError) {
      try perform {
        try queue(opened).write { database in
          let statement = try database.cachedStatement(sql: LoudnessTable.insertion)
          for value in measurements { try statement.execute(arguments: LoudnessTable.arguments(value)) }
        }
      }
    } catch {
      throw LibraryError(error)
    }
  }

  /// Returns the ReplayGain of each of `tracks`, from a stored measurement or else from its tags.
  ///
  /// A measurement is used, in preference to the tags, only if the file has the same size and modification time as when
  /// it was measured; otherwise only the tags count. If a track was measured without its album, the album's gain and
  /// peak come from the tags. Checks every file on disk. An index that cannot be read counts as empty.
  public func replayGain(for tracks: [Track]) -> [ReplayGainTags] {
    let known = (try? loudness(of: tracks.map(\.path))) ?? [:]
    return tracks.map { track in
      // A measurement covers the whole file, so it says nothing about a segment of it.
      guard track.segment == nil, let stored = known[track.path],
        let status = try? FileStatus(of: track.path), stored.isOf(status)
      else { return track.replayGain }
      return stored.replayGain.completed(by: track.replayGain)
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
