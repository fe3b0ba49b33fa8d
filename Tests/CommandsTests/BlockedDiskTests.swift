// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import FaceExamples
import MusicModel
import PlayerPort
import Tagging
import TestSupport
import Testing

@testable import Commands

/// Commands on a disk that does not respond, such as a network file system whose server is away.
struct BlockedDiskTests {
  private static let warning = "the disk is not responding"
  /// The time after which a blocked thread is abandoned, in milliseconds.
  private static let timeout: UInt64 = 20

  @Test func `The queue is listed as it is stored, with one warning`() throws {
    let repl = try CommandSession()
    let gate = Gate()
    defer { gate.open() }
    let lines = try repl.lines {
      let queue = Examples.queue([Examples.track("A"), Examples.track("B")], current: 0)
      try QueueListing(
        rows: { range throws(PlayerError) in QueueRows(range.clamped(to: queue.items.indices), of: queue) },
        options: try WindowOptions.parse([]), timeoutMilliseconds: Self.timeout,
        isMissing: { _ in
          gate.pass()
          return true
        }
      ).print(in: repl.session)
    }
    #expect(lines.count == 3 && lines[0].contains(Self.warning), "\(lines)")
    #expect(!lines.contains { $0.hasSuffix("missing") })
  }

  @Test func `The index is used as it is, with a warning, and the blocked update learns that it was abandoned`() throws
  {
    let repl = try CommandSession()
    let gate = Gate()
    let wasCancelled = Watched<Bool?>(nil)
    let lines = try repl.lines {
      repl.session.updateChanged(repl.session.library, timeout: Self.timeout) { isCancelled in
        gate.pass()
        wasCancelled.change { $0 = isCancelled() }
      }
    }
    gate.open()
    #expect(lines.count == 1 && lines[0].contains(Self.warning), "\(lines)")
    #expect(wasCancelled.wait { $0 == true })
  }
}
