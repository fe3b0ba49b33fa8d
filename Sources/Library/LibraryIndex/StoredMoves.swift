// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB
public import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// Reads the moves of files from the index in a directory. The index stays open, because a connection that is released
/// leaves a timer behind that wakes the process every second.
public final class MoveSource: Sendable {
  /// The directory of the index.
  public let directory: FilePath
  private let index = Mutex<LibraryIndex?>(nil)

  /// Creates a source for the index in `directory`, which need not exist.
  public init(directory: FilePath) { self.directory = directory }

  /// Returns the moves of files that scans with higher numbers than `scan` have found. There are none if the index does
  /// not exist or cannot be read. Blocks until the disk has been read. Can be called from any thread.
  public func moves(since scan: Int64) -> FileMoves {
    index.withLock { index in
      index = index ?? LibraryIndex(presentIn: directory)
      return (try? index?.read { try LibraryIndex.moves($0, since: scan) }) ?? FileMoves(lastScan: scan)
    }
  }
}

extension LibraryIndex {
  /// Returns the moves of files that scans with higher numbers than `scan` have found.
  package static func moves(_ database: Database, since scan: Int64) throws -> FileMoves {
    var moves = FileMoves(lastScan: scan)
    let rows = IndexStatement(
      database, "SELECT scan, former, present, is_directory FROM file_move WHERE scan > ? ORDER BY scan, id")
    rows.bind(scan)
    var batch: [FileMoves.Move] = []
    var current: Int64?
    while try rows.step() {
      if let current, current != rows.integer(0) {
        moves.append(batch, of: current)
        batch = []
      }
      current = rows.integer(0)
      let (former, present) = (FilePath(systemBytes: rows.bytes(1)), FilePath(systemBytes: rows.bytes(2)))
      batch.append(FileMoves.Move(from: former, to: present, isDirectory: rows.integer(3) != 0))
    }
    if let current { moves.append(batch, of: current) }
    return moves
  }
}
