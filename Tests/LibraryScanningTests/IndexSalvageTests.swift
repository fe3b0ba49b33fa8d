// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import Tagging

/// Salvaging the data of a damaged index, and transient errors that look like damage.
struct IndexSalvageTests {
  private let rig: ScanRig

  init() throws {
    rig = try ScanRig()
    for number in 1...300 {
      let tags = [("TITLE", "Title \(number)"), ("ARTIST", "Artist \(number)"), ("ALBUM", "Album \(number / 10)")]
      try rig.add("\(number / 10)/\(number).flac", tags)
    }
    try rig.scan()
  }

  private var indexFile: FilePath { rig.index.path }

  /// Returns the stickers of all tracks, sorted by file name.
  private func stickers(_ index: LibraryIndex) throws -> [String] {
    try index.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT track.name || ' ' || sticker.name || ' ' || sticker.value
          FROM sticker JOIN track ON track.id = sticker.track ORDER BY 1
          """)
    }
  }

  @Test func `An intact index is not set aside after a transient read error`() throws {
    let library = rig.library()
    try library.set(Sticker(name: Sticker.rating, value: "10"), of: 1)
    for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB] {
      let error = #expect(throws: LibraryError.self) {
        try rig.index.read { _ in throw DatabaseError(resultCode: code) }
      }
      #expect(error?.kind == .index && error?.description.contains("it was temporarily unreadable; try again") == true)
    }
    #expect(try stickers(rig.index).count == 1)
    #expect(try DirectoryListing(of: rig.directory["data"]).entries.allSatisfy { !$0.name.string.contains("damaged") })
  }

  @Test(arguments: [ResultCode.SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB])
  func `A failed read is retried once on another connection`(code: ResultCode) throws {
    var connections: [Database] = []
    let count = try rig.index.read { database in
      connections.append(database)
      if connections.count == 1 { throw DatabaseError(resultCode: code) }
      return try Int.fetchOne(database, sql: "SELECT count(*) FROM track")
    }
    #expect(count == 300)
    #expect(connections.count == 2 && connections[0] !== connections[1])
  }

  @Test func `Ratings, counts, dates and loudness are carried over from a damaged index`() throws {
    let library = rig.library()
    for id in Int64(1)...300 { try library.set(Sticker(name: Sticker.rating, value: "\(id % 10)"), of: id) }
    let played = rig.root.appending("1").appending("11.flac")
    #expect(try library.count(.play, of: played, at: 1_700_000_000))
    let measured = try StoredLoudness(
      path: played, status: FileStatus(of: played), integrated: -11, range: 5, truePeak: 0.5,
      sound: MeasuredSound(threshold: -58.5, sampleRate: 48_000, from: 3, to: 5, of: 7))
    try rig.index.store([measured])
    try rig.index.write { try $0.execute(sql: "UPDATE track SET added = 1000 + id") }
    let before = try stickers(rig.index)
    // Overwrite the pages of another table.
    let pages = try rig.index.write { database in
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return try Int64.fetchAll(database, sql: "SELECT pageno FROM dbstat WHERE name = 'words'")
    }
    try #require(!pages.isEmpty)
    var bytes = try contents(of: indexFile)
    for page in pages { for offset in 0..<4_096 { bytes[Int(page - 1) * 4_096 + offset] = 0x5A } }
    let descriptor = try FileDescriptor.open(indexFile, .writeOnly)
    _ = try descriptor.writeAll(toAbsoluteOffset: 0, bytes)
    try descriptor.close()

    let reopened = try LibraryIndex(directory: rig.directory["data"])
    let error = #expect(throws: LibraryError.self) {
      try reopened.read { try Row.fetchAll($0, sql: "SELECT * FROM words") }
    }
    #expect(error?.description.contains("was damaged and was renamed to") == true)
    // The same instance continues to work, with a new file.
    #expect(try reopened.loudness(of: [played]) == [played: measured])
    let rebuilt = IndexedLibrary(index: reopened, roots: LibraryRoots(rig.root), probe: nil, threadCount: 2)
    #expect(try rebuilt.scan(progress: { _ in }, isCancelled: { false }).addedCount == 300)
    #expect(try stickers(reopened) == before)
    let added = try reopened.read { try Int64.fetchAll($0, sql: "SELECT added FROM track ORDER BY added") }
    #expect(added == (1...300).map { 1_000 + $0 })
    #expect(try reopened.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM carried") } == 0)
  }

  /// Overwrites the pages of a table, so that the index is replaced when the table is read.
  private func damageWords() throws {
    let pages = try rig.index.write { database in
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return try Int64.fetchAll(database, sql: "SELECT pageno FROM dbstat WHERE name = 'words'")
    }
    try #require(!pages.isEmpty)
    let descriptor = try FileDescriptor.open(indexFile, .writeOnly)
    for page in pages {
      _ = try descriptor.writeAll(toAbsoluteOffset: (page - 1) * 4_096, [UInt8](repeating: 0x5A, count: 4_096))
    }
    try descriptor.close()
  }

  @Test func `What is known of missing files is carried over, and only to their tracks`() throws {
    let library = rig.library()
    for id in Int64(1)...300 { try library.set(Sticker(name: Sticker.rating, value: "\(id % 10)"), of: id) }
    let before = try stickers(rig.index)
    let gone = [11, 12, 13]
    for number in gone { try rig.move("1/\(number).flac", to: "../aside/\(number).flac") }
    // Another encoding of a missing track, which is not rated, and was not new when the track went missing.
    try rig.add("twin/11.flac", [("TITLE", "Title 14"), ("ARTIST", "Artist 14"), ("ALBUM", "Album 1")], padding: 9)
    try rig.scan()
    try rig.move("1/14.flac", to: "../aside/14.flac")
    try rig.scan()
    let missing = try rig.rows("SELECT path, size, mtime, names, since FROM missing_track ORDER BY path")
    let known = try stickers(rig.index)
    #expect(missing.count == 4 && known.count == 296)
    let moves = try rig.rows("SELECT former, present FROM file_move")
    try damageWords()

    let reopened = try LibraryIndex(directory: rig.directory["data"])
    _ = #expect(throws: LibraryError.self) {
      try reopened.read { try Row.fetchAll($0, sql: "SELECT * FROM words") }
    }
    #expect(try rig.rows("SELECT path, size, mtime, names, since FROM missing_track ORDER BY path") == missing)
    #expect(try rig.rows("SELECT former, present FROM file_move") == moves)
    let rebuilt = IndexedLibrary(index: reopened, roots: LibraryRoots(rig.root), probe: nil, threadCount: 2)
    _ = try rebuilt.scan(progress: { _ in }, isCancelled: { false })
    #expect(try stickers(reopened) == known)
    try rig.move("../aside/11.flac", to: "1/11.flac")
    try rig.move("../aside/12.flac", to: "elsewhere/12.flac")
    let summary = try rebuilt.scan(progress: { _ in }, isCancelled: { false })
    #expect(summary.movedCount == 1 && summary.addedCount == 1)
    let found = try stickers(reopened)
    #expect(found.count == 298 && Set(found).isSubset(of: before))
    #expect(try rebuilt.forgetMissing().count == 2)
  }

  @Test func `Readable rows of a damaged table are carried over`() throws {
    let library = rig.library()
    for id in Int64(1)...300 { try library.set(Sticker(name: Sticker.rating, value: "\(id % 10)"), of: id) }
    let pages = try rig.index.write { database in
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return try Int64.fetchAll(
        database, sql: "SELECT pageno FROM dbstat WHERE name = 'track' AND pagetype = 'leaf' ORDER BY path")
    }
    try #require(pages.count > 4)
    let descriptor = try FileDescriptor.open(indexFile, .writeOnly)
    for page in pages[1...2] {
      _ = try descriptor.writeAll(toAbsoluteOffset: (page - 1) * 4_096, [UInt8](repeating: 0x5A, count: 4_096))
    }
    try descriptor.close()
    let reopened = try LibraryIndex(directory: rig.directory["data"])
    if reopened.warning == nil {
      _ = #expect(throws: LibraryError.self) {
        try reopened.read { try Row.fetchAll($0, sql: "SELECT * FROM track") }
      }
    }
    let rebuilt = IndexedLibrary(index: reopened, roots: LibraryRoots(rig.root), probe: nil, threadCount: 2)
    _ = try rebuilt.scan(progress: { _ in }, isCancelled: { false })
    let count = try stickers(reopened).count
    #expect(count > 150 && count < 300)
  }

  @Test(arguments: [
    ("track", "composers TEXT", "composert TEXT"), ("track", "  added INTEGER", "  bdded INTEGER"),
    ("track", "  name BLOB", "  nbme BLOB"), ("album", "artist TEXT,", "artisu TEXT,"),
    ("library", "root BLOB", "roor BLOB"), ("sticker", "value TEXT", "valuf TEXT"),
    ("search", "artist, album,", "artisu, album,"), ("search", "content = ", "bontent = "),
  ])
  func `An index with a damaged name in its schema is replaced, and its ratings are carried over`(
    table: String, name: String, damagedName: String
  ) throws {
    let library = rig.library()
    for id in Int64(1)...300 { try library.set(Sticker(name: Sticker.rating, value: "\(id % 10)"), of: id) }
    let before = try stickers(rig.index)
    let other = try DatabaseQueue(path: indexFile.string)
    try other.write { database in
      let definition = "SELECT sql FROM sqlite_master WHERE name = ?"
      try #require(String.fetchOne(database, sql: definition, arguments: [table])?.contains(name) == true)
      try database.execute(
        sql: "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?",
        arguments: [name, damagedName, table])
    }
    try other.close()
    for _ in 0..<2 {
      // The damage is found when the index is opened or, at the latest, by the first scan.
      let library = IndexedLibrary(
        index: try LibraryIndex(directory: rig.directory["data"]), roots: LibraryRoots(rig.root), probe: nil,
        threadCount: 2)
      _ = try? library.scan(progress: { _ in }, isCancelled: { false })
    }
    let rebuilt = try LibraryIndex(directory: rig.directory["data"])
    #expect(try rebuilt.read { try Int.fetchOne($0, sql: "SELECT count(composers IS NULL) FROM track") } == 300)
    #expect(try stickers(rebuilt) == before)
    #expect(
      try DirectoryListing(of: rig.directory["data"]).entries.contains { $0.name.string.hasPrefix("index.sqlite.dam") })
  }
}
