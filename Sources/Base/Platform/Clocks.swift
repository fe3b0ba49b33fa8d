#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

/// A moment on the clock that never jumps, in nanoseconds since some fixed moment.
public struct MonotonicInstant: Sendable, Hashable, Comparable {
  /// Nanoseconds.
  public let nanoseconds: UInt64

  /// The moment of this many nanoseconds.
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The present moment. Neither locks nor allocates.
  public static var now: MonotonicInstant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(
      nanoseconds: UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
        &+ UInt64(truncatingIfNeeded: time.tv_nsec))
  }

  /// Earlier moments come first.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `milliseconds` later, or the last that there is.
  public func advanced(byMilliseconds milliseconds: UInt64) -> MonotonicInstant {
    let (distance, isTooFar) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(distance)
    return MonotonicInstant(nanoseconds: isTooFar || isTooLate ? .max : sum)
  }

  /// How long poll(2) has to wait for it, in milliseconds: rounded up, and at most a day.
  var pollTimeout: CInt {
    let now = MonotonicInstant.now
    guard now < self else { return 0 }
    return CInt(min((nanoseconds - now.nanoseconds - 1) / 1_000_000 + 1, 86_400_000))
  }

  /// Blocks the calling thread until this moment; signals do not end it early.
  public func sleep() {
    while true {
      let now = MonotonicInstant.now
      guard now < self else { return }
      let rest = nanoseconds - now.nanoseconds
      var time = timespec(
        tv_sec: Int(clamping: rest / 1_000_000_000), tv_nsec: Int(clamping: rest % 1_000_000_000))
      unsafe nanosleep(&time, nil)
    }
  }
}

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

/// The clock that people set, by which files are dated.
public enum WallClock {
  /// The present moment: nanoseconds since 1970.
  public static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// A day of the calendar that the user lives by (Gregorian, in the time zone of the system).
public struct CalendarDay: Sendable, Hashable {
  /// The year.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// The present day. Any thread.
  public static var today: CalendarDay {
    var now = time(nil)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&now, &parts)
    return CalendarDay(
      year: Int(unsafe parts.tm_year) + 1900, month: Int(unsafe parts.tm_mon) + 1,
      day: Int(unsafe parts.tm_mday))
  }
}

/// How long the processor has worked for a thread: what else runs on the machine does not count.
public enum ProcessorTime {
  /// The time of the calling thread since it began.
  public static var ofThisThread: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension Duration {
  /// The milliseconds, rounded down; 0 where negative, the greatest number where they are more.
  public var wholeMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1000)
    let rest = UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    let (sum, isTooMuch) = product.addingReportingOverflow(rest)
    return isTooLong || isTooMuch ? .max : sum
  }
}
