// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
import Synchronization

/// Publishes the current queue to observers.
public final class QueueListener: Sendable {
  private let store: PlayerStore

  /// Creates a listener that publishes the queue of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The current queue. Can be read from any thread.
  public var queue: PlayQueue { store.read { $0.queue } }

  /// Calls `receive` immediately with the current queue, and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    observe(withElapsed: false, receive)
  }

  /// Calls `receive` immediately with the current queue, and then with every new one, in order. If `withElapsed` is
  /// set, a queue also counts as new if only the position in its current item has changed.
  func observe(withElapsed: Bool, _ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    let last = Mutex<(version: UInt64, elapsed: Duration)?>(nil)
    return store.observe { state in
      let new = (state.queue.version, withElapsed ? state.queue.elapsed : .zero)
      let isNew = last.withLock { last in
        defer { last = new }
        return last.map { $0 != new } ?? true
      }
      if isNew { receive(state.queue) }
    }
  }
}
