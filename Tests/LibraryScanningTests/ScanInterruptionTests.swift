// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

struct ScanInterruptionTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  @Test func `Files read before a scan was cancelled are not read again`() throws {
    try rig.addLibrary()
    let reference = try ScanRig()
    _ = try reference.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
    let expected = try reference.contents

    let checkCount = Watched(0)
    let first = try rig.library().scan(progress: { _ in }) {
      checkCount.change {
        $0 += 1
        return $0 > 250
      }
    }
    try rig.check()
    #expect(first.addedCount > 0 && first.addedCount < expected.count)
    let second = try rig.scan()
    #expect(second.unchangedCount == first.addedCount)
    #expect(second.unchangedCount + second.addedCount == expected.count)
    #expect(try rig.contents == expected)
  }

  @Test func `Tracks left without an album are grouped first`() throws {
    try rig.addLibrary()
    try rig.scan()
    let expected = try rig.contents
    try DatabaseQueue(path: rig.index.path.string).write {
      try $0.execute(sql: "UPDATE track SET grouped = 0, album = NULL, place = NULL WHERE id % 3 = 0")
    }
    #expect(try rig.scan().unchangedCount == expected.count)
    #expect(try rig.contents == expected)
  }

  /// Writes a FLAC file whose samples have an MD5 that depends on `sound`.
  private func write(_ name: String, sound: UInt8, title: String) throws {
    var bytes = SoundBytes.flac([("TITLE", title), ("ARTIST", "A"), ("ALBUM", "B")])
    bytes.replaceSubrange(26..<42, with: [UInt8](repeating: sound, count: 16))
    try rig.directory.write(bytes + [0], to: FilePath("music").pushing(FilePath(name)))
  }

  private func rate(_ title: String, _ rating: String) throws {
    let id = try #require(try rig.ids[title].flatMap { Int64($0) })
    try rig.library().set(Sticker(name: Sticker.rating, value: rating), of: id)
  }

  private var ratings: [String] {
    get throws { try rig.rows("SELECT title, value FROM track JOIN sticker ON track = track.id ORDER BY title") }
  }

  @Test(arguments: [1, 3])
  func `After a scan that was interrupted, tracks are recognised by their names, too`(count: Int) throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("One", "8")
    let before = try rig.rows("SELECT title, id, added FROM track ORDER BY title")
    try rig.remove("a/1.flac")
    // It was encoded again.
    try write("b/1.flac", sound: 11, title: "One")
    for _ in 0..<count { try rig.scanInterrupted() }
    #expect(try rig.rows("SELECT count(*) FROM track WHERE title = 'One'") == ["2"])
    // Meanwhile, a part of the library is scanned.
    try write("c/3.flac", sound: 3, title: "Three")
    try rig.update("c")
    let summary = try rig.scan()
    #expect(summary.movedCount == 1 && summary.addedCount == 0 && summary.missingCount == 0)
    #expect(summary.unchangedCount == 2)
    #expect(try ratings == ["One 8"])
    #expect(try rig.rows("SELECT title, id, added FROM track WHERE title <> 'Three' ORDER BY title") == before)
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(rig.root.pushing("a/1.flac")) == rig.root.pushing("b/1.flac"))
    // What is new later is not what was missing then.
    try rig.remove("a/2.flac")
    try rig.scan()
    #expect(try rig.rows("SELECT count(*) FROM unfinished_scan") == ["0"])
  }

  @Test func `A file whose name was taken in a scan that was interrupted is followed from that name`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("Two", "6")
    try rig.move("a/2.flac", to: "../aside.flac")
    try rig.move("a/1.flac", to: "a/2.flac")
    try rig.scanInterrupted()
    try rig.move("../aside.flac", to: "c/2.flac")
    try rig.scan()
    #expect(try ratings == ["Two 6"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(rig.root.pushing("a/1.flac")) == rig.root.pushing("a/2.flac"))
    #expect(moves.present(rig.root.pushing("a/2.flac")) == rig.root.pushing("c/2.flac"))
  }

  @Test func `A file that is moved again after a scan that was interrupted is followed to its last place`() throws {
    for (name, sound) in [("1", UInt8(1)), ("2", 2), ("3", 3)] {
      try write("a/\(name).flac", sound: sound, title: "T\(name)")
    }
    try rig.scan()
    try rig.move("a/1.flac", to: "b/1.flac")
    try rig.remove("a/3.flac")
    try rig.scanInterrupted()
    try rig.move("b/1.flac", to: "c/1.flac")
    try rig.move("a/2.flac", to: "b/1.flac")
    try rig.scan()
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(rig.root.pushing("a/1.flac")) == rig.root.pushing("c/1.flac"))
    #expect(moves.present(rig.root.pushing("a/2.flac")) == rig.root.pushing("b/1.flac"))
    #expect(moves.present(rig.root.pushing("b/1.flac")) == rig.root.pushing("b/1.flac"))
  }

  @Test func `A full disk is reported, and what was written before is kept`() throws {
    try rig.addLibrary()
    let rig = rig
    let size = try rig.rows("PRAGMA page_count").first.flatMap { Int($0) } ?? 0
    #expect {
      try rig.index.write { database in
        try database.execute(sql: "PRAGMA max_page_count = \(size + 30)")
        let library = try LibraryRow.insert(database, rig.root)
        let plan = ScanPlan(
          root: rig.root.systemBytes, library: library, scope: .everything, isKnown: false,
          reader: TagReader(),
          isCancelled: { false })
        _ = try LibraryScan(plan, index: rig.index, progress: { _ in }).run(database)
      }
    } throws: {
      "\($0)".contains("the disk is full")
    }
    try rig.check()
    try rig.scan()
    #expect(try rig.rows("SELECT count(*) FROM track") == ["390"])
  }
}

extension LibraryRow {
  /// Adds a library, and returns its row ID.
  fileprivate static func insert(_ database: Database, _ root: FilePath) throws -> Int64 {
    try database.execute(sql: "INSERT INTO library (root) VALUES (?)", arguments: [Data(root.systemBytes)])
    return database.lastInsertedRowID
  }
}

extension ProgramLane {
  /// Scans in a process that is killed before they end.
  @Suite struct ScanKillTests {
    let rig: ScanRig

    init() throws { rig = try ScanRig() }

    @Test func `A scan that is killed repeatedly ends with the same index as an undisturbed one`() throws {
      try rig.addLibrary()
      let reference = try ScanRig()
      _ = try reference.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
      let expected = try reference.contents

      let data = rig.index.path.removingLastComponent()
      var generator = SeededGenerator(seed: 4)
      for _ in 0..<12 {
        let process = try ChildProcess(try ScanRig.program.string, [data.string, rig.root.string])
        // The delay picks a random moment; it does not wait for anything.
        MonotonicInstant.now.advanced(byMilliseconds: UInt64.random(in: 5...120, using: &generator)).sleep()
        process.end()
        #expect(try rig.rows("PRAGMA integrity_check") == ["ok"])
      }
      try rig.scan()
      #expect(try rig.contents == expected)
      #expect(try rig.scan().unchangedCount == expected.count)
    }
  }
}
