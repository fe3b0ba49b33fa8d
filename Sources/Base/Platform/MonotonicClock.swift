/// The time as a thread sees it that acts when time has passed: the system's, or a test's.
public protocol MonotonicClock: Sendable {
  /// The present moment. From any thread.
  var now: MonotonicInstant { get }

  /// Has the calling thread sleep until `signal` wakes it or `deadline` has come; without a deadline, until it is
  /// woken.
  ///
  /// It may return earlier: whoever calls looks again at what there is to do.
  func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?)

  /// Blocks the calling thread until `deadline`.
  func sleep(until deadline: MonotonicInstant)
}

extension MonotonicClock {
  /// Has the calling thread sleep until `signal` wakes it. It may return earlier.
  public func wait(for signal: ThreadSignal) { wait(for: signal, until: nil) }
}
