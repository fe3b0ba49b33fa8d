import GRDB
import Platform
import SystemPackage

/// A connection for those who write many rows, which is kept for the next one: while a player runs, opening one takes
/// longer than a few rows, and letting go of one has Dispatch wake the program each second from then on, also where
/// nothing plays.
struct IndexWriter: Sendable {
  private let queue: DatabaseQueue
  private let path: FilePath
  /// The file that it was opened at.
  private let file: FileStatus.Identity?

  /// Connects to the index at `path`.
  init(_ path: FilePath) throws {
    self.path = path
    // Before it is opened: where another takes its place in between, that is noticed.
    file = Self.file(at: path)
    queue = try IndexSchema.connect(path)
    try queue.writeWithoutTransaction { database in
      for setting in [
        "cache_size = -16000", "wal_autocheckpoint = 16000", "secure_delete = OFF", "temp_store = MEMORY",
      ] {
        try database.execute(sql: "PRAGMA \(setting)")
      }
    }
  }

  /// Whether what it writes to is still the index: it may have been set aside.
  var isOfPresentFile: Bool { file != nil && file == Self.file(at: path) }

  /// Has `body` write, in transactions of its own. In the end what is in the log goes where it belongs, where that is
  /// wanted, and unless somebody else sees to that.
  func write<Value>(movesLog: Bool, _ body: (Database) throws -> Value) throws -> Value {
    try queue.writeWithoutTransaction { database in
      let value = try body(database)
      if movesLog, IndexSchema.needsCheckpoint(path) {
        try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      database.releaseMemory()
      return value
    }
  }

  private static func file(at path: FilePath) -> FileStatus.Identity? {
    (try? FileStatus(of: path))?.identity
  }
}
