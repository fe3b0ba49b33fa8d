// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Platform

#if os(Linux)
  @Suite struct ArrivalWatchTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A reference to a watch, which expectations can capture.
    private final class Waiter {
      private var watch: ArrivalWatch

      /// Creates a watch whose waits do not time out within a test, unless its first delay is short.
      init(for path: FilePath?, firstPause: UInt64 = 600_000) {
        watch = ArrivalWatch(for: path, firstPause: firstPause)
      }

      func wait(until pipe: WakePipe? = nil, longest: UInt64 = .max) -> Bool {
        watch.wait(until: pipe, longest: longest)
      }
    }

    @Test func `A new file is noticed at once, also in new directories`() throws {
      let watch = Waiter(for: directory["a/b/socket"])
      let start = MonotonicInstant.now
      try directory.write([1], to: "other")
      try directory.makeDirectory("a")
      #expect(watch.wait())
      try directory.makeDirectory("a/b")
      #expect(watch.wait())
      try directory.write([1], to: "a/b/socket")
      #expect(watch.wait())
      // A file that replaces another, and one that is removed with its directory and comes back.
      try directory.write([2], to: "a/b/new")
      try AtomicFile.move(directory["a/b/new"], to: directory["a/b/socket"])
      #expect(watch.wait())
      directory.remove("a")
      #expect(watch.wait())
      try directory.write([1], to: "a/b/socket")
      #expect(watch.wait())
      #expect(MonotonicInstant.now < start.advanced(byMilliseconds: 300_000))
    }

    @Test func `A file that appears before the wait is noticed, and other names are not`() throws {
      let watch = Waiter(for: directory["socket"])
      try directory.write([1], to: "socket")
      #expect(watch.wait())
      let pipe = try WakePipe()
      try directory.write([1], to: "another")
      pipe.wake()
      #expect(!watch.wait(until: pipe))
    }

    @Test func `Without an arrival the wait ends after a delay, which a wake-up does not prolong`() throws {
      let watch = Waiter(for: directory["socket"], firstPause: 30)
      let pipe = try WakePipe()
      pipe.wake()
      #expect(!watch.wait(until: pipe))
      #expect(watch.wait(until: pipe))
      let unwatched = Waiter(for: nil, firstPause: 30)
      #expect(unwatched.wait() && unwatched.wait(longest: 1))
    }
  }
#endif
