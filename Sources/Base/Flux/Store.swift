/// Holds a state that only the actions of one dispatcher change, and publishes it.
///
/// The store subscribes when it is made; each action is reduced once. Whoever subscribes to the dispatcher later
/// sees the reduced state when the action reaches it. Every member may be called from any thread.
public final class Store<State: Sendable>: Sendable {
  @usableFromInline let published: PublishedState<State>
  @usableFromInline let subscription: Subscription

  /// A store that begins with `initial` and changes by `reduce` at every action of `dispatcher`.
  ///
  /// `reduce` runs on the delivering thread under the store's lock: it must be pure. Where it gives `false`,
  /// nothing changed, and nothing is published.
  @inlinable
  public init<Action: Sendable>(
    _ initial: State, reducing dispatcher: Dispatcher<Action>,
    with reduce: @escaping @Sendable (inout State, Action) -> Bool
  ) {
    let published = PublishedState(initial)
    self.published = published
    subscription = dispatcher.subscribe { action in published.update { reduce(&$0, action) } }
  }

  /// The present state.
  @inlinable public var state: State { published.value }

  /// What `body` makes of the present state, which is not copied for it. `body` runs under the store's lock: it must be
  /// short, and neither dispatch nor ask the store.
  @inlinable
  public func read<Value>(_ body: (borrowing State) throws -> Value) rethrows -> Value {
    try published.read(body)
  }

  /// Has `receive` called with the present state at once and then with every new one, in order.
  ///
  /// `receive` runs on the calling thread or on a delivering one, one call at a time, under no lock of the store. Where
  /// states follow faster than it takes them, it may get the newest only.
  @inlinable
  public func observe(_ receive: @escaping @Sendable (State) -> Void) -> Subscription {
    published.observe(receive)
  }

  /// The present state and then every new one; whoever is slow gets the newest only.
  public var states: AsyncStream<State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let subscription = observe { continuation.yield($0) }
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}
