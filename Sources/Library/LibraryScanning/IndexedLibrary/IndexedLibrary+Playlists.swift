// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
import MusicModel
import Platform
import Playlists
import Tagging

/// The saved playlists of the library follow the files that scans find moved.
extension IndexedLibrary {
  private var savedPlaylists: PlaylistDirectory {
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
  /// left is made up for by the next scan.
  func followMoves() {
    let playlists = savedPlaylists
    let directory = Data(playlists.path.systemBytes)
    let moves = try? index.read { database -> FileMoves? in
      let scan = try Int64.fetchOne(
        database, sql: "SELECT scan FROM followed_move WHERE playlists = ?", arguments: [directory])
      return try scan.map { try LibraryIndex.moves(database, since: $0) }
    }
    guard let moves = moves ?? nil, !moves.isEmpty else { return }
    playlists.follow(moves, roots: roots)
    try? index.write { database in
      try database.execute(
        sql: "UPDATE followed_move SET scan = ? WHERE playlists = ?", arguments: [moves.lastScan, directory])
    }
  }
}
