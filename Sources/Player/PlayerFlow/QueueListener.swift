// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
import Synchronization

/// Publishes the current queue.
public final class QueueListener: Sendable {
  private let store: PlayerStore

  /// Creates a listener that publishes the queue of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The present queue. From any thread.
  public var queue: PlayQueue { store.read { $0.queue } }

  /// Calls `receive` with the present queue at once and then with every new one, in order; see `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    observe(withPlaces: false, receive)
  }

  /// Does the same. With `withPlaces`, a queue also counts as new if only the position in its current item has changed.
  func observe(withPlaces: Bool, _ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    let last = Mutex<(version: UInt64, place: Duration)?>(nil)
    return store.observe { state in
      let new = (state.queue.version, withPlaces ? state.queue.heard : .zero)
      let isNew = last.withLock { last in
        defer { last = new }
        return last.map { $0 != new } ?? true
      }
      if isNew { receive(state.queue) }
    }
  }
}
