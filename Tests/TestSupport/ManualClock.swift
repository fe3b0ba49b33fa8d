import Foundation
public import Platform
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: MonotonicClock {
  /// A thread that sleeps on the clock.
  private struct Sleeper: Sendable {
    let signal: ThreadSignal
    /// When it is to be woken; `nil` for one that waits for its signal alone.
    let deadline: MonotonicInstant?
  }

  private struct State: Sendable {
    var now = MonotonicInstant(nanoseconds: 0)
    /// By the order in which they came.
    var sleepers: [Int: Sleeper] = [:]
    var count = 0
  }

  private let state = Watched(State())
  private let busyCount = Mutex<(@Sendable () -> Int)?>(nil)

  /// A clock at its beginning.
  public init() {}

  /// The moment that the test has reached.
  public var now: MonotonicInstant { state.value.now }

  /// Sleeps until woken, or until the test reaches `deadline`.
  public func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?) {
    let number: Int? = state.change { state in
      if let deadline, deadline <= state.now { return nil }
      state.count += 1
      state.sleepers[state.count] = Sleeper(signal: signal, deadline: deadline)
      return state.count
    }
    guard let number else { return }
    signal.wait()
    state.change { _ = $0.sleepers.removeValue(forKey: number) }
  }

  /// Sleeps until the test reaches `deadline`.
  public func sleep(until deadline: MonotonicInstant) {
    let signal = ThreadSignal()
    while now < deadline { wait(for: signal, until: deadline) }
  }

  /// Lets so much time pass.
  public func advance(byMilliseconds milliseconds: UInt64) {
    advance(to: now.advanced(byMilliseconds: milliseconds))
  }

  private func advance(to instant: MonotonicInstant) {
    let due = state.change { state in
      state.now = max(state.now, instant)
      return state.sleepers.values.filter { $0.deadline.map { $0 <= state.now } ?? false }
    }
    for sleeper in due { sleeper.signal.wake() }
  }

  /// Blocks until someone sleeps until just `milliseconds` after the beginning; `false` where nobody does.
  public func awaitSleeper(untilMilliseconds milliseconds: UInt64) -> Bool {
    let deadline = MonotonicInstant(nanoseconds: 0).advanced(byMilliseconds: milliseconds)
    return state.wait { $0.sleepers.values.contains { $0.deadline == deadline } }
  }

  /// Has time pass in ``run(until:)`` while so many threads sleep: all that could do something. Those that the test
  /// itself blocks are not among them.
  public func setBusyCount(_ count: @escaping @Sendable () -> Int) { busyCount.withLock { $0 = count } }

  /// Lets time pass from one deadline to the next until `isReached` holds, and returns whether it does.
  ///
  /// Time passes only while all threads sleep on this clock: so whatever they do takes no time, and comes in the same
  /// order at every run. It is `false` where it is not reached within a minute of real time.
  public func run(until isReached: () -> Bool) -> Bool {
    let end = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    let busyCount = busyCount.withLock { $0 }
    while MonotonicInstant.now < end {
      let isAsleep = busyCount.map { sleeps($0) } ?? false
      // What the threads did before they slept counts, and comes before any time passes.
      if isReached() { return true }
      if isAsleep, let next = state.value.sleepers.values.compactMap(\.deadline).min() {
        advance(to: next)
      } else {
        usleep(20)
      }
    }
    return isReached()
  }

  /// Whether all threads sleep without a deadline before `milliseconds` have passed: nothing wakes them by itself then.
  public func comesToRest(withinMilliseconds milliseconds: UInt64) -> Bool {
    let limit = now.advanced(byMilliseconds: milliseconds)
    let busyCount = busyCount.withLock { $0 } ?? { 0 }
    let rests = { self.sleeps(busyCount) && self.state.value.sleepers.values.allSatisfy { $0.deadline == nil } }
    var isAtRest = false
    return run {
      isAtRest = rests()
      return isAtRest || now >= limit
    } && isAtRest
  }

  /// Whether so many threads sleep, all at the same moment.
  private func sleeps(_ busyCount: () -> Int) -> Bool {
    let before = Set(sleepingNumbers)
    // Whoever sleeps at both looks, and by the same call, has slept all the time between.
    return before.count == busyCount() && before == Set(sleepingNumbers)
  }

  private var sleepingNumbers: [Int] {
    state.value.sleepers.filter { $0.value.signal.hasSleeper }.map(\.key)
  }
}
