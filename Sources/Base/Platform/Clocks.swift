// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard

/// A clock for threads that act at certain times: the system's clock, or a simulated one in tests.
public protocol MonotonicClock: Sendable {
  /// The current instant. Can be read from any thread.
  var now: MonotonicInstant { get }

  /// Blocks the calling thread until `signal` wakes it or `deadline` is reached. If `deadline` is `nil`, only the
  /// signal ends the wait.
  ///
  /// The call may return earlier, so callers must check again what there is to do.
  func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?)

  /// Blocks the calling thread until `deadline`.
  func sleep(until deadline: MonotonicInstant)
}

extension MonotonicClock {
  /// Blocks the calling thread until `signal` wakes it; may return earlier.
  public func wait(for signal: ThreadSignal) { wait(for: signal, until: nil) }
}

/// An instant on the monotonic clock, in nanoseconds since a fixed but unspecified instant.
public struct MonotonicInstant: Sendable, Hashable, Comparable {
  /// The number of nanoseconds since the clock's fixed, unspecified origin.
  public let nanoseconds: UInt64

  /// Creates an instant from a number of nanoseconds.
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The current instant. Reading it neither locks nor allocates.
  public static var now: MonotonicInstant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(
      nanoseconds: UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
        &+ UInt64(truncatingIfNeeded: time.tv_nsec))
  }

  /// Orders instants by time.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the instant `milliseconds` later, or the last one that can be represented.
  public func advanced(byMilliseconds milliseconds: UInt64) -> MonotonicInstant {
    let (distance, isTooFar) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(distance)
    return MonotonicInstant(nanoseconds: isTooFar || isTooLate ? .max : sum)
  }

  /// The time until this instant in milliseconds, as a timeout for poll(2): rounded up, and at most a day.
  var pollTimeout: CInt {
    let now = MonotonicInstant.now
    guard now < self else { return 0 }
    return CInt(min((nanoseconds - now.nanoseconds - 1) / 1_000_000 + 1, 86_400_000))
  }

  /// Blocks the calling thread until this instant; POSIX signals do not end the sleep early.
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

/// The monotonic clock of the system.
public struct SystemClock: MonotonicClock {
  public init() {}

  /// The current instant.
  public var now: MonotonicInstant { .now }

  /// Blocks the calling thread until `signal` wakes it or `deadline` is reached.
  public func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?) {
    guard let deadline else { return signal.wait() }
    _ = signal.wait(until: deadline)
  }

  /// Blocks the calling thread until `deadline`; POSIX signals do not end the sleep early.
  public func sleep(until deadline: MonotonicInstant) { deadline.sleep() }
}

/// The wall clock, which users can set. File dates are based on it.
public enum WallClock {
  /// The current time in nanoseconds since 1970.
  public static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// A day of the Gregorian calendar, in the time zone of the system.
public struct CalendarDay: Sendable, Hashable {
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The current date. Can be read from any thread.
  public static var today: CalendarDay {
    var now = time(nil)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&now, &parts)
    return CalendarDay(
      year: Int(unsafe parts.tm_year) + 1900, month: Int(unsafe parts.tm_mon) + 1,
      day: Int(unsafe parts.tm_mday))
  }
}

/// A time of day on a day of the Gregorian calendar, in the time zone of the system.
public struct LocalTime: Sendable, Hashable {
  public let day: CalendarDay
  public let hour: Int
  public let minute: Int

  /// Creates the local time at `seconds` since 1970; returns `nil` if it cannot be represented.
  public init?(secondsSince1970 seconds: Int64) {
    var time = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return nil }
    day = CalendarDay(
      year: Int(unsafe parts.tm_year) + 1900, month: Int(unsafe parts.tm_mon) + 1, day: Int(unsafe parts.tm_mday))
    (hour, minute) = (Int(unsafe parts.tm_hour), Int(unsafe parts.tm_min))
  }
}

extension CalendarDay {
  /// The day as in ISO 8601, such as 2026-05-01.
  public var text: String {
    func padded(_ number: Int, to digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }

  /// The time when the day begins, in seconds since 1970; `nil` if it cannot be represented. A day beyond the end of
  /// its month is counted into the next one.
  public var start: Int64? {
    var parts = unsafe tm()
    guard let year = Int32(exactly: year - 1900), let month = Int32(exactly: month - 1), let day = Int32(exactly: day)
    else { return nil }
    unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year, month, day)
    // Whether it is daylight saving time is looked up.
    unsafe parts.tm_isdst = -1
    let seconds = unsafe mktime(&parts)
    return seconds == -1 ? nil : Int64(seconds)
  }
}

/// The processor time used by threads.
public enum ProcessorTime {
  /// The processor time of the calling thread since it started.
  public static var ofThisThread: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension Duration {
  /// The duration in whole milliseconds; 0 if negative, `UInt64.max` if it is too long.
  public var wholeMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1000)
    let rest = UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    let (sum, isTooMuch) = product.addingReportingOverflow(rest)
    return isTooLong || isTooMuch ? .max : sum
  }
}
