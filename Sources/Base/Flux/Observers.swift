// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// Functions to call whenever something changes. Safe to use from any thread.
public final class Observers: Sendable {
  private struct State: Sendable {
    /// The functions, each with the number of its subscription, in the order in which they are called.
    var handlers: [(number: Int, handle: @Sendable () -> Void)] = []
    var lastNumber = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Makes ``notify()`` call `handle` from now on, until the subscription is cancelled or released.
  public func add(_ handle: @escaping @Sendable () -> Void) -> Subscription {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers.append((state.lastNumber, handle))
      return state.lastNumber
    }
    return Subscription { [weak self] in self?.state.withLock { $0.handlers.removeAll { $0.number == number } } }
  }

  /// Calls all observers in the order in which they were added, on the calling thread.
  public func notify() {
    for (_, handle) in state.withLock({ $0.handlers }) { handle() }
  }
}
