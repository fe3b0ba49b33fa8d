// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Dispatch
import Synchronization
public import SystemPackage

#if !canImport(Darwin)
  import CGlibc
#endif

/// A signal that lets one thread sleep until another wakes it.
///
/// A wake-up before the wait is remembered; several count as one. Waking takes no lock, allocates nothing, and makes a
/// system call only if a thread is waiting.
public final class ThreadSignal: Sendable {
  private enum Phase {
    static let quiet = 0
    static let awake = 1
    static let waiting = -1
  }

  private let phase = Atomic(Phase.quiet)
  private let semaphore = ThreadSemaphore()

  /// Creates a signal that has not been woken.
  public init() {}

  /// Whether a thread is sleeping and has not been woken. Can be read from any thread; the value may already be out of
  /// date.
  package var hasSleeper: Bool { phase.load(ordering: .acquiring) == Phase.waiting }

  /// Wakes the waiting thread, or the next one that waits. Can be called from any thread.
  public func wake() {
    if phase.exchange(Phase.awake, ordering: .acquiringAndReleasing) == Phase.waiting { semaphore.signal() }
  }

  /// Sleeps until woken. Only one thread may wait at a time.
  public func wait() {
    while !takeWakeUp() { semaphore.wait() }
  }

  /// Sleeps until woken or until `deadline`; returns whether it was woken. Only one thread may wait at a time.
  public func wait(until deadline: MonotonicInstant) -> Bool {
    while !takeWakeUp() {
      let now = MonotonicInstant.now
      guard now < deadline else { return giveUp() }
      if !semaphore.wait(until: deadline, from: now), giveUp() { return true }
    }
    return true
  }

  /// Consumes a wake-up and returns `true`, or marks this thread as waiting and returns `false`.
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

  /// Stops waiting; if there was a wake-up meanwhile, consumes it and returns `true`.
  private func giveUp() -> Bool {
    // An exchange, not a store: what was written before a concurrent wake-up must become visible.
    phase.exchange(Phase.quiet, ordering: .acquiringAndReleasing) == Phase.awake
  }
}

#if canImport(Darwin)
  /// A semaphore that starts at 0.
  final class ThreadSemaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Increments the count, and wakes one waiting thread. Can be called from any thread.
    func signal() { semaphore.signal() }

    /// Waits until the count is positive, and decrements it.
    func wait() { semaphore.wait() }

    /// Waits until the count is positive, and decrements it. Returns `false` if it is still 0 at `deadline`, or after
    /// an hour.
    func wait(until deadline: MonotonicInstant, from now: MonotonicInstant) -> Bool {
      // Dispatch interprets times beyond 2^63 as those of another clock.
      let rest = min(deadline.nanoseconds - now.nanoseconds, 3_600_000_000_000)
      let end = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + rest)
      return semaphore.wait(timeout: end) == .success
    }
  }
#else
  /// A semaphore that starts at 0. It is the C library's, because Dispatch's waits by the wall clock, and thus too long
  /// if the clock is set back.
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

    /// Increments the count, and wakes one waiting thread. Can be called from any thread.
    func signal() { unsafe signalSemaphore(pointer) }

    /// Waits until the count is positive, and decrements it.
    func wait() { unsafe waitForSemaphore(pointer) }

    /// Waits until the count is positive, and decrements it. Returns `false` if it is still 0 at `deadline`.
    func wait(until deadline: MonotonicInstant, from now: MonotonicInstant) -> Bool {
      // This clock does not exceed the range of a signed number.
      unsafe waitForSemaphoreUntil(pointer, min(deadline.nanoseconds, UInt64(Int64.max))) != 0
    }
  }
#endif

/// A latch that blocks all waiting threads until it is opened. It cannot be closed again.
public final class Latch: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Atomic(false)

  public init() { group.enter() }

  deinit { open() }

  /// Opens the latch. Can be called from any thread; further calls have no effect.
  public func open() {
    if !isOpen.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
  }

  /// Blocks until the latch is open. Can be called by several threads at once, but not on the cooperative pool.
  public func wait() { group.wait() }

  /// Blocks until the latch is open or `deadline` is reached; returns whether it is open.
  public func wait(until deadline: MonotonicInstant) -> Bool {
    let now = MonotonicInstant.now
    let rest = deadline > now ? min(deadline.nanoseconds - now.nanoseconds, 1 << 60) : 0
    let end = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + rest)
    return group.wait(timeout: end) == .success
  }
}

/// A pipe that wakes a thread which polls file descriptors. It is closed when the last reference to it is released.
public final class WakePipe: Sendable {
  /// The descriptor to poll: readable from a wake-up until ``clear()``.
  public let reader: FileDescriptor
  private let writer: FileDescriptor

  /// Creates a pipe without a wake-up.
  ///
  /// - Throws: `Errno` if the system has no descriptors left.
  public init() throws(Errno) {
    (reader, writer) = try FileDescriptor.ownPipe()
    for end in [reader, writer] { _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// Wakes the thread now, or at its next wait. Can be called from any thread.
  public func wake() {
    // If the pipe is full, the thread will wake anyway.
    _ = try? writer.writeAll(CollectionOfOne(UInt8(0)))
  }

  /// Consumes all wake-ups. Call it only on the waiting thread.
  public func clear() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while let count = try? unsafe reader.read(into: buffer), count == buffer.count {}
    }
  }

  /// Waits for a wake-up, for at most `milliseconds`, and consumes all wake-ups. Call it only on the waiting thread.
  public func wait(milliseconds: Int) {
    var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, Int32(clamping: max(0, milliseconds)))
    clear()
  }
}
