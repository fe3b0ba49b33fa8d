import Foundation
import GRDB
import GRDBSQLite
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import MusicLibrary
@testable import MusicModel

/// Files of many names.
struct HardLinkTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  /// Gives one file so many names in a directory.
  private func addLinks(_ count: Int, to directory: String) throws {
    try rig.add("\(directory)/0.flac", album: directory, 1)
    let file = rig.root.pushing(FilePath("\(directory)/0.flac")).string
    for number in 1..<count {
      try FileManager.default.linkItem(
        atPath: file, toPath: rig.root.pushing(FilePath("\(directory)/\(number).flac")).string)
    }
  }

  private func scanAgain() throws -> ScanSummary {
    let summary = try rig.library().scan(.again(.everything), progress: { _ in }, isCancelled: { false })
    try rig.check()
    return summary
  }

  /// How many steps SQLite takes to say of each of so many names of a file that it had no other.
  private func steps(_ count: Int) throws -> Int {
    try addLinks(count, to: "\(count)")
    try rig.scan()
    let row = try rig.index.library(rig.root)
    let plan = ScanPlan(
      root: rig.root.systemBytes, library: row.id, scope: .everything, isKnown: true, reader: TagReader(),
      isCancelled: { false })
    let state = FileState(try FileStatus(of: rig.root.pushing(FilePath("\(count)/0.flac"))))
    let known = try KnownFiles(rig.index.path, plan: plan)
    let counter = Counter()
    let context = unsafe Unmanaged.passUnretained(counter).toOpaque()
    unsafe sqlite3_progress_handler(
      known.connection.handle.handle, 1,
      { context in
        guard let context = unsafe context else { return 1 }
        return unsafe Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().add()
      }, context)
    for _ in 0..<count { #expect(try known.moved(state) == nil) }
    unsafe sqlite3_progress_handler(known.connection.handle.handle, 0, nil, nil)
    return withExtendedLifetime(counter) { counter.count }
  }

  private final class Counter {
    var count = 0

    func add() -> Int32 {
      count += 1
      return 0
    }
  }

  @Test func `Where all names of a file are looked for, each is looked at once`() throws {
    let (few, many) = (try steps(100), try steps(400))
    #expect(few > 100)
    #expect(many < 5 * few, "\(few) \(many)")
  }

  @Test func `A file of many names is so many tracks, which stay what they are`() throws {
    try addLinks(300, to: "a")
    #expect(try rig.scan().addedCount == 300)
    let rows = try rig.rows("SELECT id, name, album, place FROM track ORDER BY id")
    #expect(try scanAgain().unchangedCount == 300)
    #expect(try rig.rows("SELECT id, name, album, place FROM track ORDER BY id") == rows)
    // Its time is that of all its names.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: rig.root.pushing("a/7.flac").string)
    #expect(try rig.scan().changedCount == 300)
    #expect(try rig.rows("SELECT id, name, album, place FROM track ORDER BY id") == rows)
    try rig.move("a/7.flac", to: "b/7.flac")
    try rig.remove("a/9.flac")
    let summary = try rig.scan()
    #expect(summary.goneCount + summary.movedCount == 2)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["299"])
  }
}
