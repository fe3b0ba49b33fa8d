// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// Sends many requests to a player through its socket, and prints the times. `remote/run` starts this program.
///
/// usage: RemoteBenchmark load SOCKET IDLE BUSY RATE SECONDS
///        RemoteBenchmark list SOCKET COMMAND
///
/// With `load`, IDLE clients wait with `idle`, while each of BUSY other clients sends RATE commands per second. Prints
/// the number of commands, and the median, the 99th percentile and the maximum of their times in milliseconds, each
/// measured from when the command was due. With `list`, sends a command once, and prints the size of the response in
/// bytes and the time in milliseconds.
@main struct RemoteBenchmark {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let numbers = words.dropFirst(2).compactMap { Double($0) }
    do throws(Errno) {
      switch (words.first, numbers.count, words.count) {
      case ("load", 4, 6):
        let counts = numbers.map { Int($0) }
        try load(words[1], idle: counts[0], busy: counts[1], rate: numbers[2], seconds: numbers[3])
      case ("list", _, 3): try list(words[1], words[2])
      default: end("usage: RemoteBenchmark load SOCKET IDLE BUSY RATE SECONDS | list SOCKET COMMAND")
      }
    } catch {
      end("\(error)")
    }
  }

  private static func load(
    _ path: String, idle: Int, busy: Int, rate: Double, seconds: Double
  ) throws(Errno) {
    _ = DescriptorLimit.raised()
    var waiting: [LoadClient] = []
    for _ in 0..<idle {
      let client = try LoadClient(path)
      try client.wait()
      waiting.append(client)
    }
    var clients: [LoadClient] = []
    for _ in 0..<busy { clients.append(try LoadClient(path)) }
    let times = try Schedule(clientCount: busy, rate: rate, seconds: seconds).run(&clients).sorted()
    guard let maximum = times.last else { end("no command was sent") }
    let figures = [times[times.count / 2], times[times.count * 99 / 100], maximum]
    print(([times.count.description] + figures.map { "\(Double($0) / 1e6)" }).joined(separator: " "))
    withExtendedLifetime(waiting) {}
  }

  private static func list(_ path: String, _ command: String) throws(Errno) {
    var client = try LoadClient(path)
    let start = MonotonicInstant.now.nanoseconds
    try client.send(command)
    while try !client.readPart() {}
    print("\(client.responseSize) \(Double(MonotonicInstant.now.nanoseconds - start) / 1e6)")
  }

  static func end(_ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("\(message)\n".utf8)
    endProcess(status: 1)
  }
}
