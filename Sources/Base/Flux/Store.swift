// SPDX-License-Identifier: GPL-3.0-or-later

public import Synchronization

/// A container for a state that only the actions of one dispatcher change. It publishes each new state to observers.
///
/// The store subscribes when it is created, and reduces each action once. Subscribers that are added to the dispatcher
/// later see the reduced state when the action reaches them. Every member may be called from any thread.
public final class Store<State: Sendable>: Sendable {
  @usableFromInline let published: PublishedState<State>
  @usableFromInline let subscription: Subscription

  /// Creates a store that starts with `initial` and applies `reduce` to every action of `dispatcher`.
  ///
  /// `reduce` runs on the delivering thread under the store's lock, so it must be pure. It returns `false` if the state
  /// has not changed; then nothing is published.
  @inlinable
  public init<Action: Sendable>(
    _ initial: State, reducing dispatcher: Dispatcher<Action>,
    with reduce: @escaping @Sendable (inout State, Action) -> Bool
  ) {
    let published = PublishedState(initial)
    self.published = published
    subscription = dispatcher.subscribe { action in published.update { reduce(&$0, action) } }
  }

  /// The current state.
  @inlinable public var state: State { published.value }

  /// Calls `body` with the current state, without copying it, and returns its result. `body` runs under the store's
  /// lock: it must be short, and must neither dispatch nor access the store.
  @inlinable
  public func read<Value>(_ body: (borrowing State) throws -> Value) rethrows -> Value {
    try published.read(body)
  }

  /// Calls `receive` immediately with the current state, and then with every new one, in order.
  ///
  /// `receive` runs on the calling thread or on a delivering one, one call at a time, under no lock of the store. If
  /// states change faster than it returns, it may skip some, but always gets the newest.
  @inlinable
  public func observe(_ receive: @escaping @Sendable (State) -> Void) -> Subscription {
    published.observe(receive)
  }
}

/// A value that notifies its observers when it changes.
@usableFromInline
final class PublishedState<State: Sendable>: Sendable {
  // Inlinable for the same reason as ``Dispatcher``.

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var value: State
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var observers: [Observer<State>] = []

    @inlinable
    init(value: State) { self.value = value }

    @inlinable var snapshot: VersionedState<State> { VersionedState(value: value, version: version) }
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

  /// Applies `change` under the lock. If it returns `true`, then notifies the observers of the new value, outside of
  /// the lock.
  @inlinable
  func update(_ change: (inout State) -> Bool) {
    let changed: (VersionedState<State>, [Observer<State>])? = contents.withLock { contents in
      guard change(&contents.value) else { return nil }
      contents.version += 1
      return (contents.snapshot, contents.observers)
    }
    guard let (snapshot, observers) = changed else { return }
    for observer in observers { observer.deliver(snapshot) }
  }

  @inlinable
  func observe(_ receive: @escaping @Sendable (State) -> Void) -> Subscription {
    let observer = Observer(receive)
    let snapshot = contents.withLock { contents in
      contents.observers.append(observer)
      return contents.snapshot
    }
    observer.deliver(snapshot)
    return Subscription { [weak self] in
      observer.cancel()
      self?.contents.withLock { $0.observers.removeAll { $0 === observer } }
    }
  }
}

/// A published value with its version number. It is a class, so that it can be passed on without copying the value.
@usableFromInline
final class VersionedState<State: Sendable>: Sendable {
  @usableFromInline let value: State
  @usableFromInline let version: UInt64

  @inlinable
  init(value: State, version: UInt64) {
    self.value = value
    self.version = version
  }
}

/// An observer that receives new values in order: never an older value after a newer one.
@usableFromInline
final class Observer<State: Sendable>: Sendable {
  @usableFromInline
  struct Inbox: Sendable {
    @usableFromInline var waiting: VersionedState<State>?
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

  /// Delivers `snapshot`. If another thread is delivering, leaves it to that thread instead, replacing any older
  /// snapshot that is still waiting.
  @inlinable
  func deliver(_ snapshot: VersionedState<State>) {
    let mayDeliver = inbox.withLock { inbox in
      if let newest = inbox.newest, newest >= snapshot.version { return false }
      inbox.newest = snapshot.version
      inbox.waiting = inbox.isCancelled ? nil : snapshot
      defer { inbox.isDelivering = true }
      return !inbox.isDelivering
    }
    guard mayDeliver else { return }
    while let next = takeWaiting() { receive(next.value) }
  }

  @inlinable
  func takeWaiting() -> VersionedState<State>? {
    inbox.withLock { inbox in
      guard let waiting = inbox.waiting.take() else {
        inbox.isDelivering = false
        return nil
      }
      return waiting
    }
  }
}
