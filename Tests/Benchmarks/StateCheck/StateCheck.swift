// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import QueueStorage
import SystemPackage

/// Stores a queue in the same way as `segue`. Used for measurements, and for tests that kill the process at any time.
///
/// - `StateCheck edit DIRECTORY SEED`: edits the stored queue at random until it is killed, and now and then uses
///   another one. For each edit, it prints `edit SUM`, with the checksum of ``QueueSum``, waits until the edit is on
///   the disk, and prints `kept`.
/// - `StateCheck sum DIRECTORY`: prints the checksum of the stored queues.
/// - `StateCheck measure DIRECTORY COUNT`: measures how long it takes until edits of a queue of COUNT items are on the
///   disk.
@main
struct StateCheck {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { throw Misuse() }
    let directory = FilePath(arguments[2])
    let number = arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : 1
    switch arguments[1] {
    case "edit": try edit(directory, seed: number)
    case "sum": try printSum(directory)
    case "measure": try StateMeasuring(directory, count: Int(number)).run()
    default: throw Misuse()
    }
  }

  private struct Misuse: Error {}

  private static func edit(_ directory: FilePath, seed: UInt64) throws {
    let flow = StoredQueueFlow()
    let persister = try flow.persister(directory)
    persister.awaitRecall()
    guard persister.ownership == .own else { return try StandardStream.output.write("owned\n") }
    for notice in persister.takeNotices() { try StandardStream.output.write("notice \(notice)\n") }
    try StandardStream.output.write("recalled \(try sum(flow.queue.queue, persister.queues))\n")
    var edits = RandomEdits(seed: seed)
    var editCount: UInt64 = 0
    while true {
      editCount += 1
      // The edit may be on the disk as soon as it has been dispatched, so print its checksum before.
      var queue = flow.queue.queue
      let isUse = editCount.isMultiple(of: 5)
      let action = isUse ? try otherQueue(queue, persister, seed &+ editCount) : edits.next(for: queue)
      queue.reduce(action)
      try StandardStream.output.write("edit \(try sum(queue, persister.queues))\n")
      flow.dispatcher.dispatch(action)
      if let error = persister.flush() { try StandardStream.output.write("fault \(error)\n") }
      try StandardStream.output.write("kept\n")
    }
  }

  private static let names = [QueueName.standard, QueueName("one"), QueueName("Two")].compactMap(\.self)

  /// Returns the checksum of all queues, of which `queue` is the current one.
  private static func sum(_ queue: PlayQueue, _ queues: any QueueCollection) throws -> UInt64 {
    var sum: UInt64 = 0
    let all = queues.names
    for name in names {
      let isKnown = name == queue.name || queue.left[name] != nil || !all.contains(name)
      let stored = isKnown ? nil : try queues.repository(of: name).peek()
      let named = name == queue.name ? queue : queue.left[name] ?? stored.flatMap { PlayQueue($0) } ?? PlayQueue()
      sum = sum &* 31 &+ QueueSum.sum(named) &+ (name == queue.name ? 1 : 0)
    }
    return sum
  }

  /// Returns the action that uses one of three queues. Like a player, it reads only a queue that is not in memory:
  /// the stored pages would otherwise no longer be known by those of the queue.
  private static func otherQueue(
    _ queue: PlayQueue, _ persister: QueuePersister, _ number: UInt64
  ) throws -> QueueAction {
    let name = names[Int(number % 3)]
    let queues = persister.queues
    let isKnown = name == queue.name || queue.left[name] != nil || !queues.names.contains(name)
    let stored = isKnown ? nil : try queues.repository(of: name).restore()
    return .use(name, stored ?? PlayQueue().stored)
  }

  private static func printSum(_ directory: FilePath) throws {
    let queues = QueueDirectory(directory: directory)
    guard let stored = try queues.repository(of: queues.current).peek() else {
      return try StandardStream.output.write("none\n")
    }
    guard let queue = PlayQueue(stored, name: queues.current) else {
      return try StandardStream.output.write("no queue\n")
    }
    try StandardStream.output.write("\(try sum(queue, queues))\n")
  }
}
