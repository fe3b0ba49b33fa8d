public import Synchronization

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
}

/// A value, and those who are told when it changes.
@usableFromInline
final class PublishedState<State: Sendable>: Sendable {
  // Inlinable for the reason that ``Dispatcher`` is.

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var value: State
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var observers: [Observer<State>] = []

    @inlinable
    init(value: State) { self.value = value }

    @inlinable var edition: Edition<State> { Edition(value: value, version: version) }
  }

  @usableFromInline let contents: Mutex<Contents>

  @inlinable
  init(_ value: State) {
    contents = Mutex(Contents(value: value))
  }

  @inlinable var value: State { contents.withLock { $0.value } }

  @inlinable
  func read<Value>(_ body: (borrowing State) throws -> Value) rethrows -> Value {
    try contents.withLock { try body($0.value) }
  }

  /// Applies `change` under the lock and, where it gives `true`, tells the observers the new value after it.
  @inlinable
  func update(_ change: (inout State) -> Bool) {
    let changed: (Edition<State>, [Observer<State>])? = contents.withLock { contents in
      guard change(&contents.value) else { return nil }
      contents.version += 1
      return (contents.edition, contents.observers)
    }
    guard let (edition, observers) = changed else { return }
    for observer in observers { observer.offer(edition) }
  }

  @inlinable
  func observe(_ receive: @escaping @Sendable (State) -> Void) -> Subscription {
    let observer = Observer(receive)
    let edition = contents.withLock { contents in
      contents.observers.append(observer)
      return contents.edition
    }
    observer.offer(edition)
    return Subscription { [weak self] in
      observer.cancel()
      self?.contents.withLock { $0.observers.removeAll { $0 === observer } }
    }
  }
}

/// A value as it was published: it goes from hand to hand without being copied.
@usableFromInline
final class Edition<State: Sendable>: Sendable {
  @usableFromInline let value: State
  @usableFromInline let version: UInt64

  @inlinable
  init(value: State, version: UInt64) {
    self.value = value
    self.version = version
  }
}

/// One who is told of new values in order, never of an older one after a newer one.
@usableFromInline
final class Observer<State: Sendable>: Sendable {
  @usableFromInline
  struct Inbox: Sendable {
    @usableFromInline var waiting: Edition<State>?
    @usableFromInline var newest: UInt64?
    @usableFromInline var isDelivering = false
    @usableFromInline var isCancelled = false

    @inlinable
    init() {}
  }

  @usableFromInline let receive: @Sendable (State) -> Void
  @usableFromInline let inbox = Mutex(Inbox())

  @inlinable
  init(_ receive: @escaping @Sendable (State) -> Void) { self.receive = receive }

  @inlinable
  func cancel() {
    inbox.withLock {
      $0.isCancelled = true
      $0.waiting = nil
    }
  }

  /// Delivers `edition`, or leaves it to the thread that is delivering; a waiting older one gives way to it.
  @inlinable
  func offer(_ edition: Edition<State>) {
    let mayDeliver = inbox.withLock { inbox in
      if let newest = inbox.newest, newest >= edition.version { return false }
      inbox.newest = edition.version
      inbox.waiting = inbox.isCancelled ? nil : edition
      defer { inbox.isDelivering = true }
      return !inbox.isDelivering
    }
    guard mayDeliver else { return }
    while let next = takeWaiting() { receive(next.value) }
  }

  @inlinable
  func takeWaiting() -> Edition<State>? {
    inbox.withLock { inbox in
      guard let waiting = inbox.waiting.take() else {
        inbox.isDelivering = false
        return nil
      }
      return waiting
    }
  }
}
