import Platform
import Synchronization

/// Shows others since when a thread has been inside a call that can block, and lets them give the thread up.
///
/// A thread that was given up learns it when the call returns, and then touches nothing that it shared.
final class BlockingWatch: Sendable {
  private static let free: UInt64 = 0
  private static let givenUp: UInt64 = 1

  /// The moment at which the call began, in nanoseconds, or one of the two above.
  private let state = Atomic(BlockingWatch.free)

  /// The call begins. Watched thread only.
  func begin(at now: MonotonicInstant = .now) { state.store(max(2, now.nanoseconds), ordering: .releasing) }

  /// A call begins that may well take so many milliseconds, which do not count. Watched thread only.
  func begin(allowing milliseconds: UInt64) { begin(at: .now.advanced(byMilliseconds: milliseconds)) }

  /// The call has returned, or none was watched; `false` where the thread was given up meanwhile. Watched thread only.
  func end() -> Bool {
    state.exchange(Self.free, ordering: .acquiringAndReleasing) != Self.givenUp
  }

  /// Whether the call has not returned for so many milliseconds. From any thread.
  func isBlocked(forMilliseconds milliseconds: UInt64) -> Bool {
    let since = state.load(ordering: .acquiring)
    return since > Self.givenUp
      && MonotonicInstant(nanoseconds: since).advanced(byMilliseconds: milliseconds) <= .now
  }

  /// Gives the thread up if the call has not returned for so many milliseconds; says whether it has. From any thread.
  func giveUp(afterMilliseconds milliseconds: UInt64) -> Bool {
    let since = state.load(ordering: .acquiring)
    guard since > Self.givenUp,
      MonotonicInstant(nanoseconds: since).advanced(byMilliseconds: milliseconds) <= .now
    else { return false }
    return state.compareExchange(
      expected: since, desired: Self.givenUp, ordering: .acquiringAndReleasing
    ).exchanged
  }
}
