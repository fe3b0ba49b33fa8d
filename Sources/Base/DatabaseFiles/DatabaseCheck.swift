public import GRDB

extension DatabaseQueue {
  /// What the header of the file says of its tables; 0 where that was never said.
  public var userVersion: Int64 {
    get throws { try unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA user_version") } ?? 0 }
  }
}

extension DatabaseError {
  /// What is wrong, in plain words.
  public var reason: String {
    switch resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_READONLY: "it cannot be written"
    default: message ?? "SQLite's error \(resultCode.rawValue)"
    }
  }
}

/// Distinguishes a damaged database from one that could not be read for a moment, or for which there is no memory.
public struct DatabaseCheck {
  /// What a look at it gave.
  private enum Finding {
    case sound
    case damaged
    /// The disk failed.
    case unreadable
  }

  /// How many times it is looked at, each time by a connection of its own.
  private static let looks = 2

  /// What makes the tables.
  private let creation: String

  /// A check of databases whose tables `creation` makes.
  public init(tables creation: String) { self.creation = creation }

  /// Whether there is memory for a database: a damaged length asks for more than there is, too.
  public var hasMemory: Bool {
    guard let database = try? DatabaseQueue() else { return false }
    defer { try? database.close() }
    return (try? database.write { try $0.execute(sql: creation) }) != nil
  }

  /// Whether the database is damaged each time that `connect` opens it. Reads all of it.
  ///
  /// - Parameter sql: what fails where that is damaged which `PRAGMA integrity_check` does not look into.
  public func isDamaged(alsoBy sql: String, _ connect: () throws -> DatabaseQueue) -> Bool {
    (0..<Self.looks).allSatisfy { _ in look(sql, connect) == .damaged }
  }

  private func look(_ sql: String, _ connect: () throws -> DatabaseQueue) -> Finding {
    do {
      let database = try connect()
      defer { try? database.close() }
      return try database.writeWithoutTransaction { database in
        let faults = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        if faults != ["ok"] { return faults.contains(where: Self.isOfDisk) ? .unreadable : .damaged }
        try database.execute(sql: sql)
        return .sound
      }
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged
      case .SQLITE_NOMEM: return hasMemory ? .damaged : .unreadable
      default: return .unreadable
      }
    } catch {
      return .unreadable
    }
  }

  /// Whether a line of the check is not about what is in the database, but about a page that could not be had: "unable
  /// to get the page. error code=266".
  private static func isOfDisk(_ fault: String) -> Bool {
    guard
      let code = fault.split(separator: "error code=").dropFirst().first.flatMap({ Int32($0.prefix { $0.isNumber }) })
    else { return false }
    return ResultCode(rawValue: code).primaryResultCode != .SQLITE_CORRUPT
  }
}
