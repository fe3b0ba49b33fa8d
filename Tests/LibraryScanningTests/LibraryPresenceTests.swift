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

struct LibraryPresenceTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  @Test func `A missing library is marked absent but keeps its tracks`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
    try AtomicFile.move(rig.root, to: rig.directory["away"])
    let summary = try rig.scan()
    #expect(summary.isAbsent && !summary.hasChanged)
    #expect(try rig.rows("SELECT is_absent, (SELECT count(*) FROM track) FROM library") == ["1 1"])
    #expect(try rig.update("a").isAbsent)
    try AtomicFile.move(rig.directory["away"], to: rig.root)
    #expect(try rig.scan().unchangedCount == 1)
    #expect(try rig.rows("SELECT is_absent FROM library") == ["0"])
  }

  @Test func `An empty mount point counts as absent`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
    try rig.remove("a")
    // Pretend that the tracks were on a file system that is not mounted now.
    try DatabaseQueue(path: rig.index.path.string).write {
      try $0.execute(sql: "UPDATE track SET device = device + 1")
    }
    #expect(try rig.scan().isAbsent)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["1"])
    // A mount point may contain other files.
    try rig.directory.makeDirectory("music/.Trash/other")
    try rig.directory.makeDirectory("music/other/deep")
    try rig.directory.write([1], to: "music/other/README")
    #expect(try rig.scan().isAbsent)
    #expect(try rig.library().refresh()?.missingCount == 0)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["1"])
    try rig.add("other/deep/9.flac", album: "B", 9)
    let summary = try rig.scan()
    #expect(!summary.isAbsent && summary.missingCount == 1)
  }

  @Test func `Checking whether a directory's tracks are on another device uses the path index`() throws {
    let plan = try DatabaseQueue(path: rig.index.path.string).read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(IndexedFiles.deviceQuery)",
        arguments: [1, Data(), Data(), Data(), 1]
      ).map { $0["detail"] as String }
    }
    let lookups = plan.filter { $0.contains(" directory ") }
    #expect(!lookups.isEmpty && lookups.allSatisfy { $0.contains("(library=? AND path") }, "\(plan)")
  }

  @Test func `Removing a missing track's stickers does not scan all stickers`() throws {
    let plan = try DatabaseQueue(path: rig.index.path.string).read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(StickerTable.orphanDeletion)", arguments: [1])
        .map { $0["detail"] as String }
    }
    #expect(!plan.isEmpty && plan.allSatisfy { !$0.hasPrefix("SCAN sticker") }, "\(plan)")
  }

  @Test func `Tracks on an unmounted file system within the library are kept`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("usb/b/2.flac", album: "B", 2)
    try rig.scan()
    try rig.remove("usb/b")
    try DatabaseQueue(path: rig.index.path.string).write {
      try $0.execute(sql: "UPDATE track SET device = device + 1 WHERE album_title = 'B'")
    }
    let summary = try rig.scan()
    #expect(summary.missingCount == 0 && summary.unchangedCount == 1)
    _ = try rig.update("usb")
    #expect(try rig.rows("SELECT album_title FROM track ORDER BY 1") == ["A", "B"])
    // Once the directory contains a file again, the missing ones are removed.
    try rig.add("usb/c/3.flac", album: "C", 3)
    #expect(try rig.scan().missingCount == 1)
    #expect(try rig.rows("SELECT album_title FROM track ORDER BY 1") == ["A", "C"])
  }

  @Test func `Tracks behind a broken link are kept`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.directory.write(SoundBytes.flac([("ALBUM", "B")]), to: "disk/b/2.flac")
    try rig.directory.link("music/disk", to: rig.directory["disk"].string)
    try rig.scan()
    try AtomicFile.move(rig.directory["disk"], to: rig.directory["away"])
    #expect(try rig.scan().missingCount == 0)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["2"])
    try AtomicFile.move(rig.directory["away"], to: rig.directory["disk"])
    #expect(try rig.scan().unchangedCount == 2)
    rig.directory.remove("music/disk")
    #expect(try rig.scan().missingCount == 1)
  }

  @Test func `A directory emptied on the same device has its tracks removed`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
    try rig.remove("a")
    let summary = try rig.scan()
    #expect(!summary.isAbsent && summary.missingCount == 1)
  }

  @Test func `Scanning a directory that never existed is an error`() throws {
    #expect {
      try rig.library(rig.directory["nosuch"]).scan(progress: { _ in }, isCancelled: { false })
    } throws: {
      ($0 as? LibraryError)?.kind == .directory && "\($0)".contains("nosuch")
    }
  }

  @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
  func `An unreadable directory keeps its tracks and is a problem`() throws {
    try rig.add("a/deep/1.flac", album: "A", 1)
    try rig.scan()
    try rig.directory.setPermissions(0, of: "music/a")
    let summary = try rig.scan()
    try rig.directory.setPermissions(0o700, of: "music/a")
    #expect(summary.missingCount == 0 && summary.problemCount == 1)
    #expect(try rig.rows("SELECT path FROM problem") == ["a"])
    #expect(try rig.scan().problemCount == 0)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["1"])
  }

  @Test func `Directories may disappear during a scan`() throws {
    for number in 1...20 { try rig.add("\(number)/1.flac", album: "A\(number)", 1) }
    try rig.scan()
    for number in 1...20 { try rig.add("\(number)/2.flac", album: "A\(number)", 2) }
    let rig = rig
    let hasRemoved = Watched(false)
    _ = try rig.library().scan(progress: { _ in }) {
      if !hasRemoved.change({ isSet in
        defer { isSet = true }
        return isSet
      }) {
        for number in 5...15 { try? rig.remove("\(number)") }
      }
      return false
    }
    try rig.check()
    try rig.scan()
    #expect(try rig.rows("SELECT count(*) FROM track") == ["18"])
  }

  @Test func `A scan waits for another scan of the same library, but a query does not`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    let rig = rig
    let gate = Gate()
    let isDone = Watched(false)
    let first = try WorkerThread(name: "first") {
      _ = try? rig.library().scan(progress: { _ in }) {
        gate.pass()
        return false
      }
    }
    #expect(gate.awaitArrival())
    let second = try WorkerThread(name: "second") {
      _ = try? rig.library().scan(progress: { _ in }, isCancelled: { false })
      isDone.change { $0 = true }
    }
    #expect(try rig.index.loudness(of: ["/x"]).isEmpty)
    #expect(!isDone.value)
    gate.open()
    for thread in [first, second] {
      #expect(thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: 60_000)))
    }
    try rig.check()
    #expect(try rig.rows("SELECT count(*) FROM track") == ["1"])
  }
}
