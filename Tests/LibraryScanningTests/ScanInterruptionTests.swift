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
