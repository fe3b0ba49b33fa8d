// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import QueueStorage
import SystemPackage

/// Stores a queue in the same way as `segue`. Used for measurements, and for tests that kill the process at any time.
///
/// - `StateCheck edit DIRECTORY SEED`: edits the stored queue at random until it is killed. For each edit, it prints
///   `edit SUM`, with the checksum of ``QueueSum``, waits until the edit is on the disk, and prints `kept`.
/// - `StateCheck sum DIRECTORY`: prints the checksum of the stored queue.
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
    try StandardStream.output.write("recalled \(QueueSum.sum(flow.queue.queue))\n")
    var edits = RandomEdits(seed: seed)
    while true {
      // The edit may be on the disk as soon as it has been dispatched, so print its checksum before.
      var queue = flow.queue.queue
      let action = edits.next(for: queue)
      queue.reduce(action)
      try StandardStream.output.write("edit \(QueueSum.sum(queue))\n")
      flow.dispatcher.dispatch(action)
      if let error = persister.flush() { try StandardStream.output.write("fault \(error)\n") }
      try StandardStream.output.write("kept\n")
    }
  }

  private static func printSum(_ directory: FilePath) throws {
    guard let stored = try StateDatabase(directory: directory).peek() else {
      return try StandardStream.output.write("none\n")
    }
    guard let queue = PlayQueue(stored) else { return try StandardStream.output.write("no queue\n") }
    try StandardStream.output.write("\(QueueSum.sum(queue))\n")
  }
}
