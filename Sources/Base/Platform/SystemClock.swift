/// The time of the system.
public struct SystemClock: MonotonicClock {
  /// The system's clock.
  public init() {}

  /// The present moment.
  public var now: MonotonicInstant { .now }

  /// Sleeps until woken, or until `deadline`.
  public func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?) {
    guard let deadline else { return signal.wait() }
    _ = signal.wait(until: deadline)
  }

  /// Blocks the calling thread until `deadline`; signals do not end it early.
  public func sleep(until deadline: MonotonicInstant) { deadline.sleep() }
}
