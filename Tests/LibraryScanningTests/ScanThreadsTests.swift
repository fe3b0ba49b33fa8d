// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryScanning
@testable import Tagging

/// A scan on a system that refuses threads.
@Suite struct ScanThreadsTests {
  private let rig: ScanRig

  init() throws { rig = try ScanRig() }

  /// Starts three threads for an empty scan. `start` starts one of them; it gets the number of those before.
  private func threads(
    _ start: @escaping (Int, @escaping @Sendable () -> Void) throws(Errno) -> Void
  ) throws -> (threads: ScanThreads, inbox: ScanInbox) {
    let plan = ScanPlan(
      root: rig.root.systemBytes, library: 1, scope: .everything, isKnown: false, reader: TagReader(),
      isCancelled: { false })
    let inbox = ScanInbox()
    var count = 0
    let threads = ScanThreads(
      3, plan: plan, rules: ScanRules(plan), index: rig.index, queue: ScanQueue([], threadCount: 3), inbox: inbox,
      now: 0,
      starting: { body throws(Errno) in
        defer { count += 1 }
        try start(count, body)
      })
    return (threads, inbox)
  }

  private func isClosed(_ inbox: ScanInbox) -> Bool {
    inbox.take(until: .now.advanced(byMilliseconds: 60_000)) == nil
  }

  @Test(arguments: 0..<3)
  func `One thread does all the work, even if it ends before the system refuses the others`(granted: Int) throws {
    let (threads, inbox) = try threads { number, body throws(Errno) in
      guard number == granted else { throw .noMemory }
      let thread = try WorkerThread(name: "scan", body)
      _ = thread.join(until: .now.advanced(byMilliseconds: 60_000))
    }
    #expect(isClosed(inbox))
    #expect(threads.error == nil)
  }

  @Test func `If the system refuses all threads, the scan fails and ends`() throws {
    let (threads, inbox) = try threads { _, _ throws(Errno) in throw .noMemory }
    #expect(isClosed(inbox))
    #expect("\(try #require(threads.error))".contains("cannot start a scan thread"))
  }
}
