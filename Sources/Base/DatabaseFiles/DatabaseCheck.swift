// SPDX-License-Identifier: GPL-3.0-or-later

public import GRDB
import Platform

extension DatabaseQueue {
  /// The schema version in the header of the file; 0 if it was never set.
  public var userVersion: Int64 {
    get throws { try unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA user_version") } ?? 0 }
  }
}

extension DatabaseError {
  /// A description of the error for the user, such as "the disk is full".
  public var reason: String {
    switch resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_READONLY: "it cannot be written"
    default: message ?? "SQLite error \(resultCode.rawValue)"
    }
  }
}

/// Distinguishes a damaged database from one that is temporarily unreadable, or that cannot be read because memory runs
/// out.
public struct DatabaseCheck {
  private enum CheckResult {
    case sound
    case damaged
    /// The disk failed.
    case unreadable
  }

  /// The number of times that a database is checked, each time over a new connection.
  private static let attempts = 2

  /// The SQL that creates the tables of the database; also used to test whether memory suffices.
  private let schema: String

  /// Creates a check for databases whose tables are created by the SQL in `schema`.
  public init(tables schema: String) { self.schema = schema }

  /// Whether there is enough memory for a small database. If so, an out-of-memory error on another database was caused
  /// by a damaged length in it.
  public var hasMemory: Bool {
    guard let database = try? DatabaseQueue() else { return false }
    defer { try? database.close() }
    return (try? database.write { try $0.execute(sql: schema) }) != nil
  }

  /// Whether the database is found to be damaged every time it is checked, each time over a new connection that
  /// `connect` opens. Reads the whole database.
  ///
  /// - Parameter isSound: Tests parts that `PRAGMA integrity_check` does not examine: returns `false`, or throws an
  ///   error of SQLite, if they are damaged.
  public func isDamaged(
    _ connect: () throws -> DatabaseQueue, testing isSound: (Database) throws -> Bool
  ) -> Bool {
    (0..<Self.attempts).allSatisfy { _ in check(connect, isSound) == .damaged }
  }

  private func check(_ connect: () throws -> DatabaseQueue, _ isSound: (Database) throws -> Bool) -> CheckResult {
    do {
      let database = try connect()
      defer { try? database.close() }
      return try database.writeWithoutTransaction { database in
        let result = Result { () throws -> CheckResult in
          let messages = try String.fetchAll(database, sql: "PRAGMA integrity_check")
          if messages != ["ok"] { return messages.contains(where: Self.isReadError) ? .unreadable : .damaged }
          return try isSound(database) ? .sound : .damaged
        }
        return database.hadSystemError ? .unreadable : try result.get()
      }
    } catch let error as DatabaseError {
      switch error.resultCode {
      // Statements that are correct fail with `SQLITE_ERROR` if a name in the schema is damaged.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: return .damaged
      case .SQLITE_NOMEM: return hasMemory ? .damaged : .unreadable
      default: return .unreadable
      }
    } catch {
      return .unreadable
    }
  }

  /// Whether a line of the output of `PRAGMA integrity_check` reports a page that could not be read, rather than
  /// damaged contents: "unable to get the page. error code=266".
  private static func isReadError(_ message: String) -> Bool {
    guard
      let code = message.split(separator: "error code=").dropFirst().first.flatMap({ Int32($0.prefix { $0.isNumber }) })
    else { return false }
    return ResultCode(rawValue: code).primaryResultCode != .SQLITE_CORRUPT
  }
}

/// The state of a database file, for a report about problems.
public struct DatabaseReport: Sendable, Hashable {
  /// The size of the file in bytes, without its companion files.
  public let byteCount: Int64
  /// The version of its schema; `nil` if it cannot be read.
  public let version: Int64?
  /// What is wrong with the file, in one line; `nil` if nothing is.
  public let problem: String?

  /// The version of SQLite, such as "3.40.1"; `nil` if it does not work.
  public static var libraryVersion: String? {
    try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }
}

extension DatabaseFile {
  /// Checks the whole database, and changes nothing. Returns `nil` if there is no file.
  ///
  /// - Parameters:
  ///   - currentVersion: The version of the schema that this program writes.
  ///   - prepare: Called with each new connection before it is used.
  ///   - check: Returns what is wrong with the contents of a well-formed database of this version; `nil` if nothing is.
  public func report(
    currentVersion: Int64, prepare: @escaping @Sendable (Database) throws -> Void = { _ in },
    check: (Database) throws -> String? = { _ in nil }
  ) -> DatabaseReport? {
    guard let status = try? FileStatus(of: path) else { return nil }
    guard status.kind == .regular else {
      return DatabaseReport(byteCount: 0, version: nil, problem: "it is not a file")
    }
    do {
      let database = try connect(.reading, label: "report", prepare: prepare)
      defer { try? database.close() }
      let version = try database.userVersion
      let messages = try database.unsafeRead { try String.fetchAll($0, sql: "PRAGMA integrity_check(1)") }
      let damage = messages == ["ok"] ? nil : messages.first.map { "it is damaged: \($0)" }
      let isTooNew = version > currentVersion && version & ~0xFF == currentVersion & ~0xFF
      let isForeign = version != 0 && version & ~0xFF != currentVersion & ~0xFF
      let difference =
        isTooNew
        ? "a later version of Segue wrote it; update Segue, or move the file away"
        : isForeign ? "another program wrote it" : nil
      let content = damage == nil && version == currentVersion ? try database.read(check) : nil
      return DatabaseReport(byteCount: status.size, version: version, problem: damage ?? difference ?? content)
    } catch {
      let reason = (error as? DatabaseError)?.reason ?? "\(error)"
      return DatabaseReport(byteCount: status.size, version: nil, problem: "it cannot be read: \(reason)")
    }
  }
}
