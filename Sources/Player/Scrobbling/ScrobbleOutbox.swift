// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import FoundationEssentials
import GRDB
import Platform
import Synchronization
public import SystemPackage

/// What waits to be sent, in an SQLite database in the data directory, which all players share. What ``add(_:for:at:)``
/// has stored survives `kill -9`. Safe to use from any thread; blocks while the disk is used.
public final class ScrobbleOutbox: Sendable {
  /// Something to send.
  enum Content: Sendable, Hashable, Codable {
    case listen(Listen)
    case love(Love)
  }

  /// Something that waits, and its number, by which it is ordered.
  struct Entry: Sendable, Hashable {
    let id: Int64
    let content: Content
  }

  /// What is stored of a service besides what waits.
  struct ServiceState: Sendable, Hashable, Codable {
    /// When something was sent last, in seconds since 1970.
    var lastSent: Int64?
    var sentCount = 0
    /// What went wrong last, if nothing was sent since then.
    var problem: String?
    /// The number of failures since something was sent, and when to try again, in seconds since 1970.
    var failureCount = 0
    var retryTime: Int64?
    /// The digest of the token that the service has refused.
    var refusedToken: String?
    /// What was dropped because the service refused it, or could not accept it.
    var droppedCount = 0
    var lastDropped: String?
  }

  private struct State: ~Copyable {
    var database: DatabaseQueue?
    /// What could not be stored, since the disk is full. It is stored with what is added next.
    var unstored: [(content: Content, services: [ScrobbleService], time: Int64)] = []
    /// The entries that were sent, but could not be removed.
    var sent: Set<Int64> = []
    /// The states of services that could not be stored.
    var services: [ScrobbleService: ServiceState] = [:]
  }

  private static let fileName = "scrobbles.sqlite"
  /// "Sc", "r", and the number of the schema.
  private static let version: Int64 = 0x5363_7201
  /// The maximum number of entries in memory while the disk is full.
  private static let unstoredLimit = 10_000

  public let path: FilePath
  private let state = Mutex(State())

  /// Creates the outbox in `directory`. Its file is opened, or created, when a function first needs it.
  public init(directory: FilePath) { path = directory.appending(Self.fileName) }

  /// Whether anything was ever stored.
  var isPresent: Bool { (try? FileStatus(of: path)) != nil }

  // MARK: What waits

  /// Stores something for services.
  ///
  /// - Parameter time: When it happened, in seconds since 1970. It is not sent earlier.
  /// - Throws: ``ScrobbleProblem`` if it cannot be stored now; it stays in memory then.
  func add(_ content: Content, for services: [ScrobbleService], at time: Int64) throws(ScrobbleProblem) {
    guard !services.isEmpty else { return }
    try perform("store what was played") { state in
      state.unstored.append((content, services, time))
      if state.unstored.count > Self.unstoredLimit { state.unstored.removeFirst() }
      try Self.open(path, &state).write { [unstored = state.unstored] database in
        for (content, services, time) in unstored {
          let text = String(decoding: ScrobbleJSON.bytes(content), as: UTF8.self)
          for service in services {
            try database.execute(
              sql: "INSERT INTO waiting (service, time, content) VALUES (?, ?, ?)",
              arguments: [service.rawValue, time, text])
          }
        }
      }
      state.unstored = []
    }
  }

  /// Returns what is to be sent to a service next, in order: either listens, or one love.
  ///
  /// - Parameter time: The time up to which it must have happened, in seconds since 1970.
  func next(for service: ScrobbleService, limit: Int, until time: Int64) throws(ScrobbleProblem) -> [Entry] {
    guard isPresent else { return [] }
    return try perform("read what waits") { state in
      let database = try Self.open(path, &state)
      if !state.sent.isEmpty, (try? Self.remove(state.sent, database)) != nil { state.sent = [] }
      let rows = try database.read { [count = state.sent.count] database in
        try Row.fetchAll(
          database, sql: "SELECT id, content FROM waiting WHERE service = ? AND time <= ? ORDER BY id LIMIT ?",
          arguments: [service.rawValue, time, limit + count])
      }
      var entries: [Entry] = []
      for row in rows {
        let (id, text): (Int64, String) = (row[0], row[1])
        if state.sent.contains(id) { continue }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8)) else {
          state.sent.insert(id)
          continue
        }
        if case .love = content {
          if entries.isEmpty { entries.append(Entry(id: id, content: content)) }
          break
        }
        if entries.count == limit { break }
        entries.append(Entry(id: id, content: content))
      }
      return entries
    }
  }

  /// Removes entries. If the disk is full, at least this process does not return them again.
  func remove(_ ids: [Int64]) {
    try? perform("remove what was sent") { state in
      state.sent.formUnion(ids)
      try Self.remove(state.sent, Self.open(path, &state))
      state.sent = []
    }
  }

  private static func remove(_ ids: Set<Int64>, _ database: DatabaseQueue) throws {
    try database.write { database in
      for id in ids { try database.execute(sql: "DELETE FROM waiting WHERE id = ?", arguments: [id]) }
    }
  }

  /// Returns the number of entries for a service, and how many of them happened after `time`.
  func count(for service: ScrobbleService, after time: Int64) throws(ScrobbleProblem) -> (all: Int, later: Int) {
    guard isPresent else { return (0, 0) }
    return try perform("read what waits") { state in
      let row = try Self.open(path, &state).read { database in
        try Row.fetchOne(
          database, sql: "SELECT count(*), count(iif(time > ?, 1, NULL)) FROM waiting WHERE service = ?",
          arguments: [time, service.rawValue])
      }
      return row.map { ($0[0], $0[1]) } ?? (0, 0)
    }
  }

  /// Removes everything that waits for a service, and what is stored of it.
  func forget(_ service: ScrobbleService) throws(ScrobbleProblem) {
    guard isPresent else { return }
    try perform("remove what waits") { state in
      try Self.open(path, &state).write { database in
        for table in ["waiting", "state"] {
          try database.execute(sql: "DELETE FROM \(table) WHERE service = ?", arguments: [service.rawValue])
        }
      }
    }
  }

  // MARK: Services

  /// Returns what is stored of a service.
  func serviceState(_ service: ScrobbleService) throws(ScrobbleProblem) -> ServiceState {
    guard isPresent else { return ServiceState() }
    return try perform("read what waits") { state in
      if let unstored = state.services[service] { return unstored }
      let text = try Self.open(path, &state).read { database in
        try String.fetchOne(
          database, sql: "SELECT content FROM state WHERE service = ?", arguments: [service.rawValue])
      }
      return text.flatMap { try? JSONDecoder().decode(ServiceState.self, from: Data($0.utf8)) } ?? ServiceState()
    }
  }

  /// Stores the state of a service, as changed by `change`; returns it, even if it cannot be stored.
  @discardableResult
  func update(_ service: ScrobbleService, _ change: (inout ServiceState) -> Void) -> ServiceState {
    var new = (try? serviceState(service)) ?? ServiceState()
    let old = new
    change(&new)
    guard new != old else { return new }
    let text = String(decoding: ScrobbleJSON.bytes(new), as: UTF8.self)
    try? perform("store what was sent") { [new] state in
      state.services[service] = new
      try Self.open(path, &state).write { database in
        try database.execute(
          sql: "INSERT OR REPLACE INTO state VALUES (?, ?)", arguments: [service.rawValue, text])
      }
      state.services[service] = nil
    }
    return new
  }

  // MARK: The file

  private func perform<Result: Sendable>(
    _ purpose: String, _ body: (inout State) throws -> Result
  ) throws(ScrobbleProblem) -> Result {
    try state.withLock { state throws(ScrobbleProblem) in
      do {
        return try body(&state)
      } catch let problem as ScrobbleProblem {
        throw problem
      } catch let error as DatabaseError {
        throw ScrobbleProblem("cannot \(purpose) in \(path.shown): \(error.reason)")
      } catch {
        throw ScrobbleProblem("cannot \(purpose) in \(path.shown): \(error)")
      }
    }
  }

  /// Opens the database unless it is open; it stays open. A damaged one is renamed, and replaced by an empty one.
  private static func open(_ path: FilePath, _ state: inout State) throws -> DatabaseQueue {
    if let database = state.database { return database }
    let database: DatabaseQueue
    do { database = try opened(path) } catch let error as DatabaseError {
      guard [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else { throw error }
      _ = try DatabaseFile(path).setAside()
      database = try opened(path)
    }
    state.database = database
    return database
  }

  private static func opened(_ path: FilePath) throws -> DatabaseQueue {
    try AtomicFile.makeDirectories(path.removingLastComponent())
    let file = DatabaseFile(path)
    let isNew = file.createPrivate()
    do { return try prepared(file) } catch {
      // On a full disk, an empty file remains.
      if isNew, file.isEmpty { try? AtomicFile.remove(path) }
      throw error
    }
  }

  private static func prepared(_ file: DatabaseFile) throws -> DatabaseQueue {
    let database = try file.connect(.writing, label: "scrobbles") {
      try $0.execute(sql: "PRAGMA journal_size_limit = 1048576")
    }
    let found = try database.userVersion
    if found == version { return database }
    guard found == 0 else {
      throw ScrobbleProblem("\(file.path.shown) is from a later version of Segue: update Segue, or move the file away")
    }
    try database.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.inTransaction(.immediate) {
        // Another process may have been faster.
        if try Int64.fetchOne(database, sql: "PRAGMA user_version") == 0 {
          try database.execute(sql: creation)
          try database.execute(sql: "PRAGMA user_version = \(version)")
        }
        return .commit
      }
    }
    return database
  }

  private static let creation = """
    CREATE TABLE waiting (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      service TEXT NOT NULL,
      time INTEGER NOT NULL,              -- when it happened, in seconds since 1970
      content TEXT NOT NULL               -- JSON
    );
    CREATE INDEX waiting_service ON waiting (service, id);
    CREATE TABLE state (
      service TEXT PRIMARY KEY,
      content TEXT NOT NULL               -- JSON
    );
    """
}
