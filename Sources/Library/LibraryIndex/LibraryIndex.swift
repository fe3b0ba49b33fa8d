import DatabaseFiles
import FoundationEssentials
package import GRDB
public import MusicModel
import Platform
import Synchronization
public import SystemPackage
package import Tagging

/// What Segue knows of the music beyond what the files say themselves: a SQLite database.
///
/// Any number of processes may use it at a time: one that writes has the others wait, for 5 seconds at most. A damaged
/// file is set aside, and never stops the program: most of what it holds can be found out again, and what cannot is
/// carried over into the new one. All calls block while the disk does; any thread.
public final class LibraryIndex: Sendable {
  /// The file.
  public let path: FilePath
  /// What the user should know of opening it: that a damaged one was set aside.
  public let warning: String?

  private static let fileName = "index.sqlite"

  private let opened: Mutex<DatabaseQueue?>
  /// Answers what is asked of a few rows, which does not wait behind what looks at all of them.
  private let quick = Mutex<DatabaseQueue?>(nil)
  private let readers: IndexConnections
  private let writers: IndexConnections

  /// Opens the index in `directory`, and makes both where they are missing.
  ///
  /// - Throws: `LibraryIndexError`, never `damaged`.
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
    // Whoever makes the database, or sets a damaged one aside, does so alone. Without locks it mostly goes well, too.
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

  /// Asks what changes nothing: where the disk or what is opened fails, once more through another connection.
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

  /// Does what may meet a damaged database; where that was set aside, has a new one take its place.
  private func perform<Value>(_ body: () throws -> Value) throws(LibraryIndexError) -> Value {
    do throws(LibraryIndexError) {
      return try IndexSchema.perform(path, body)
    } catch {
      // What was opened may be another file now, or hold pages that were read wrongly.
      opened.withLock { $0 = nil }
      quick.withLock { $0 = nil }
      if case .damaged(_, let old) = error { renew(from: old) }
      throw error
    }
  }

  /// Makes a new index in the place of the one that is at `old` now.
  private func renew(from old: FilePath) {
    let lock = try? Self.lock(path)
    defer { withExtendedLifetime(lock) {} }
    guard let database = try? IndexSchema.open(path) else { return }
    try? IndexSalvage.carry(from: old, into: database)
    try? database.close()
  }

  /// The turn to make the index at `path`, until it is released.
  private static func lock(_ path: FilePath) throws(Errno) -> FileLock {
    try FileLock(
      path.removingLastComponent().appending("index.lock"),
      until: MonotonicInstant.now.advanced(byMilliseconds: DatabaseFile.patience * 1_000))
  }

  /// Opens the index in `directory` where it is there, in its present form, and nothing is wrong with it; `nil`
  /// anywhere else. Changes nothing in it.
  public init?(presentIn directory: FilePath) {
    path = directory.appending(Self.fileName)
    guard let present = try? IndexSchema.connectToPresent(path) else { return nil }
    (readers, writers) = Self.connections(path)
    opened = Mutex(present)
    warning = nil
  }

  /// Connections to the index at `path` for those who read alone, and for those who write many rows.
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

  /// Whether there is an index in `directory`, which then need not be made.
  public static func isPresent(in directory: FilePath) -> Bool {
    (try? FileStatus(of: directory.appending(fileName)))?.kind == .regular
  }

  /// Asks the index; a writer, of this process or another, does not hold it up.
  package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryIndexError) -> Value {
    try ask { try queue(opened).read(body) }
  }

  /// Lends a connection to one who reads on a thread of its own, in transactions of its own.
  package func lend<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.lend(body) }

  /// The connection that is kept here, or else a new one, which is kept from then on.
  private func queue(_ kept: borrowing Mutex<DatabaseQueue?>) throws -> DatabaseQueue {
    try kept.withLock { kept in
      if let kept { return kept }
      let database = try IndexSchema.connect(path)
      kept = database
      return database
    }
  }

  /// Asks of the library in `roots`; `nil` where nothing is known of it.
  package func reading<Value>(
    _ roots: LibraryRoots, _ body: (IndexReader) throws -> Value
  ) throws(LibraryIndexError) -> Value? {
    try ask {
      let queue = try queue(opened)
      return try queue.read { try Self.libraries(in: roots, $0) }
        .map { try body(IndexReader(database: queue, libraries: $0)) }
    }
  }

  /// Asks of the library in `roots` in one snapshot of it; `nil` where nothing is known of it. Where `isQuick`, which
  /// is for a few rows, it does not wait behind others that look at many.
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

  /// What is known of the libraries in `roots`.
  private static func libraries(in roots: LibraryRoots, _ database: Database) throws -> LibraryScope? {
    let statement = try database.cachedStatement(sql: LibraryScope.selection)
    return try LibraryScope(roots) { try Int64.fetchOne(statement, arguments: [Data($0)]) }
  }

  /// Writes many rows through a connection for writers alone, so that nobody in this process waits who reads. `body`
  /// makes its own transactions. In the end what is in the log goes where it belongs, unless somebody else sees to
  /// that.
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
  /// What is known of the loudness of these files, whether or not they have changed since.
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

  /// Keeps these measurements in the place of those that there are of the same files: all or, where it fails, none.
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

  /// What is known of the loudness of each of `tracks`: by measurement, or else by its tags.
  ///
  /// A measurement counts where the file is as it was then (by size and time of change), and then before the tags:
  /// these were there already. Where the file has changed since, its tags count alone. The album's gain and peak come
  /// from the tags, too, where a track was measured without its album. Looks at every file; an index that cannot be
  /// read counts as empty.
  public func replayGain(for tracks: [Track]) -> [ReplayGainTags] {
    let known = (try? loudness(of: tracks.map(\.path))) ?? [:]
    return tracks.map { track in
      // What was measured is the whole file.
      guard track.segment == nil, let stored = known[track.path],
        let status = try? FileStatus(of: track.path), stored.isOf(status)
      else { return track.replayGain }
      return stored.replayGain.completed(by: track.replayGain)
    }
  }
}

extension ReplayGainTags {
  /// This measurement, with the track's part and the album's of `tags` where it has no such part.
  fileprivate func completed(by tags: ReplayGainTags) -> ReplayGainTags {
    let hasTrack = trackGain != nil
    let hasAlbum = albumGain != nil
    return ReplayGainTags(
      trackGain: hasTrack ? trackGain : tags.trackGain, trackPeak: hasTrack ? trackPeak : tags.trackPeak,
      albumGain: hasAlbum ? albumGain : tags.albumGain, albumPeak: hasAlbum ? albumPeak : tags.albumPeak)
  }
}
