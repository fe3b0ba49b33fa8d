// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage

/// Opens the database, and creates and migrates its tables.
enum StateSchema {
  /// The `user_version` of a database with the current tables: "Seq", and the number of migrations.
  static let version: Int64 = 0x5365_7106
  /// The versions in which addresses of streams have their passwords. Otherwise they are identical to the current
  /// version, except that the first two have no additional tags, or fewer kinds of them.
  static let versionsWithSecrets: Set<Int64> = [0x5365_7101, 0x5365_7102, 0x5365_7103]
  /// The versions that do not know which moves of files the stored queue follows.
  static let versionsWithoutMoves = versionsWithSecrets.union([0x5365_7104])
  /// The versions that do not know what music keeps playing.
  static let earlierVersions = versionsWithoutMoves.union([0x5365_7105])
  private static let family: Int64 = 0x5365_7100

  /// An error that does not come from SQLite.
  enum FileError: Error {
    /// The stored data is invalid, for this reason.
    case damaged(String)
    case empty
    /// The file was made by another program.
    case foreign
    /// The file was made by a later version of Segue.
    case tooNew
  }

  /// Opens the database at `path` for its owner, creating or migrating it if necessary.
  static func open(_ path: FilePath) throws -> DatabaseQueue {
    let file = DatabaseFile(path)
    if file.isEmpty { throw FileError.empty }
    let isNew = file.createPrivate()
    do {
      let database = try connect(path, .writing)
      let found = try database.userVersion
      if found != version { try migrate(database, from: found) }
      return database
    } catch {
      if isNew, file.isEmpty { try? AtomicFile.remove(path) }
      throw error
    }
  }

  /// Opens the database at `path` for its owner if it exists in the current version; otherwise returns `nil`.
  static func openPresent(_ path: FilePath) -> DatabaseQueue? {
    guard (try? FileStatus(of: path)) != nil, let database = try? connect(path, .writing),
      (try? database.userVersion) == version
    else { return nil }
    return database
  }

  /// Opens the database at `path` for a process that does not own it; returns `nil` if it does not contain anything
  /// yet.
  static func openReading(_ path: FilePath) throws -> DatabaseQueue? {
    guard (try? FileStatus(of: path)) != nil else { return nil }
    if DatabaseFile(path).isEmpty { throw FileError.empty }
    let database = try connect(path, .reading)
    let found = try database.userVersion
    if found == 0 { return nil }
    if earlierVersions.contains(found) { return database }
    guard found == version else { throw found & ~0xFF == family ? FileError.tooNew : .foreign }
    try checkTables(of: database)
    return database
  }

  /// Throws if the columns of the tables differ from those that were created.
  static func checkTables(of database: DatabaseQueue) throws {
    guard try database.unsafeRead(tables.get().match) else {
      throw FileError.damaged("the tables do not match the schema")
    }
  }

  private static let tables = Result {
    try ExpectedTables { try $0.write { try $0.execute(sql: StateTables.creation) } }
  }

  private static func migrate(_ database: DatabaseQueue, from found: Int64) throws {
    if found > version, found & ~0xFF == family { throw FileError.tooNew }
    if earlierVersions.contains(found) {
      try database.write { database in
        if versionsWithoutMoves.contains(found) { try database.execute(sql: StateTables.movesMigration) }
        try database.execute(sql: StateTables.keepPlayingMigration)
      }
      if versionsWithSecrets.contains(found) { return try removeSecrets(database) }
      return try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    }
    try database.writeWithoutTransaction { database in
      guard found == 0, try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
        throw FileError.foreign
      }
      // Free space is returned in small portions. This must be set before the first table is created.
      try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
      try database.inTransaction(.immediate) {
        try database.execute(sql: StateTables.creation)
        try database.execute(sql: "PRAGMA user_version = \(version)")
        return .commit
      }
    }
  }

  /// Moves the passwords of streams from a database of an earlier version to their own file, and removes all traces of
  /// them.
  private static func removeSecrets(_ database: DatabaseQueue) throws {
    try checkTables(of: database)
    try database.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.inTransaction(.immediate) {
        let pages = try Row.fetchCursor(database, sql: "SELECT number, bytes FROM page")
        var changes: [(number: DatabaseValue, bytes: [UInt8])] = []
        while let row = try pages.next() {
          guard case .blob(let data) = (row[1] as DatabaseValue).storage else { continue }
          if let page = QueuePage(bytes: Array(data)).withoutSecrets { changes.append((row[0], page.bytes)) }
        }
        try StreamSecrets.shared.flush()
        for change in changes {
          try database.execute(
            sql: "UPDATE page SET sum = ?, bytes = ? WHERE number = ?",
            arguments: [PageSum.sum(change.bytes), Data(change.bytes), change.number])
        }
        for (table, column) in [("state", "title"), ("step", "title"), ("step", "name")] {
          for row in try Row.fetchAll(database, sql: "SELECT rowid, \(column) FROM \(table)") {
            guard case .blob(let data) = (row[1] as DatabaseValue).storage,
              let text = String(validating: data, as: UTF8.self)
            else { continue }
            let shown = AddressSecrets.removed(from: text)
            guard shown != text else { continue }
            try database.execute(
              sql: "UPDATE \(table) SET \(column) = ? WHERE rowid = ?",
              arguments: [Data(shown.utf8), row[0] as DatabaseValue])
          }
        }
        return .commit
      }
      try database.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = OFF")
      try database.execute(sql: "PRAGMA user_version = \(version)")
    }
  }

  private static func connect(_ path: FilePath, _ access: DatabaseFile.Access) throws -> DatabaseQueue {
    try DatabaseFile(path).connect(access, label: "state") {
      try $0.execute(sql: "PRAGMA journal_size_limit = 4194304")
    }
  }
}

extension QueuePage {
  /// The page without the passwords in the addresses of its tracks, which are stored elsewhere; `nil` if it has none.
  var withoutSecrets: QueuePage? {
    guard bytes.firstRange(of: Array("http".utf8)) != nil else { return nil }
    return changingTracks { track in
      guard let address = StreamAddress(track.path) else { return track }
      var track = track
      track.path = address.path
      track.title = AddressSecrets.removed(from: track.title)
      return track
    }
  }
}

/// The SQL tables of the stored state.
///
/// - `state` has one row, with everything that is small and changes often.
/// - `arrangement` has one row once a queue has been stored: the numbers of its pages (see ``PageNumbers``).
/// - `step` is the history by `number`: edits that can be undone, oldest first, or, with `is_undone`, edits that can be
///   redone, the next one last.
/// - `page` contains pages; `sum` is their ``PageSum``. A page is never changed. Pages that nothing refers to are
///   removed now and then.
/// - IDs and seeds are the bits of unsigned numbers; times are in nanoseconds.
enum StateTables {
  static let movesMigration = "ALTER TABLE state ADD COLUMN last_scan INTEGER NOT NULL DEFAULT 0"

  static let keepPlayingMigration = "ALTER TABLE state ADD COLUMN keep_playing TEXT"

  static let creation = """
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      repeat TEXT NOT NULL,
      random TEXT NOT NULL,
      single TEXT NOT NULL,
      consume INTEGER NOT NULL,
      stop_after TEXT,
      seed INTEGER NOT NULL,
      last_id INTEGER NOT NULL,
      volume INTEGER,                     -- percent
      title BLOB NOT NULL,                -- UTF-8, which may hold a NUL
      current INTEGER,                    -- an item's id
      heard INTEGER NOT NULL,
      last_scan INTEGER NOT NULL DEFAULT 0, -- whose moves of files the queue follows
      keep_playing TEXT
    );
    INSERT INTO state VALUES (1, 'off', 'off', 'off', 0, NULL, random(), 0, NULL, x'', NULL, 0, 0, NULL);
    CREATE TABLE arrangement (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      items BLOB NOT NULL,
      playing BLOB,                       -- the playing order, where it is not by position
      tracks BLOB NOT NULL                -- by turns the number that items name, and the page's
    );
    CREATE TABLE step (
      number INTEGER PRIMARY KEY,
      is_undone INTEGER NOT NULL,
      name BLOB NOT NULL,
      title BLOB NOT NULL,
      items BLOB NOT NULL,
      playing BLOB,
      current INTEGER,
      heard INTEGER NOT NULL
    );
    CREATE TABLE page (
      number INTEGER PRIMARY KEY,
      sum INTEGER NOT NULL,
      bytes BLOB NOT NULL
    );
    """
}

/// Describes errors of the database's files to the user, and renames damaged files.
enum StateFiles {
  private static let advice = "; choose another directory with --state-dir"
  private static let fullDisk = "the disk is full; free some space"

  /// Returns whether `error` means that the file is damaged, or not a database of Segue.
  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case StateSchema.FileError.damaged, StateSchema.FileError.empty, StateSchema.FileError.foreign: return true
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PERM, .SQLITE_AUTH,
        .SQLITE_INTERRUPT, .SQLITE_PROTOCOL, .SQLITE_NOLFS:
        return false
      case .SQLITE_NOMEM: return DatabaseCheck(tables: StateTables.creation).hasMemory
      case .SQLITE_IOERR: return error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
      default: return true
      }
    default: return false
    }
  }

  /// Returns the error to report for `error`, which does not mean damage, of the database at `path`.
  static func reportedError(_ error: any Error, _ path: FilePath) -> QueueStorageError {
    switch error {
    case let error as QueueStorageError: error
    case StateSchema.FileError.tooNew:
      QueueStorageError(
        .unusable,
        "the saved queue \(path.shown) is from a later version of Segue: update Segue, or choose another directory with --state-dir"
      )
    case DatabaseError.SQLITE_FULL, Errno.noSpace, Errno.diskQuotaExceeded:
      QueueStorageError(.unwritten, "cannot save the queue in \(path.shown): \(fullDisk)")
    case let error as DatabaseError:
      QueueStorageError(.unwritten, "cannot save the queue in \(path.shown): \(reason(error))\(advice)")
    default: QueueStorageError(.unwritten, "cannot save the queue in \(path.shown): \(error)\(advice)")
    }
  }

  private static func reason(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_CANTOPEN: "it cannot be opened"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another program is using it"
    default: error.reason
    }
  }

  /// Renames the database at `path` and its companion files; returns an error that reports this.
  static func setAside(_ path: FilePath, because error: any Error) -> QueueStorageError {
    let problem =
      switch error {
      case StateSchema.FileError.foreign: "belongs to another program"
      case StateSchema.FileError.empty: "is empty"
      default: "is damaged"
      }
    let new: FilePath
    do throws(Errno) { new = try DatabaseFile(path).setAside() } catch {
      return QueueStorageError(
        .unusable, "the saved queue \(path.shown) \(problem), and cannot be renamed: \(error)\(advice)")
    }
    return QueueStorageError(
      .setAside, "the saved queue \(path.shown) \(problem) and was renamed to \(new); starting with an empty queue")
  }
}
