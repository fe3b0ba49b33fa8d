#if canImport(Darwin)
  import Dispatch

  /// A semaphore that begins at 0.
  final class ThreadSemaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Counts up, and wakes one thread that waits. From any thread.
    func signal() { semaphore.signal() }

    /// Waits until it can count down.
    func wait() { semaphore.wait() }

    /// The same until `deadline`, or for a part of that time; `false` where it could not count down.
    func wait(until deadline: MonotonicInstant, from now: MonotonicInstant) -> Bool {
      // Dispatch takes a moment beyond 2^63 for another clock's.
      let rest = min(deadline.nanoseconds - now.nanoseconds, 3_600_000_000_000)
      let end = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + rest)
      return semaphore.wait(timeout: end) == .success
    }
  }
#else
  import CGlibc

  /// A semaphore that begins at 0: that of the C library, since Dispatch's waits by the wall clock, and too long where
  /// that is set back.
  final class ThreadSemaphore: Sendable {
    /// Its address; as a number it may go from thread to thread.
    private let address: UInt

    init() {
      guard let made = unsafe makeSemaphore() else { fatalError("there is no memory for a semaphore") }
      address = UInt(bitPattern: made)
    }

    deinit { unsafe freeSemaphore(pointer) }

    private var pointer: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: address) }

    /// Counts up, and wakes one thread that waits. From any thread.
    func signal() { unsafe signalSemaphore(pointer) }

    /// Waits until it can count down.
    func wait() { unsafe waitForSemaphore(pointer) }

    /// The same until `deadline`; `false` where it could not count down.
    func wait(until deadline: MonotonicInstant, from now: MonotonicInstant) -> Bool {
      // No moment of this clock is later than a signed number can say.
      unsafe waitForSemaphoreUntil(pointer, min(deadline.nanoseconds, UInt64(Int64.max))) != 0
    }
  }
#endif
