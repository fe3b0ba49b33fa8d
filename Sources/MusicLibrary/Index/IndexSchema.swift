import FoundationEssentials
import GRDB
import Platform
import SystemPackage

/// How the index is opened, and what its tables are.
enum IndexSchema {
  /// How long to wait for other processes, in seconds.
  static let patience: UInt64 = 5

  /// Opens the database at `path` in its present form.
  static func open(_ path: FilePath) throws(LibraryIndexError) -> DatabaseQueue {
    guard let name = String(validating: path) else { throw .unusable(path, "its path is no text") }
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(Double(patience))
    configuration.label = "index"
    return try perform(path) { [configuration] in
      let database = try DatabaseQueue(path: name, configuration: configuration)
      if try database.read(migrator.hasBeenSuperseded) { throw LibraryIndexError.tooNew(path) }
      try migrator.migrate(database)
      return database
    }
  }

  /// Does what may meet a damaged database, and sets that aside.
  static func perform<Value>(
    _ path: FilePath, _ body: () throws -> Value
  ) throws(LibraryIndexError) -> Value {
    do {
      return try body()
    } catch let error as LibraryIndexError {
      throw error
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw try setAside(path)
      default: throw .unusable(path, error.message ?? "\(error.resultCode)")
      }
    } catch {
      throw .unusable(path, "\(error)")
    }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("loudness") { try $0.execute(sql: LoudnessTable.creation) }
    migrator.registerMigration("library") { try $0.execute(sql: LibraryTables.creation) }
    return migrator
  }

  /// Gives the database and what belongs to it other names.
  private static func setAside(_ path: FilePath) throws(LibraryIndexError) -> LibraryIndexError {
    var number = 1
    var new = path
    repeat {
      new = path.removingLastComponent().appending("index-damaged-\(number).sqlite")
      number += 1
    } while (try? FileStatus(of: new, followingLinks: false)) != nil && number < 1_000
    do throws(Errno) {
      try AtomicFile.move(path, to: new)
    } catch {
      throw .unusable(path, "it is damaged, and cannot be set aside: \(error)")
    }
    for suffix in ["-wal", "-shm"] {
      try? AtomicFile.move(path.appendingToName(suffix), to: new.appendingToName(suffix))
    }
    return .damaged(path, setAsideAs: new)
  }
}

extension FilePath {
  fileprivate func appendingToName(_ suffix: String) -> FilePath {
    removingLastComponent().appending((lastComponent?.string ?? "") + suffix)
  }
}
