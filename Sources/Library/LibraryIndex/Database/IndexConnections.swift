// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import Platform
import Synchronization
import SystemPackage

/// A pool of connections to the index. Each connection is used by one caller at a time, and then reused.
///
/// While a player runs, opening a connection takes longer than reading a few rows. Closing one makes Dispatch wake the
/// program every second from then on, even when nothing plays.
final class IndexConnections: Sendable {
  private struct Connection: Sendable {
    let queue: DatabaseQueue
    /// The identity of the database file when the connection was opened.
    let fileIdentity: FileStatus.Identity?
  }

  private let path: FilePath
  private let connect: @Sendable (FilePath) throws -> DatabaseQueue
  /// The connections that are not in use.
  private let idle = Mutex<[Connection]>([])

  /// Creates a pool of connections to the index at `path`, opened by `connect`.
  init(_ path: FilePath, connect: @escaping @Sendable (FilePath) throws -> DatabaseQueue) {
    self.path = path
    self.connect = connect
  }

  /// Calls `body`, which opens its own transactions, with a connection from the pool.
  func lend<Value>(_ body: (Database) throws -> Value) throws -> Value {
    // Read the identity before connecting, to notice if the file is replaced meanwhile.
    let identity = (try? FileStatus(of: path))?.identity
    let reused = idle.withLock { $0.popLast() }
    // The index may have been set aside since the connection was opened.
    let connection =
      if let reused, reused.fileIdentity == identity, identity != nil {
        reused
      } else {
        Connection(queue: try connect(path), fileIdentity: identity)
      }
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
