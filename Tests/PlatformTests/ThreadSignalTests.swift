// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  @Suite struct ThreadSignalTests {
    /// Returns an instant this far in the future; by default, later than any wait may take.
    private func soon(_ milliseconds: UInt64 = 60_000) -> MonotonicInstant {
      MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    }

    @Test func `a wake-up before the wait is remembered, and several count as one`() {
      let signal = ThreadSignal()
      for _ in 0..<3 { signal.wake() }
      #expect(signal.wait(until: soon()))
      #expect(!signal.wait(until: soon(5)))
    }

    @Test func `a wait without a wake-up lasts until its deadline`() {
      let signal = ThreadSignal()
      let deadline = soon(20)
      #expect(!signal.wait(until: deadline))
      #expect(MonotonicInstant.now >= deadline)
      #expect(!signal.wait(until: MonotonicInstant(nanoseconds: 0)))
    }

    @Test func `after waits that timed out a wake-up still counts, once`() {
      let signal = ThreadSignal()
      for _ in 0..<3 {
        #expect(!signal.wait(until: soon(1)))
        signal.wake()
        #expect(signal.wait(until: soon()))
      }
      #expect(!signal.wait(until: soon(5)))
    }

    @Test func `a deadline out of range is waited for without busy waiting`() throws {
      let signal = ThreadSignal()
      let isWoken = Watched(false)
      let waiter = try WorkerThread(name: "waiter") {
        let result = signal.wait(until: MonotonicInstant(nanoseconds: .max))
        isWoken.change { $0 = result }
      }
      #expect(!waiter.join(until: soon(20)))
      signal.wake()
      #expect(waiter.join(until: soon()))
      #expect(isWoken.value)
    }

    #if os(Linux)
      @Test func `a deadline is measured by the monotonic clock`() throws {
        let signal = ThreadSignal()
        let name = "monotonic-wait"
        let waiter = try WorkerThread(name: name) { _ = signal.wait(until: soon()) }
        let tasks = FilePath("/proc/self/task")
        // The system call in which the thread is blocked: its number and its arguments.
        var call: [String] = []
        while call.count < 3 {
          guard signal.hasSleeper else { continue }
          for thread in try DirectoryListing(of: tasks).entries.map({ tasks.appending($0.name) }) {
            let comm = try? String(contentsOfFile: thread.appending("comm").string, encoding: .utf8)
            let text = try? String(contentsOfFile: thread.appending("syscall").string, encoding: .utf8)
            if comm == name + "\n" { call = (text ?? "").split(separator: " ").map(String.init) }
          }
        }
        signal.wake()
        #expect(waiter.join(until: soon()))
        let operation = try #require(UInt64(call[2].dropFirst(2), radix: 16))
        // FUTEX_WAIT_BITSET, without FUTEX_CLOCK_REALTIME.
        #expect(operation & 0x7F == 9 && operation & 0x100 == 0, "\(call)")
      }
    #endif

    @Test func `no wake-up between two threads is lost`() throws {
      let (ping, pong) = (ThreadSignal(), ThreadSignal())
      let threads = try [
        WorkerThread(name: "ping") {
          for _ in 0..<50_000 {
            ping.wake()
            pong.wait()
          }
        },
        WorkerThread(name: "pong") {
          for _ in 0..<50_000 {
            ping.wait()
            pong.wake()
          }
        },
      ]
      let deadline = soon()
      #expect(threads.allSatisfy { $0.join(until: deadline) })
    }

    @Test func `writes before a wake-up are visible after the wait, also if the waiter often times out`()
      throws
    {
      let signal = ThreadSignal()
      let written = Atomic(0)
      let count = 100_000
      let lost = Watched(0)
      let reader = try WorkerThread(name: "reader") {
        var wakeUps = 0
        while true {
          let before = written.load(ordering: .acquiring)
          guard before < count else { return }
          let hasWoken =
            wakeUps.isMultiple(of: 2)
            ? signal.wait(until: MonotonicInstant.now) : signal.wait(until: .now.advanced(byMilliseconds: 500))
          // For all numbers but the last there has been a wake-up: it must still be pending, or it was lost.
          let hasWakeUp = written.load(ordering: .acquiring) > before + 1
          if !hasWoken, hasWakeUp, !signal.wait(until: MonotonicInstant.now) { lost.change { $0 += 1 } }
          wakeUps += 1
        }
      }
      let writer = try WorkerThread(name: "writer") {
        for number in 1...count {
          written.store(number, ordering: .releasing)
          signal.wake()
        }
      }
      #expect(writer.join(until: soon()))
      signal.wake()
      #expect(reader.join(until: soon()))
      #expect(lost.value == 0)
    }
  }
}
