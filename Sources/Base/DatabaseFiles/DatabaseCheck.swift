// SPDX-License-Identifier: GPL-3.0-or-later

public import GRDB

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
