// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
import Platform
import SystemPackage
import Tagging

/// Carries what is known of the tracks of a library whose directory no longer exists over to one that has the same
/// files: the directory was renamed, or moved to another disk.
///
/// Nothing is taken from the former library, because its disk may only be unmounted, and the other directory a copy. If
/// the directory gets its former name back, the library that was carried over to comes back with it.
struct RenamedLibrary {
  /// The tracks of a library whose files are in another directory, and the others.
  private struct Found {
    var tracks: [Int64] = []
    var others: [Int64] = []

    /// Whether the other directory is the library's, and not only contains some of its files.
    var isWhole: Bool { tracks.count > others.count }
  }

  private let database: Database
  private let library: Int64
  private let root: FilePath

  /// Creates the carrying over to the library in the directory `root`, which is about to be scanned.
  init(_ database: Database, library: Int64, root: FilePath) {
    self.database = database
    self.library = library
    self.root = root
  }

  /// Carries over what is known from all libraries whose directories are missing to this one, which is scanned for the
  /// first time.
  func carryOver() throws {
    let rows = IndexStatement(
      database,
      """
      SELECT id, root, ifnull(present, 0) FROM library LEFT JOIN renamed_library ON former = id
      WHERE id <> ? AND EXISTS (SELECT 1 FROM track WHERE library = library.id)
      ORDER BY present IS NOT NULL, is_absent, id DESC
      """)
    let others = try rows.all(library) { row in
      (id: row.integer(0), root: FilePath(systemBytes: row.bytes(1)), continuation: row.integer(2))
    }
    var whole: Set<Int64> = []
    // What was carried over from one library to another is up to date only in the latter.
    for other in others where !whole.contains(other.continuation) && isMissing(other.root) {
      let found = try find(tracksOf: other.id)
      if found.tracks.isEmpty { continue }
      if found.isWhole { whole.insert(other.id) }
      try transaction { try carryOver(found, of: other.id, from: other.root) }
    }
  }

  /// Returns the library that continued this one, which is known, under another name, if the directory now has its
  /// former name again; `nil` if none did.
  func continuation() throws -> Int64? {
    let row = try Row.fetchOne(
      database,
      sql: "SELECT present, root FROM renamed_library JOIN library ON library.id = present WHERE former = ?",
      arguments: [library])
    guard let continuation = row?.long(0), let other = row.flatMap({ Data.fromDatabaseValue($0[1]) }) else {
      return nil
    }
    if isMissing(FilePath(systemBytes: Array(other))) {
      let found = try find(tracksOf: continuation)
      // It may not have been scanned before it was renamed back.
      if found.isWhole || found.others.isEmpty { return continuation }
    }
    // They are two libraries, which have become different.
    try database.execute(sql: "DELETE FROM renamed_library WHERE former = ?", arguments: [library])
    return nil
  }

  /// Puts the library `other`, which is this one's ``continuation()``, in its place. This one takes the other's place,
  /// and remains as it was when it was renamed.
  func exchange(with other: Int64) throws {
    try transaction {
      guard let former = try Data.fetchOne(database, sql: "SELECT root FROM library WHERE id = ?", arguments: [other])
      else { return }
      let present = Data(root.systemBytes)
      // No two libraries may have the same directory, not even for a moment.
      for (id, root) in [(other, Data([0])), (library, former), (other, present)] {
        try database.execute(sql: "UPDATE library SET root = ? WHERE id = ?", arguments: [root, id])
      }
      try database.execute(sql: "UPDATE OR REPLACE carried SET root = ? WHERE root = ?", arguments: [present, former])
      try carryLoudness(of: other, from: Array(former))
      try followDirectory(from: Array(former))
    }
  }

  private func transaction(_ body: () throws -> Void) throws {
    try database.inTransaction(.immediate) {
      try body()
      return .commit
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

  /// Finds the files of a library in this directory. Must be called outside of a transaction, because the disk may be
  /// slow.
  private func find(tracksOf other: Int64) throws -> Found {
    let tracks = IndexStatement(
      database,
      """
      SELECT track.id, directory.path, name, size
      FROM track JOIN directory ON directory.id = track.directory WHERE track.library = ?
      """)
    tracks.bind(other)
    var found = Found()
    while try tracks.step() {
      let path = RelativePath(tracks.bytes(1)).appending(tracks.bytes(2)).absolute(in: root.systemBytes)
      let isFound = (try? FileStatus(of: FilePath(systemBytes: path)))?.size == tracks.integer(3)
      if isFound { found.tracks.append(tracks.integer(0)) } else { found.others.append(tracks.integer(0)) }
    }
    return found
  }

  private func carryOver(_ found: Found, of other: Int64, from former: FilePath) throws {
    let tracks = IndexStatement(
      database,
      """
      SELECT directory.path, name, segment, added
      FROM track JOIN directory ON directory.id = track.directory WHERE track.id = ?
      """)
    let carrying = IndexStatement(database, SalvagedTable.insertion)
    let stickers = IndexStatement(database, "SELECT name, value FROM sticker WHERE track = ?")
    let loudness = loudnessCopy(replacing: false)
    // Queues and playlists follow, too.
    let memory = try TrackMemory(database, library: library, now: WallClock.now / 1_000_000_000)
    for id in found.tracks {
      tracks.bind(id)
      defer { tracks.reset() }
      guard try tracks.step() else { continue }
      func carry(_ name: String, _ value: String) throws {
        try carrying.run(root.systemBytes, tracks.bytes(0), tracks.bytes(1), tracks.integer(2), name, value)
      }
      try carry("", "\(tracks.integer(3))")
      try carry(SalvagedTable.formerTrack, "\(id)")
      stickers.bind(id)
      while try stickers.step() { try carry(stickers.text(0), stickers.text(1)) }
      let path = RelativePath(tracks.bytes(0)).appending(tracks.bytes(1))
      let (formerPath, present) = (path.absolute(in: former.systemBytes), path.absolute(in: root.systemBytes))
      try loudness.run(present, formerPath)
      if !found.isWhole { try memory.recordMove(of: id, from: formerPath, to: present) }
    }
    guard found.isWhole else { return try memory.publishMoves() }
    // The other files may have been moved or changed at the same time.
    for id in found.others { try memory.addCopy(of: id) }
    try database.execute(sql: "UPDATE library SET is_absent = 1 WHERE id = ?", arguments: [other])
    for table in [
      "missing_track SET library = ? WHERE library = ?", "renamed_library SET present = ? WHERE present = ?",
    ] {
      try database.execute(sql: "UPDATE \(table)", arguments: [library, other])
    }
    try database.execute(sql: "DELETE FROM renamed_library WHERE former = ?", arguments: [library])
    try database.execute(sql: "INSERT OR REPLACE INTO renamed_library VALUES (?, ?)", arguments: [other, library])
    try followDirectory(from: former.systemBytes)
  }

  /// Copies the loudness measurements of the tracks of a library from the directory `former` to this one.
  private func carryLoudness(of other: Int64, from former: [UInt8]) throws {
    let tracks = IndexStatement(
      database,
      "SELECT path, name FROM track JOIN directory ON directory.id = directory WHERE track.library = ?")
    let loudness = loudnessCopy(replacing: true)
    tracks.bind(other)
    while try tracks.step() {
      let path = RelativePath(tracks.bytes(0)).appending(tracks.bytes(1))
      try loudness.run(path.absolute(in: root.systemBytes), path.absolute(in: former))
    }
  }

  /// Returns the statement that copies the loudness measurement of the second path, if there is one, to the first one.
  private func loudnessCopy(replacing: Bool) -> IndexStatement {
    IndexStatement(
      database,
      """
      INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO loudness
      SELECT ?1, size, mtime, loudness, range, true_peak, album_key, album_loudness, album_peak, sound_threshold,
        sound_rate, sound_start, sound_end, frame_count
      FROM loudness WHERE path = ?2
      """)
  }

  /// Records that the directory `former` is now this one, for queues and playlists, also for those inside of it.
  private func followDirectory(from former: [UInt8]) throws {
    let memory = try TrackMemory(database, library: library, now: WallClock.now / 1_000_000_000)
    try memory.recordMove(ofDirectory: former, to: root.systemBytes)
    try memory.publishMoves()
    let rows = try Row.fetchAll(database, sql: "SELECT playlists, scan FROM followed_move")
    for row in rows {
      guard let directory = Data.fromDatabaseValue(row[0]), let scan = row.long(1),
        let path = RelativePath(FilePath(systemBytes: Array(directory)), below: FilePath(systemBytes: former))
      else { continue }
      try database.execute(
        sql: "INSERT OR REPLACE INTO followed_move VALUES (?, ?)",
        arguments: [Data(path.absolute(in: root.systemBytes)), scan])
    }
  }
}
