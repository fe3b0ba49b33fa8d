// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import Platform
import SystemPackage
import Tagging

/// Carries what is known of the tracks of a library whose directory no longer exists over to one that has the same
/// files, and is scanned for the first time: the directory was renamed, or moved to another disk.
///
/// Nothing is taken from the former library, because its disk may only be unmounted, and the other directory a copy.
struct RenamedLibrary {
  private let database: Database
  private let library: Int64
  private let root: FilePath

  init(_ database: Database, library: Int64, root: FilePath) {
    self.database = database
    self.library = library
    self.root = root
  }

  /// Carries over what is known from all libraries whose directories are missing.
  func carryOver() throws {
    let rows = IndexStatement(
      database,
      """
      SELECT id, root FROM library WHERE id <> ? AND EXISTS (SELECT 1 FROM track WHERE library = library.id)
      ORDER BY is_absent, id DESC
      """)
    rows.bind(library)
    var others: [(id: Int64, root: FilePath)] = []
    while try rows.step() { others.append((rows.integer(0), FilePath(systemBytes: rows.bytes(1)))) }
    for (id, former) in others where isMissing(former) {
      try database.inTransaction(.immediate) {
        try carryOver(id, from: former)
        return .commit
      }
    }
  }

  private func isMissing(_ path: FilePath) -> Bool {
    do throws(Errno) {
      _ = try FileStatus(of: path)
      return false
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory
    }
  }

  private func carryOver(_ other: Int64, from former: FilePath) throws {
    let tracks = IndexStatement(
      database,
      """
      SELECT track.id, directory.path, name, size, segment, added
      FROM track JOIN directory ON directory.id = track.directory WHERE track.library = ?
      """)
    let carrying = IndexStatement(database, SalvagedTable.insertion)
    let stickers = IndexStatement(database, "SELECT name, value FROM sticker WHERE track = ?")
    let loudness = IndexStatement(
      database,
      """
      INSERT OR IGNORE INTO loudness
      SELECT ?1, size, mtime, loudness, range, true_peak, album_key, album_loudness, album_peak
      FROM loudness WHERE path = ?2
      """)
    var (count, found) = (0, [RelativePath]())
    tracks.bind(other)
    while try tracks.step() {
      count += 1
      let directory = RelativePath(tracks.bytes(1))
      let path = directory.appending(tracks.bytes(2))
      let present = path.absolute(in: root.systemBytes)
      guard (try? FileStatus(of: FilePath(systemBytes: present)))?.size == tracks.integer(3) else { continue }
      found.append(path)
      func carry(_ name: String, _ value: String) throws {
        carrying.bind(root.systemBytes)
        carrying.bind(directory.bytes)
        carrying.bind(tracks.bytes(2))
        carrying.bind(tracks.integer(4))
        carrying.bind(name)
        carrying.bind(value)
        try carrying.run()
      }
      try carry("", "\(tracks.integer(5))")
      stickers.bind(tracks.integer(0))
      while try stickers.step() { try carry(stickers.text(0), stickers.text(1)) }
      loudness.bind(present)
      loudness.bind(path.absolute(in: former.systemBytes))
      try loudness.run()
    }
    if found.isEmpty { return }
    // Queues and playlists follow, too.
    let memory = try TrackMemory(database, library: library, now: WallClock.now / 1_000_000_000)
    defer { try? memory.publishMoves() }
    if found.count > count / 2 {
      try memory.recordMove(from: former.systemBytes, to: root.systemBytes, isDirectory: true)
      try database.execute(sql: "UPDATE library SET is_absent = 1 WHERE id = ?", arguments: [other])
      try database.execute(
        sql: "UPDATE missing_track SET library = ? WHERE library = ?", arguments: [library, other])
    } else {
      for path in found {
        try memory.recordMove(from: path.absolute(in: former.systemBytes), to: path.absolute(in: root.systemBytes))
      }
    }
  }
}
