// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import MusicModel
import Platform
public import SystemPackage

extension LibraryIndex {
  /// Returns the moves of files that scans with higher numbers than `scan` have found, from the index in `directory`.
  /// There are none if the index does not exist or cannot be read. Blocks until the disk has been read.
  public static func moves(in directory: FilePath, since scan: Int64) -> FileMoves {
    var moves = FileMoves(lastScan: scan)
    guard let index = LibraryIndex(presentIn: directory) else { return moves }
    let found = try? index.read { database in
      let rows = IndexStatement(
        database, "SELECT scan, former, present, is_directory FROM file_move WHERE scan > ? ORDER BY scan, id")
      rows.bind(scan)
      var found: [(scan: Int64, move: FileMoves.Move)] = []
      while try rows.step() {
        let (former, present) = (FilePath(systemBytes: rows.bytes(1)), FilePath(systemBytes: rows.bytes(2)))
        found.append((rows.integer(0), FileMoves.Move(from: former, to: present, isDirectory: rows.integer(3) != 0)))
      }
      return found
    }
    var rest = (found ?? [])[...]
    while let scan = rest.first?.scan {
      let batch = rest.prefix { $0.scan == scan }
      moves.append(batch.map(\.move), of: scan)
      rest = rest.dropFirst(batch.count)
    }
    return moves
  }
}
