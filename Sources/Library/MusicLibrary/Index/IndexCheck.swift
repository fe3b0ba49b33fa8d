import GRDB
import SystemPackage

/// Distinguishes a damaged index from one that could not be read for a moment.
enum IndexCheck {
  /// What a look at it gave.
  private enum Finding {
    case sound
    case damaged
    /// The disk failed.
    case unreadable
  }

  /// How many times it is looked at, each time by a connection of its own.
  private static let looks = 2

  /// Whether the database at `path` is damaged each time that it is opened. Reads all of it.
  static func isDamaged(_ path: FilePath) -> Bool {
    (0..<looks).allSatisfy { _ in look(path) == .damaged }
  }

  private static func look(_ path: FilePath) -> Finding {
    do {
      let database = try IndexSchema.connect(path)
      defer { try? database.close() }
      return try database.writeWithoutTransaction { database in
        let faults = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        if faults != ["ok"] { return faults.contains(where: isOfDisk) ? .unreadable : .damaged }
        // That check does not look into the index of words.
        try database.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')")
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

  /// Whether there is memory for a database.
  private static var hasMemory: Bool {
    guard let database = try? DatabaseQueue() else { return false }
    defer { try? database.close() }
    return (try? database.write { try $0.execute(sql: LibraryTables.creation) }) != nil
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
