// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
import MusicModel
import Platform
import Playlists
import SystemPackage
import Tagging

/// The saved playlists of the library follow the files that scans find moved.
extension IndexedLibrary {
  /// The saved playlists, with entries anywhere on the disk.
  var savedPlaylists: PlaylistDirectory {
    PlaylistDirectory(library: roots.first, chosen: playlists, reach: .anywhere)
  }

  /// Notes, before a scan, that the playlists know of all moves until now, unless that is noted already.
  func beginFollowing() {
    let directory = Data(savedPlaylists.path.systemBytes)
    let isKnown = try? index.read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM followed_move WHERE playlists = ?)", arguments: [directory])
    }
    if isKnown == true { return }
    try? index.write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO followed_move SELECT ?, ifnull(max(scan), 0) FROM file_move", arguments: [directory]
      )
    }
  }

  /// Gives the entries of playlists whose files were moved their present locations. What a process that was killed has
  /// left is made up for by the next one that scans or opens the library.
  func followMoves() {
    let playlists = savedPlaylists
    let record = PlaylistMoveRecord(index: index, directory: playlists.path)
    guard let last = try? record.unfollowedScan() else { return }
    do {
      try playlists.follow(record, roots: roots)
      try record.complete(upTo: last)
    } catch {
      // The next scan tries again.
    }
  }
}

/// What the index notes of the moves that the playlists in a directory follow.
private struct PlaylistMoveRecord: FollowedMoves {
  let index: LibraryIndex
  let directory: FilePath

  private var key: Data { Data(directory.systemBytes) }

  /// Returns the last scan that has found moves which the playlists do not follow yet; `nil` if there is none.
  func unfollowedScan() throws -> Int64? {
    try index.read { database in
      try Int64.fetchOne(
        database,
        sql: """
          SELECT max(file_move.scan) FROM file_move JOIN followed_move ON playlists = ?
          WHERE file_move.scan > followed_move.scan
          """, arguments: [key])
    }
  }

  func moves(for path: FilePath, _ contents: [UInt8]) throws -> (moves: FileMoves, areCertain: Bool) {
    try index.read { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT followed_move.scan, written.scan, written.former = segue_checksum(?1),
            written.present = segue_checksum(?1)
          FROM followed_move LEFT JOIN followed_playlist AS written ON path = ?2 WHERE followed_move.playlists = ?3
          """, arguments: [Data(contents), Data(path.systemBytes), key])
      guard let followed = row?.long(0) else { return (FileMoves(), true) }
      guard let written = row?.long(1) else { return (try LibraryIndex.moves(database, since: followed), true) }
      if row?.long(3) == 1 { return (try LibraryIndex.moves(database, since: written), true) }
      // If somebody has edited it since, it is not known whether it had been written before.
      return (try LibraryIndex.moves(database, since: followed), row?.long(2) == 1)
    }
  }

  func willWrite(_ contents: [UInt8], to path: FilePath, replacing former: [UInt8], lastScan: Int64) throws {
    try index.write(checkpoints: false) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO followed_playlist VALUES (?, ?, ?, segue_checksum(?), segue_checksum(?))",
        arguments: [Data(path.systemBytes), key, lastScan, Data(former), Data(contents)])
    }
  }

  /// Notes that all playlists follow the moves of the scans up to `scan`.
  func complete(upTo scan: Int64) throws {
    try index.write { database in
      try database.inTransaction(.immediate) {
        try database.execute(
          sql: "UPDATE followed_move SET scan = max(scan, ?) WHERE playlists = ?", arguments: [scan, key])
        try database.execute(
          sql: "DELETE FROM followed_playlist WHERE playlists = ? AND scan <= ?", arguments: [key, scan])
        return .commit
      }
    }
  }
}
