public import Flux
public import MusicModel

/// Publishes the current queue: the one place where queue actions are reduced.
public final class QueueListener: Sendable {
  private let store: Store<PlayQueue>

  /// A listener that begins with `queue` and follows `dispatcher`, ahead of those who subscribe later.
  public init(_ queue: PlayQueue = PlayQueue(), dispatcher: QueueDispatcher) {
    store = Store(queue, reducing: dispatcher) { queue, action in
      let version = queue.version
      queue.reduce(action)
      return queue.version != version
    }
  }

  /// The present queue. From any thread.
  public var queue: PlayQueue { store.state }

  /// Has `receive` called with the present queue at once and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    store.observe(receive)
  }
}
