public import Platform

/// A clock that stands still until a test moves it.
public final class ManualClock: MonotonicClock {
  private struct State: Sendable {
    var now = MonotonicInstant(nanoseconds: 0)
    /// The deadlines of those who sleep, by their order of coming; the last moment for one who has none.
    var sleepers: [Int: MonotonicInstant] = [:]
    var signals: [ThreadSignal] = []
    var count = 0
  }

  private let state = Watched(State())

  /// A clock at its beginning.
  public init() {}

  /// The moment that the test has reached.
  public var now: MonotonicInstant { state.value.now }

  /// Sleeps until woken, or until the test reaches `deadline`.
  public func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?) {
    let number: Int? = state.change { state in
      if let deadline, deadline <= state.now { return nil }
      if !state.signals.contains(where: { $0 === signal }) { state.signals.append(signal) }
      state.count += 1
      state.sleepers[state.count] = deadline ?? MonotonicInstant(nanoseconds: .max)
      return state.count
    }
    guard let number else { return }
    signal.wait()
    state.change { _ = $0.sleepers.removeValue(forKey: number) }
  }

  /// Lets so much time pass.
  public func advance(byMilliseconds milliseconds: UInt64) {
    let signals = state.change { state in
      state.now = state.now.advanced(byMilliseconds: milliseconds)
      return state.signals
    }
    for signal in signals { signal.wake() }
  }

  /// Blocks until someone sleeps until just `milliseconds` after the beginning; `false` where nobody does.
  public func awaitSleeper(untilMilliseconds milliseconds: UInt64) -> Bool {
    let deadline = MonotonicInstant(nanoseconds: 0).advanced(byMilliseconds: milliseconds)
    return state.wait { $0.sleepers.values.contains(deadline) }
  }
}
