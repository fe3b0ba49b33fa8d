import Dispatch
import Synchronization

#if !canImport(Darwin)
  import CGlibc
#endif

/// Lets one thread sleep until another has something for it.
///
/// A wake-up that comes before the wait is kept, and several count as one. Waking takes no lock, allocates nothing,
/// and costs a system call only where a thread waits.
public final class ThreadSignal: Sendable {
  private enum Phase {
    static let quiet = 0
    static let awake = 1
    static let waiting = -1
  }

  private let phase = Atomic(Phase.quiet)
  private let semaphore = ThreadSemaphore()

  /// A signal that has not been given.
  public init() {}

  /// Whether a thread sleeps, and nobody has woken it. From any thread; it may be over when this returns.
  package var hasSleeper: Bool { phase.load(ordering: .acquiring) == Phase.waiting }

  /// Wakes the waiting thread, or the next that waits. From any thread.
  public func wake() {
    if phase.exchange(Phase.awake, ordering: .acquiringAndReleasing) == Phase.waiting { semaphore.signal() }
  }

  /// Sleeps until woken. For one thread at a time.
  public func wait() {
    while !takeWakeUp() { semaphore.wait() }
  }

  /// Sleeps until woken or until `deadline`, and says whether it was woken. For one thread at a time.
  public func wait(until deadline: MonotonicInstant) -> Bool {
    while !takeWakeUp() {
      let now = MonotonicInstant.now
      guard now < deadline else { return giveUp() }
      if !semaphore.wait(until: deadline, from: now), giveUp() { return true }
    }
    return true
  }

  /// Consumes a wake-up that was given, or else marks this thread as waiting.
  private func takeWakeUp() -> Bool {
    while true {
      let (isDone, found) = phase.compareExchange(
        expected: Phase.awake, desired: Phase.quiet, ordering: .acquiringAndReleasing)
      if isDone { return true }
      if found == Phase.waiting { return false }
      if phase.compareExchange(
        expected: Phase.quiet, desired: Phase.waiting, ordering: .acquiringAndReleasing
      ).exchanged {
        return false
      }
    }
  }

  /// Stops waiting; gives whether a wake-up came meanwhile, which is consumed.
  private func giveUp() -> Bool {
    // An exchange, no store: what was written before a wake-up that comes just now must be seen.
    phase.exchange(Phase.quiet, ordering: .acquiringAndReleasing) == Phase.awake
  }
}

#if canImport(Darwin)
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
  /// A semaphore that begins at 0: that of the C library, since Dispatch's waits by the wall clock, and too long where
  /// that is set back.
  final class ThreadSemaphore: Sendable {
    /// Its address; as a number it may go from thread to thread.
    private let address: UInt

    init() {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: semaphoreSize(), alignment: 16)
      unsafe beginSemaphore(bytes)
      address = UInt(bitPattern: bytes)
    }

    deinit {
      unsafe endSemaphore(pointer)
      unsafe pointer?.deallocate()
    }

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

/// Holds up whoever waits until it is opened, once and for all.
public final class Latch: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Atomic(false)

  /// A latch that is shut.
  public init() { group.enter() }

  deinit { open() }

  /// Lets all pass from now on. From any thread, any number of times.
  public func open() {
    if !isOpen.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
  }

  /// Blocks until it is open. From any thread outside of the cooperative pool, and from several at once.
  public func wait() { group.wait() }

  /// Blocks until it is open, at most until `deadline`; says whether it is.
  public func wait(until deadline: MonotonicInstant) -> Bool {
    let now = MonotonicInstant.now
    let rest = deadline > now ? min(deadline.nanoseconds - now.nanoseconds, 1 << 60) : 0
    let end = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + rest)
    return group.wait(timeout: end) == .success
  }
}
