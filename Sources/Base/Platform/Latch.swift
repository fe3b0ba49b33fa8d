import Dispatch
import Synchronization

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
