// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import QueueStorage
import SystemPackage
import TestSupport

/// Queues to store, and helpers that examine stored queues.
enum StoredQueues {
  /// Returns a queue with this many pages of items and one page of tracks. No real queue has these contents.
  static func queue(pages: Int, seed: UInt64 = 1) -> StoredQueue {
    var generator = SeededGenerator(seed: seed)
    return StoredQueue(
      contents: .init(
        title: "T\u{0}\n夜", items: (0..<pages).map { _ in QueuePage(bytes: generator.bytes(300)) },
        order: nil,
        current: .max, elapsed: .milliseconds(61_234)),
      tracks: [7: QueuePage(bytes: [1, 2, 3])], modes: modes, seed: generator.next(), lastID: .max,
      undoable: [],
      redoable: [])
  }

  static var modes: QueueModes {
    var modes = QueueModes()
    (modes.repeat, modes.random, modes.single, modes.consume, modes.stopAfter) = (
      .album, .albums, .once, true, .current
    )
    return modes
  }

  /// Returns `queue` after an edit that replaces one of its pages.
  static func edited(_ queue: StoredQueue, page index: Int, bytes: [UInt8], name: String = "edit") -> StoredQueue {
    var next = queue
    next.undoable.append(.init(name: name, contents: queue.contents))
    next.redoable = []
    next.contents.items[index] = QueuePage(bytes: bytes)
    return next
  }

  /// Returns the number of rows of a table, read through a separate connection.
  static func rowCount(_ table: String, in path: FilePath) throws -> Int {
    let database = try DatabaseQueue(path: path.string)
    defer { try? database.close() }
    return try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
  }
}

extension StoredQueue {
  /// Returns whether both queues have the same contents, even if their pages are different objects.
  func hasSameContents(as other: StoredQueue) -> Bool {
    func haveSameContents(_ left: Contents, _ right: Contents) -> Bool {
      left.title == right.title && left.current == right.current && left.elapsed == right.elapsed
        && left.items.map(\.bytes) == right.items.map(\.bytes)
        && left.order?.map(\.bytes) == right.order?.map(\.bytes)
    }
    func haveSameContents(_ left: [Step], _ right: [Step]) -> Bool {
      left.count == right.count
        && zip(left, right).allSatisfy { $0.name == $1.name && haveSameContents($0.contents, $1.contents) }
    }
    return haveSameContents(contents, other.contents) && modes == other.modes && seed == other.seed
      && lastID == other.lastID
      && tracks.mapValues(\.bytes) == other.tracks.mapValues(\.bytes) && haveSameContents(undoable, other.undoable)
      && haveSameContents(redoable, other.redoable)
  }
}

/// Queues on a disk that can be made full.
final class FullRepository: QueueCollection {
  static let error = QueueStorageError(.unwritten, "the disk is full")

  let isFull = Watched(false)
  private let queues: QueueDirectory

  init(_ queues: QueueDirectory) { self.queues = queues }

  fileprivate func checkSpace() throws(QueueStorageError) {
    if isFull.value { throw Self.error }
  }

  var current: QueueName { queues.current }
  var names: [QueueName] { queues.names }
  func repository(of name: QueueName) -> any QueueRepository {
    Repository(disk: self, database: queues.repository(of: name))
  }
  func setCurrent(_ name: QueueName) throws(QueueStorageError) {
    try checkSpace()
    try queues.setCurrent(name)
  }
  func delete(_ name: QueueName) throws(QueueStorageError) { try queues.delete(name) }
  func close() { queues.close() }

  private struct Repository: QueueRepository {
    let disk: FullRepository
    let database: any QueueRepository

    func readHeader() throws(QueueStorageError) -> StoredQueueHeader { try database.readHeader() }
    func restore() throws(QueueStorageError) -> StoredQueue? { try database.restore() }
    func store(_ queue: StoredQueue) throws(QueueStorageError) {
      try disk.checkSpace()
      try database.store(queue)
    }
    func store(elapsed: Duration) throws(QueueStorageError) {
      try disk.checkSpace()
      try database.store(elapsed: elapsed)
    }
    func store(volume: Int) throws(QueueStorageError) {
      try disk.checkSpace()
      try database.store(volume: volume)
    }
    func deleteUnused() throws(QueueStorageError) { try database.deleteUnused() }
    func setAside() -> QueueStorageError { database.setAside() }
    func peek() throws(QueueStorageError) -> StoredQueue? { try database.peek() }
    func peekHeader() throws(QueueStorageError) -> StoredQueueHeader? { try database.peekHeader() }
    var damageError: QueueStorageError { database.damageError }
    func close() { database.close() }
  }
}
