// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// Functions to call whenever something changes. Safe to use from any thread.
public final class Observers: Sendable {
  private struct State: Sendable {
    var handlers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Makes ``notify()`` call `handle` from now on, until the subscription is cancelled or released.
  public func add(_ handle: @escaping @Sendable () -> Void) -> Subscription {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handle
      return state.lastNumber
    }
    return Subscription { [weak self] in self?.state.withLock { _ = $0.handlers.removeValue(forKey: number) } }
  }

  /// Calls all observers, on the calling thread.
  public func notify() {
    for handle in state.withLock({ Array($0.handlers.values) }) { handle() }
  }
}
