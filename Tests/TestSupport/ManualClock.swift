// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
public import Platform
import Synchronization

/// A clock that stands still until a test advances it.
public final class ManualClock: MonotonicClock {
  /// A thread that is sleeping on the clock.
  private struct Sleeper: Sendable {
    let signal: ThreadSignal
    /// The time at which to wake the thread; `nil` if it is waiting only for its signal.
    let deadline: MonotonicInstant?
  }

  private struct State: Sendable {
    var now = MonotonicInstant(nanoseconds: 0)
    /// The sleeping threads, by the order in which they began to sleep.
    var sleepers: [Int: Sleeper] = [:]
    /// The number of the last sleeper.
    var lastNumber = 0
  }

  private let state = Watched(State())
  private let busyCount = Mutex<(@Sendable () -> Int)?>(nil)

  /// Creates a clock that shows 0.
  public init() {}

  /// The time that the clock shows.
  public var now: MonotonicInstant { state.value.now }

  /// Sleeps until the thread is woken, or until the test has advanced the clock to `deadline`.
  public func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?) {
    let number: Int? = state.change { state in
      if let deadline, deadline <= state.now { return nil }
      state.lastNumber += 1
      state.sleepers[state.lastNumber] = Sleeper(signal: signal, deadline: deadline)
      return state.lastNumber
    }
    guard let number else { return }
    signal.wait()
    state.change { _ = $0.sleepers.removeValue(forKey: number) }
  }

  /// Sleeps until the test has advanced the clock to `deadline`.
  public func sleep(until deadline: MonotonicInstant) {
    let signal = ThreadSignal()
    while now < deadline { wait(for: signal, until: deadline) }
  }

  /// Advances the clock by this duration.
  public func advance(byMilliseconds milliseconds: UInt64) {
    advance(to: now.advanced(byMilliseconds: milliseconds))
  }

  private func advance(to instant: MonotonicInstant) {
    let dueSleepers = state.change { state in
      state.now = max(state.now, instant)
      return state.sleepers.values.filter { $0.deadline.map { $0 <= state.now } ?? false }
    }
    for sleeper in dueSleepers { sleeper.signal.wake() }
  }

  /// Blocks until a thread is sleeping until exactly `milliseconds` after 0. Returns `false` if none does in time.
  public func awaitSleeper(untilMilliseconds milliseconds: UInt64) -> Bool {
    awaitSleeper(untilMilliseconds: milliseconds...milliseconds)
  }

  /// Blocks until a thread is sleeping until an instant in this range, in milliseconds after 0. Returns `false` if none
  /// does in time.
  public func awaitSleeper(untilMilliseconds milliseconds: ClosedRange<UInt64>) -> Bool {
    let nanoseconds = milliseconds.lowerBound * 1_000_000...milliseconds.upperBound * 1_000_000
    return state.wait {
      $0.sleepers.values.contains { $0.deadline.map { nanoseconds.contains($0.nanoseconds) } ?? false }
    }
  }

  /// Sets the number of threads that must be sleeping before time passes in ``run(until:)``. It must include all
  /// threads that could be working, except those that the test itself blocks.
  public func setBusyCount(_ count: @escaping @Sendable () -> Int) { busyCount.withLock { $0 = count } }

  /// Advances the clock from one deadline to the next until `isReached` returns `true`. Returns whether it did.
  ///
  /// Time passes only while all threads are sleeping on this clock, so their work takes no time, and happens in the
  /// same order in every run. Returns `false` after a minute of real time.
  public func run(until isReached: () -> Bool) -> Bool {
    let end = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    let busyCount = busyCount.withLock { $0 }
    while MonotonicInstant.now < end {
      let isAsleep = busyCount.map { areSleeping($0) } ?? false
      // Check the condition before time passes, since it may hold because of what the threads did before they slept.
      if isReached() { return true }
      if isAsleep, let next = state.value.sleepers.values.compactMap(\.deadline).min() {
        advance(to: next)
      } else {
        usleep(20)
      }
    }
    return isReached()
  }

  /// Advances the clock by at most `milliseconds`. Returns whether all threads then sleep without a deadline, so that
  /// nothing can wake them any more.
  public func comesToRest(withinMilliseconds milliseconds: UInt64) -> Bool {
    let limit = now.advanced(byMilliseconds: milliseconds)
    let busyCount = busyCount.withLock { $0 } ?? { 0 }
    let areAtRest = {
      self.areSleeping(busyCount) && self.state.value.sleepers.values.allSatisfy { $0.deadline == nil }
    }
    var isAtRest = false
    return run {
      isAtRest = areAtRest()
      return isAtRest || now >= limit
    } && isAtRest
  }

  /// Returns whether this number of threads is sleeping, all at the same time.
  private func areSleeping(_ busyCount: () -> Int) -> Bool {
    let before = Set(sleepingNumbers)
    // A thread that is sleeping in the same call at both times has been sleeping all the time between them.
    return before.count == busyCount() && before == Set(sleepingNumbers)
  }

  private var sleepingNumbers: [Int] {
    state.value.sleepers.filter { $0.value.signal.hasSleeper }.map(\.key)
  }
}
