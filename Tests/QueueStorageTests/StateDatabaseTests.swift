// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import QueueStorage

struct StateDatabaseTests {
  private let directory: TemporaryDirectory
  private let database: StateDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = StateDatabase(directory: directory["state/segue"])
  }

  /// Another connection to the same database.
  private var anotherDatabase: StateDatabase { StateDatabase(directory: directory["state/segue"]) }

  @Test func `Without stored data there is no queue, and numbers begin at 0`() throws {
    #expect(try anotherDatabase.peek() == nil)
    let header = try database.readHeader()
    #expect(header.modes == QueueModes() && header.lastID == 0 && header.volume == nil)
    #expect(try database.restore() == nil)
    #expect(try anotherDatabase.peek() == nil)
    database.close()
    #expect(try anotherDatabase.readHeader().seed == header.seed)
  }

  @Test func `On a full disk, the advice is to free space, and otherwise to choose another directory`() {
    for (error, advice) in [
      (Errno.noSpace, "free some space"), (.diskQuotaExceeded, "free some space"),
      (.permissionDenied, "choose another directory with --state-dir"),
    ] {
      #expect(StateFiles.reportedError(error, "/state").description.hasSuffix("; \(advice)"))
    }
  }

  @Test func `A queue with its history is read as it was written`() throws {
    var queue = StoredQueues.queue(pages: 5)
    queue = StoredQueues.edited(queue, page: 3, bytes: [], name: "clear (214 items)")
    queue.contents.order = [QueuePage(bytes: [9])]
    queue = StoredQueues.edited(queue, page: 0, bytes: [5])
    queue.redoable = [
      .init(name: "x", contents: queue.contents), .init(name: "y", contents: queue.undoable[0].contents),
    ]
    try database.store(queue)
    try database.store(volume: 37)
    #expect(try #require(try anotherDatabase.peek()).hasSameContents(as: queue))
    database.close()
    let next = anotherDatabase
    let header = try next.readHeader()
    #expect(header == StoredQueueHeader(modes: StoredQueues.modes, seed: queue.seed, lastID: .max, volume: 37))
    #expect(try #require(try next.restore()).hasSameContents(as: queue))
  }

  @Test func `The elapsed time is stored separately, to the nanosecond`() throws {
    let queue = StoredQueues.queue(pages: 1)
    try database.store(queue)
    try database.store(elapsed: .nanoseconds(7_654_321_987))
    #expect(try anotherDatabase.peek()?.contents.elapsed == .nanoseconds(7_654_321_987))
  }

  @Test func `The elapsed time survives a kill, and is moved to the database by a normal exit`() throws {
    let queue = StoredQueues.queue(pages: 1)
    try database.store(queue)
    for second in 1...3 { try database.store(elapsed: .seconds(second)) }
    let elapsedFile = database.path.removingLastComponent().appending("heard")
    #expect(try FileStatus(of: elapsedFile).size == 32)
    // As if the first process had been killed.
    let next = anotherDatabase
    #expect(try next.restore()?.contents.elapsed == .seconds(3))
    next.close()
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: elapsedFile) }
    #expect(try anotherDatabase.peek()?.contents.elapsed == .seconds(3))
  }

  @Test func `An elapsed time from before an edit does not count, nor does a damaged one`() throws {
    var queue = StoredQueues.queue(pages: 2)
    try database.store(queue)
    try database.store(elapsed: .seconds(50))
    let elapsedFile = database.path.removingLastComponent().appending("heard")
    let oldBytes = try Data(contentsOf: URL(filePath: elapsedFile.string))
    queue.contents.elapsed = .seconds(51)
    queue = StoredQueues.edited(queue, page: 1, bytes: [7])
    try database.store(queue)
    #expect(try anotherDatabase.peek()?.contents.elapsed == queue.contents.elapsed)
    // A file left over from before the edit belongs to another position.
    try oldBytes.write(to: URL(filePath: elapsedFile.string))
    #expect(try anotherDatabase.peek()?.contents.elapsed == queue.contents.elapsed)
    try database.store(elapsed: .seconds(60))
    #expect(try anotherDatabase.peek()?.contents.elapsed == .seconds(60))
    for index in 0..<32 {
      var bytes = try Data(contentsOf: URL(filePath: elapsedFile.string))
      bytes[index] ^= 1
      try bytes.write(to: URL(filePath: elapsedFile.string))
      #expect(try anotherDatabase.peek()?.contents.elapsed == queue.contents.elapsed, "byte \(index)")
      bytes[index] ^= 1
      try bytes.write(to: URL(filePath: elapsedFile.string))
    }
    #expect(try anotherDatabase.peek()?.contents.elapsed == .seconds(60))
  }

  @Test func `An edit writes only the new pages`() throws {
    var queue = StoredQueues.queue(pages: 1_000)
    try database.store(queue)
    #expect(try StoredQueues.rowCount("page", in: database.path) == 1_001)
    for step in 1...10 {
      queue = StoredQueues.edited(queue, page: step * 7, bytes: [UInt8(step)])
      try database.store(queue)
      #expect(try StoredQueues.rowCount("page", in: database.path) == 1_001 + step)
      #expect(try StoredQueues.rowCount("step", in: database.path) == step)
    }
    database.close()
    let next = anotherDatabase
    var restored = try #require(try next.restore())
    #expect(restored.hasSameContents(as: queue))
    restored = StoredQueues.edited(restored, page: 0, bytes: [77])
    try next.store(restored)
    #expect(try StoredQueues.rowCount("page", in: database.path) == 1_012)
    #expect(try #require(try anotherDatabase.peek()).hasSameContents(as: restored))
  }

  @Test func `Unused pages are removed, and the others stay`() throws {
    var queue = StoredQueues.queue(pages: 10)
    for step in 0..<200 {
      queue = StoredQueues.edited(queue, page: step % 10, bytes: [UInt8(step)])
      if queue.undoable.count > 20 { queue.undoable.removeFirst() }
      try database.store(queue)
      try database.deleteUnused()
    }
    #expect(try StoredQueues.rowCount("page", in: database.path) < 110)
    #expect(try StoredQueues.rowCount("step", in: database.path) == 20)
    #expect(try #require(try anotherDatabase.peek()).hasSameContents(as: queue))
    queue.undoable = []
    try database.store(queue)
    database.close()
    let next = anotherDatabase
    #expect(try next.restore()?.hasSameContents(as: queue) == true)
    try next.deleteUnused()
    #expect(try StoredQueues.rowCount("page", in: database.path) == 11)
    #expect(try #require(try anotherDatabase.peek()).hasSameContents(as: queue))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `After any history, the last stored queue is read`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var queue = StoredQueues.queue(pages: 4, seed: seed)
    for _ in 0..<120 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where !queue.undoable.isEmpty:
        let step = queue.undoable.removeLast()
        queue.redoable.append(.init(name: step.name, contents: queue.contents))
        queue.contents = step.contents
      case 1 where !queue.redoable.isEmpty:
        let step = queue.redoable.removeLast()
        queue.undoable.append(.init(name: step.name, contents: queue.contents))
        queue.contents = step.contents
      case 2: queue.contents.current = generator.next()
      case 3:
        queue.contents.order = Bool.random(using: &generator) ? nil : [QueuePage(bytes: generator.bytes(9))]
      case 4:
        queue.tracks[UInt32.random(in: 0...9, using: &generator)] = QueuePage(bytes: generator.bytes(50))
      default:
        queue = StoredQueues.edited(queue, page: Int.random(in: 0..<4, using: &generator), bytes: generator.bytes(20))
        if queue.undoable.count > 15 { queue.undoable.removeFirst(2) }
      }
      try database.store(queue)
      if Int.random(in: 0..<10, using: &generator) == 0 { try database.deleteUnused() }
      if Int.random(in: 0..<20, using: &generator) == 0 {
        database.close()
        queue = try #require(try database.restore())
      }
    }
    #expect(try #require(try anotherDatabase.peek()).hasSameContents(as: queue))
  }
}

struct PageNumbersTests {
  @Test func `Page numbers are decoded as they were encoded`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let bits = UInt64.random(in: 1...64, using: &generator)
      let numbers = (0..<20).map { _ in Int64(bitPattern: generator.next() >> (64 - bits)) }
      #expect(PageNumbers.numbers(PageNumbers.bytes(numbers)) == numbers)
    }
    #expect(PageNumbers.numbers(PageNumbers.bytes([.min, .max, 0, -1, .min])) == [.min, .max, 0, -1, .min])
    #expect(PageNumbers.numbers([]) == [])
  }

  @Test func `Consecutive page numbers take one byte each`() { #expect(PageNumbers.bytes(1...1_000).count == 1_000) }

  @Test(arguments: [[0x80], [0xFF, 0xFF], Array(repeating: 0xFF, count: 30)] as [[UInt8]])
  func `Bytes that end within a number, or encode too large a one, are invalid`(bytes: [UInt8]) {
    #expect(PageNumbers.numbers(bytes) == nil)
  }
}
