// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization

/// Counts changes of something that no store publishes, and notifies observers. Safe to use from any thread.
final class ChangeCounter: Sendable {
  private let observers = Observers()
  private let changes = Atomic<UInt64>(0)

  /// The number of changes so far.
  var count: UInt64 { changes.load(ordering: .relaxed) }

  /// Calls `onChange` after each change, until the subscription is cancelled.
  func observe(_ onChange: @escaping @Sendable () -> Void) -> Subscription { observers.add(onChange) }

  /// Reports a change.
  func note() {
    changes.wrappingAdd(1, ordering: .relaxed)
    observers.notify()
  }
}
