#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
