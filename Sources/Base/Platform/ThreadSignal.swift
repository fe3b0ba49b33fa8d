import Synchronization

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
  public var hasSleeper: Bool { phase.load(ordering: .acquiring) == Phase.waiting }

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
