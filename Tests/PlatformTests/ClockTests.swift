// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Platform

@Suite struct MonotonicInstantTests {
  @Test func `an instant out of range is clamped to the last one`() {
    let last = MonotonicInstant(nanoseconds: .max)
    #expect(MonotonicInstant(nanoseconds: 5).advanced(byMilliseconds: .max) == last)
    #expect(MonotonicInstant(nanoseconds: .max - 1).advanced(byMilliseconds: 1) == last)
    #expect(MonotonicInstant(nanoseconds: 5).advanced(byMilliseconds: 2).nanoseconds == 2_000_005)
  }
}

struct DebounceTests {
  private func at(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `Changes are reported after a quiet time`() {
    var debounce = Debounce(WatchDelays(quiet: .milliseconds(500), longest: .seconds(5)))
    #expect(debounce.deadline == nil)
    debounce.note(at: at(1000))
    #expect(debounce.deadline == at(1500))
    debounce.note(at: at(1400))
    #expect(debounce.deadline == at(1900))
    #expect(!debounce.isQuiet(at: at(1899)))
    #expect(debounce.isQuiet(at: at(1900)))
    debounce.reset()
    #expect(debounce.deadline == nil)
  }

  @Test func `Changes are reported at the latest after the longest time`() {
    var debounce = Debounce(WatchDelays(quiet: .milliseconds(500), longest: .seconds(5)))
    for time in stride(from: UInt64(0), through: 4900, by: 100) { debounce.note(at: at(time)) }
    #expect(debounce.deadline == at(5000))
    #expect(!debounce.isQuiet(at: at(5000)))
  }
}

extension ProgramLane {
  /// The real clock.
  @Suite struct MonotonicTimeTests {
    @Test func `the clock never goes backwards`() {
      let instants = (0..<1000).map { _ in MonotonicInstant.now }
      #expect(instants == instants.sorted())
    }

    @Test func `sleeping does not end before its deadline, and ends at once if that has passed`() {
      let deadline = MonotonicInstant.now.advanced(byMilliseconds: 15)
      deadline.sleep()
      #expect(MonotonicInstant.now >= deadline)
      MonotonicInstant(nanoseconds: 0).sleep()
    }
  }
}

extension ProgramLane {
  @Suite struct SystemClockTests {
    private let clock = SystemClock()
    private let signal = ThreadSignal()

    @Test func `an earlier wake-up ends a wait without a deadline`() {
      signal.wake()
      clock.wait(for: signal, until: nil)
    }

    @Test func `a deadline that has passed does not block, and one that is reached ends the wait`() {
      let begin = clock.now
      clock.wait(for: signal, until: begin)
      let deadline = begin.advanced(byMilliseconds: 2)
      clock.wait(for: signal, until: deadline)
      #expect(clock.now >= deadline)
    }
  }
}
