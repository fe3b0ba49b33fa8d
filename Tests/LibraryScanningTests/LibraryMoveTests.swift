// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import GRDBSQLite
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

struct LibraryMoveTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  private func identities() throws -> [String] {
    try rig.rows("SELECT title, id, added FROM track ORDER BY title")
  }

  @Test(arguments: ["b/1.flac", "a/renamed.flac", "0/deep/down/1.flac"])
  func `A moved or renamed file keeps its id and its measured loudness`(target: String) throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.scan()
    let file = rig.root.pushing("a/1.flac")
    let status = try FileStatus(of: file)
    try rig.index.store([StoredLoudness(path: file, status: status, integrated: -9, range: 1, truePeak: 0.5)])
    let before = try identities()
    try rig.move("a/1.flac", to: target)
    let summary = try rig.scan()
    #expect(summary.movedCount == 1 && summary.addedCount == 0 && summary.missingCount == 0)
    #expect(try identities() == before)
    #expect(try rig.index.loudness(of: [file]).isEmpty)
    let moved = rig.root.pushing(FilePath(target))
    #expect(try rig.index.loudness(of: [moved])[moved]?.integrated == -9)
  }

  @Test func `A renamed directory keeps its album's id`() throws {
    for number in 1...5 { try rig.add("artist/album/\(number).flac", album: "A", number) }
    try rig.scan()
    let before = try (identities(), rig.rows("SELECT id, title FROM album"))
    try rig.move("artist", to: "0")
    #expect(try rig.scan().movedCount == 5)
    let after = try (identities(), rig.rows("SELECT id, title FROM album"))
    #expect(before == after)
    #expect(try rig.rows("SELECT path FROM directory ORDER BY path") == ["", "0", "0/album"])
  }

  @Test func `A renamed file without a title tag gets its new name as title`() throws {
    try rig.add("a/old.flac", [])
    try rig.scan()
    try rig.move("a/old.flac", to: "b/03 new.flac")
    #expect(try rig.scan().movedCount == 1)
    #expect(try rig.rows("SELECT id, title, number FROM track") == ["1 new 3"])
    #expect(try rig.rows("SELECT title FROM album") == ["b"])
  }

  @Test func `Files renamed in a chain keep their ids`() throws {
    for number in 1...4 { try rig.add("a/\(number).flac", album: "A", number) }
    try rig.scan()
    let before = try identities()
    for number in [4, 3, 2, 1] { try rig.move("a/\(number).flac", to: "a/\(number + 1).flac") }
    let summary = try rig.scan()
    #expect(summary.movedCount == 4 && summary.missingCount == 0 && summary.addedCount == 0)
    #expect(try identities() == before)
  }

  @Test func `Files that swap names keep their ids`() throws {
    for number in 1...3 { try rig.add("a/\(number).flac", album: "A", number) }
    try rig.scan()
    let before = try identities()
    try rig.move("a/1.flac", to: "a/x.flac")
    try rig.move("a/2.flac", to: "a/1.flac")
    try rig.move("a/x.flac", to: "a/2.flac")
    #expect(try rig.scan().movedCount == 2)
    #expect(try identities() == before)
  }

  @Test func `A copy that replaces a deleted file keeps its id`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.add("b/2.flac", album: "B", 3)
    try rig.scan()
    let before = try identities()
    // A move to another file system leaves a copy with the same modification time.
    try rig.directory.makeDirectory("music/z")
    for name in ["1.flac", "2.flac"] {
      try rig.root.pushing(FilePath("a/\(name)")).copy(to: rig.root.pushing(FilePath("z/\(name)")))
    }
    try rig.remove("a/1.flac")
    let summary = try rig.scan()
    #expect(summary.movedCount == 1 && summary.addedCount == 1 && summary.missingCount == 0)
    #expect(try identities().first == before.first)
    #expect(try rig.rows("SELECT count(*) FROM track WHERE title = 'T2'") == ["2"])
  }

  @Test func `A hard link is another track, and an album with most of its tracks keeps its id`() throws {
    for number in 1...3 { try rig.add("a/\(number).flac", album: "A", number) }
    try rig.scan()
    try rig.directory.hardLink("music/copy.flac", to: "music/a/1.flac")
    #expect(try rig.scan().addedCount == 1)
    try rig.remove("copy.flac")
    try rig.scan()
    let album = try rig.rows("SELECT id FROM album")
    try rig.add("a/3.flac", album: "Else", 3, padding: 3)
    try rig.scan()
    #expect(try rig.rows("SELECT id FROM album WHERE title = 'A'") == album)
    #expect(try rig.rows("SELECT count(*) FROM album") == ["2"])
  }

  @Test func `A merged album keeps the id of the album with more tracks, or else the lowest id`() {
    #expect(AlbumIdentities([[7, 7, 3]]).ids == [7])
    #expect(AlbumIdentities([[7, 3]]).ids == [3])
    #expect(AlbumIdentities([[3], [3, 3], [nil]]).ids == [nil, 3, nil])
    #expect(AlbumIdentities([[3, 3, 5], [3]]).ids == [3, nil])
    #expect(AlbumIdentities([[3, 5], [3, 3]]).ids == [5, 3])
    #expect(AlbumIdentities([]).ids == [])
  }
}

/// Files with many hard links.
struct HardLinkTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  /// Creates a file with `count` names in a directory.
  private func addLinks(_ count: Int, to directory: String) throws {
    try rig.add("\(directory)/0.flac", album: directory, 1)
    let file = rig.root.pushing(FilePath("\(directory)/0.flac")).string
    for number in 1..<count {
      try FileManager.default.linkItem(
        atPath: file, toPath: rig.root.pushing(FilePath("\(directory)/\(number).flac")).string)
    }
  }

  private func rereadEverything() throws -> ScanSummary {
    let summary = try rig.library().scan(.rereading(.everything), progress: { _ in }, isCancelled: { false })
    try rig.check()
    return summary
  }

  /// Returns the number of steps in which SQLite finds out, once for each of the `count` names of a file, that the
  /// file was not moved.
  private func steps(_ count: Int) throws -> Int {
    try addLinks(count, to: "\(count)")
    try rig.scan()
    let row = try rig.index.library(rig.root)
    let plan = ScanPlan(
      root: rig.root.systemBytes, library: row.id, scope: .everything, isKnown: true, reader: TagReader(),
      isCancelled: { false })
    let state = FileState(try FileStatus(of: rig.root.pushing(FilePath("\(count)/0.flac"))))
    let counter = Counter()
    let context = unsafe Unmanaged.passUnretained(counter).toOpaque()
    try rig.index.lend { database in
      let indexedFiles = IndexedFiles(database, plan: plan)
      unsafe sqlite3_progress_handler(
        database.sqliteConnection, 1,
        { context in
          guard let context = unsafe context else { return 1 }
          return unsafe Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().add()
        }, context)
      for _ in 0..<count {
        let former = try indexedFiles.moved(state)
        #expect(former == nil)
      }
      unsafe sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
    }
    return withExtendedLifetime(counter) { counter.count }
  }

  private final class Counter {
    var count = 0

    func add() -> Int32 {
      count += 1
      return 0
    }
  }

  @Test func `Looking up all names of a file checks each name once`() throws {
    let (few, many) = (try steps(100), try steps(400))
    #expect(few > 100)
    #expect(many < 5 * few, "\(few) \(many)")
  }

  @Test func `A file with many names has a track for each, which keeps its id`() throws {
    try addLinks(300, to: "a")
    #expect(try rig.scan().addedCount == 300)
    let rows = try rig.rows("SELECT id, name, album, place FROM track ORDER BY id")
    #expect(try rereadEverything().unchangedCount == 300)
    #expect(try rig.rows("SELECT id, name, album, place FROM track ORDER BY id") == rows)
    // Setting the time of one name changes it for all.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: rig.root.pushing("a/7.flac").string)
    #expect(try rig.scan().changedCount == 300)
    #expect(try rig.rows("SELECT id, name, album, place FROM track ORDER BY id") == rows)
    try rig.move("a/7.flac", to: "b/7.flac")
    try rig.remove("a/9.flac")
    let summary = try rig.scan()
    #expect(summary.missingCount + summary.movedCount == 2)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["299"])
  }
}
