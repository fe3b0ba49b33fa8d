import Platform
import Synchronization
import SystemPackage

/// Says when the next frame of what moves is due, thirty times a second at most, until it is released: never again
/// before the last was taken.
final class FrameClock: Sendable {
  private static let period: UInt64 = 33

  private let shared: Shared

  private final class Shared: Sendable {
    let isRunning = Atomic(true)
    let isPending = Atomic(false)
  }

  /// A clock that calls `tick` on a thread of its own.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(_ tick: @escaping @Sendable () -> Void) throws(Errno) {
    let shared = Shared()
    self.shared = shared
    _ = try WorkerThread(name: "segue-frames") {
      while shared.isRunning.load(ordering: .relaxed) {
        if !shared.isPending.exchange(true, ordering: .relaxed) { tick() }
        MonotonicInstant.now.advanced(byMilliseconds: Self.period).sleep()
      }
    }
  }

  deinit { shared.isRunning.store(false, ordering: .relaxed) }

  /// The last tick was taken.
  func taken() { shared.isPending.store(false, ordering: .relaxed) }
}
