// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization

/// Counts changes of something that no store publishes, and notifies observers. Safe to use from any thread.
final class ChangeCounter: Sendable {
  private struct State: Sendable {
    var count: UInt64 = 0
    var observers: [Int: Observer] = [:]
    var lastObserver = 0
  }

  private struct Observer: Sendable {
    let onChange: @Sendable () -> Void
  }

  private let state = Mutex(State())

  /// The number of changes so far.
  var count: UInt64 { state.withLock(\.count) }

  /// Calls `onChange` after each change, until the subscription is cancelled.
  func observe(_ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = Observer(onChange: onChange)
      return state.lastObserver
    }
    return Subscription { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
  }

  /// Reports a change.
  func note() {
    let observers = state.withLock { state in
      state.count &+= 1
      return Array(state.observers.values)
    }
    for observer in observers { observer.onChange() }
  }
}
