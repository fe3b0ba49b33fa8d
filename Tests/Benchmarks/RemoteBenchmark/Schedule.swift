// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// The times at which clients send their commands, evenly distributed at a constant rate.
struct Schedule {
  private static let commands = ["status", "currentsong", "playlistinfo 0:5", "plchanges 0 0:3"]

  let clientCount: Int
  /// The number of commands that each client sends per second.
  let rate: Double
  let seconds: Double

  /// Sends the commands of `clients` on this thread. Returns how long each command took in nanoseconds, measured from
  /// when it was due, even if it was sent late because the response to the previous one was still incomplete.
  func run(_ clients: inout [LoadClient]) throws(Errno) -> [UInt64] {
    let sockets = clients.map(\.socket)
    let start = MonotonicInstant.now.nanoseconds + 1_000_000
    let count = Int(seconds * rate) * clientCount
    // The clients take turns: command `n` is sent by client `n % clientCount`.
    let dueTime = { (number: Int) in start + UInt64(Double(number) * 1e9 / rate / Double(clientCount)) }
    var next = Array(0..<clientCount)
    var sentCommands = [Int?](repeating: nil, count: clientCount)
    var firstUnsent = 0
    var times: [UInt64] = []
    while times.count < count {
      let now = MonotonicInstant.now.nanoseconds
      // Send the commands that are due or late.
      firstUnsent = count
      for client in 0..<clientCount where sentCommands[client] == nil && next[client] < count {
        if dueTime(next[client]) <= now {
          try clients[client].send(Self.commands[next[client] / clientCount % Self.commands.count])
          sentCommands[client] = next[client]
        } else {
          firstUnsent = min(firstUnsent, next[client])
        }
      }
      let pause = dueTime(firstUnsent).subtractingReportingOverflow(MonotonicInstant.now.nanoseconds)
      let wait = pause.overflow ? Duration.zero : .nanoseconds(Int64(pause.partialValue))
      for client in LocalSocket.waitForAny(of: sockets, atMost: firstUnsent == count ? .seconds(1) : wait) {
        guard let number = sentCommands[client] else { throw .connectionReset }
        if try clients[client].readPart() {
          times.append(MonotonicInstant.now.nanoseconds - dueTime(number))
          sentCommands[client] = nil
          next[client] += clientCount
        }
      }
    }
    return times
  }
}
