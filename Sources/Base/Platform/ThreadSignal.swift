// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import Synchronization

#if !canImport(Darwin)
  import CGlibc
#endif

/// Lets one thread sleep until another wakes it.
///
/// A wake-up before the wait is remembered, and several count as one. Waking takes no lock, allocates nothing, and
/// costs a system call only if a thread waits.
public final class ThreadSignal: Sendable {
  private enum Phase {
    static let quiet = 0
    static let awake = 1
    static let waiting = -1
  }

  private let phase = Atomic(Phase.quiet)
  private let semaphore = ThreadSemaphore()

  /// Creates a signal without a wake-up.
  public init() {}

  /// Whether a thread sleeps and has not been woken. From any thread; may be out of date when it returns.
  package var hasSleeper: Bool { phase.load(ordering: .acquiring) == Phase.waiting }

  /// Wakes the waiting thread, or the next that waits. From any thread.
  public func wake() {
    if phase.exchange(Phase.awake, ordering: .acquiringAndReleasing) == Phase.waiting { semaphore.signal() }
  }

  /// Sleeps until woken. For one thread at a time.
  public func wait() {
    while !takeWakeUp() { semaphore.wait() }
  }

  /// Sleeps until woken or until `deadline`; returns whether it was woken. For one thread at a time.
  public func wait(until deadline: MonotonicInstant) -> Bool {
    while !takeWakeUp() {
      let now = MonotonicInstant.now
      guard now < deadline else { return giveUp() }
      if !semaphore.wait(until: deadline, from: now), giveUp() { return true }
    }
    return true
  }

  /// Consumes a wake-up, or else marks this thread as waiting.
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

  /// Stops waiting; returns whether a wake-up came meanwhile, which is consumed.
  private func giveUp() -> Bool {
    // An exchange, not a store: what was written before a concurrent wake-up must become visible.
    phase.exchange(Phase.quiet, ordering: .acquiringAndReleasing) == Phase.awake
  }
}

#if canImport(Darwin)
  /// A semaphore that starts at 0.
  final class ThreadSemaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Increments the count, and wakes one waiting thread. From any thread.
    func signal() { semaphore.signal() }

    /// Waits until it can decrement the count.
    func wait() { semaphore.wait() }

    /// Waits as above until `deadline`, or for a part of that time; returns `false` if it could not decrement the
    /// count.
    func wait(until deadline: MonotonicInstant, from now: MonotonicInstant) -> Bool {
      // Dispatch interprets times beyond 2^63 as those of another clock.
      let rest = min(deadline.nanoseconds - now.nanoseconds, 3_600_000_000_000)
      let end = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + rest)
      return semaphore.wait(timeout: end) == .success
    }
  }
#else
  /// A semaphore that starts at 0: the C library's, since Dispatch's waits by the wall clock, and too long if that is
  /// set back.
  final class ThreadSemaphore: Sendable {
    /// The address of the semaphore; as a number it is `Sendable`.
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

    /// Increments the count, and wakes one waiting thread. From any thread.
    func signal() { unsafe signalSemaphore(pointer) }

    /// Waits until it can decrement the count.
    func wait() { unsafe waitForSemaphore(pointer) }

    /// Waits as above until `deadline`; returns `false` if it could not decrement the count.
    func wait(until deadline: MonotonicInstant, from now: MonotonicInstant) -> Bool {
      // This clock does not exceed the range of a signed number.
      unsafe waitForSemaphoreUntil(pointer, min(deadline.nanoseconds, UInt64(Int64.max))) != 0
    }
  }
#endif

/// A latch that blocks all waiting threads until it is opened, for good.
public final class Latch: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Atomic(false)

  /// Creates a closed latch.
  public init() { group.enter() }

  deinit { open() }

  /// Opens the latch. From any thread, any number of times.
  public func open() {
    if !isOpen.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
  }

  /// Blocks until it is open. From any thread outside of the cooperative pool, and from several at once.
  public func wait() { group.wait() }

  /// Blocks until it is open, at most until `deadline`; returns whether it is.
  public func wait(until deadline: MonotonicInstant) -> Bool {
    let now = MonotonicInstant.now
    let rest = deadline > now ? min(deadline.nanoseconds - now.nanoseconds, 1 << 60) : 0
    let end = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + rest)
    return group.wait(timeout: end) == .success
  }
}
