import GRDB
import Platform
import Synchronization
import SystemPackage

/// Connections to the index for those who use one alone, each kept for the next one: while a player runs, opening one
/// takes longer than a few rows, and letting go of one has Dispatch wake the program each second from then on, also
/// where nothing plays.
final class IndexConnections: Sendable {
  private struct Connection: Sendable {
    let queue: DatabaseQueue
    /// The file that it was opened at.
    let file: FileStatus.Identity?
  }

  private let path: FilePath
  private let connect: @Sendable (FilePath) throws -> DatabaseQueue
  /// Those that nobody uses now.
  private let idle = Mutex<[Connection]>([])

  /// Connections to the index at `path`, which `connect` makes.
  init(_ path: FilePath, connect: @escaping @Sendable (FilePath) throws -> DatabaseQueue) {
    self.path = path
    self.connect = connect
  }

  /// Lends a connection to `body`, which makes its own transactions.
  func lend<Value>(_ body: (Database) throws -> Value) throws -> Value {
    // Before it is opened: where another takes its place in between, that is noticed.
    let file = (try? FileStatus(of: path))?.identity
    let kept = idle.withLock { $0.popLast() }
    // The index may have been set aside.
    let connection =
      if let kept, kept.file == file, file != nil { kept } else { Connection(queue: try connect(path), file: file) }
    let value = try connection.queue.inDatabase { database in
      defer {
        if database.isInsideTransaction { try? database.rollback() }
        database.releaseMemory()
      }
      return try body(database)
    }
    idle.withLock { $0.append(connection) }
    return value
  }
}
