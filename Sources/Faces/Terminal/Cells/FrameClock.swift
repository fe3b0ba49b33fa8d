// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
package import SystemPackage

/// A timer that ticks when the next frame of an animation is due, at most thirty times a second, until it is released.
/// It does not tick again until the last tick is confirmed with ``confirmTick()``.
package final class FrameClock: Sendable {
  private static let period: UInt64 = 33

  /// The thread of the timer. Its pending value is whether a tick is still to be confirmed.
  private let worker = Worker(named: "segue-frames", false)

  /// Creates a timer that calls `tick` on a thread of its own.
  ///
  /// - Throws: `Errno` if no thread can be created.
  package init(_ tick: @escaping @Sendable () -> Void) throws(Errno) {
    try worker.start { [worker] in
      let isConfirmed = worker.withPending { isPending in
        defer { isPending = true }
        return !isPending
      }
      if isConfirmed { tick() }
      return MonotonicInstant.now.advanced(byMilliseconds: Self.period)
    }
  }

  deinit { worker.close() }

  /// Confirms the last tick.
  package func confirmTick() { worker.withPending { $0 = false } }
}
