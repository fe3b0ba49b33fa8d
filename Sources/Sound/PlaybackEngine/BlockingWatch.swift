import Platform
import Synchronization

/// Shows others since when a thread has been inside a call that can block, and lets them give the thread up.
///
/// A thread that was given up learns it when the call returns; then it touches nothing that it shared, and ends.
final class BlockingWatch: Sendable {
  private static let free: UInt64 = 0
  private static let givenUp: UInt64 = 1

  /// The moment at which the call began, in nanoseconds, or one of the two above.
  private let state = Atomic(BlockingWatch.free)
  private let clock: any MonotonicClock

  /// A watch of a thread that is in no call; `clock` says how long one takes.
  init(clock: any MonotonicClock) { self.clock = clock }

  /// Whether the thread was given up; then it is for good. From any thread.
  var isGivenUp: Bool { state.load(ordering: .acquiring) == Self.givenUp }

  /// The call begins. Watched thread only.
  func begin() { begin(at: clock.now) }

  /// The call begins at this moment, which is the present one, or not reached yet. Watched thread only.
  func begin(at now: MonotonicInstant) {
    guard !isGivenUp else { return }
    state.store(max(2, now.nanoseconds), ordering: .releasing)
  }

  /// A call begins that may well take so many milliseconds, which do not count. Watched thread only.
  func begin(allowing milliseconds: UInt64) { begin(at: clock.now.advanced(byMilliseconds: milliseconds)) }

  /// The call has returned, or none was watched; `false` where the thread was given up. Watched thread only.
  func end() -> Bool {
    let since = state.load(ordering: .relaxed)
    guard since != Self.givenUp else { return false }
    return state.compareExchange(expected: since, desired: Self.free, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Whether the call has not returned for so many milliseconds. From any thread.
  func isBlocked(forMilliseconds milliseconds: UInt64) -> Bool {
    isLong(state.load(ordering: .acquiring), milliseconds)
  }

  /// Gives the thread up if the call has not returned for so many milliseconds; says whether it has. From any thread.
  func giveUp(afterMilliseconds milliseconds: UInt64) -> Bool {
    let since = state.load(ordering: .acquiring)
    return isLong(since, milliseconds)
      && state.compareExchange(expected: since, desired: Self.givenUp, ordering: .acquiringAndReleasing)
        .exchanged
  }

  private func isLong(_ since: UInt64, _ milliseconds: UInt64) -> Bool {
    since > Self.givenUp
      && MonotonicInstant(nanoseconds: since).advanced(byMilliseconds: milliseconds) <= clock.now
  }
}
