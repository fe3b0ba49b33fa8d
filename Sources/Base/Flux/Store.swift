// SPDX-License-Identifier: GPL-3.0-or-later

public import Synchronization

/// A container for a state that only the actions of one dispatcher change. It publishes each new state to observers.
///
/// The store subscribes when it is created, and reduces each action once. Subscribers that are added to the dispatcher
/// later see the reduced state when the action reaches them. Every member may be called from any thread, and none waits
/// for an action to be reduced.
public final class Store<State: Sendable>: Sendable {
  @usableFromInline let published: PublishedState<State>
  @usableFromInline let subscription: Subscription

  /// Creates a store that starts with `initial` and applies `reduce` to every action of `dispatcher`.
  ///
  /// `reduce` must be pure. It runs on the delivering thread, under no lock, on a copy of the state. It returns `false`
  /// if nothing has changed that observers can see; then nothing is published.
  @inlinable
  public convenience init<Action: Sendable>(
    _ initial: State, reducing dispatcher: Dispatcher<Action>,
    with reduce: @escaping @Sendable (inout State, Action) -> Bool
  ) {
    self.init(initial, reducing: dispatcher, with: { (reduce(&$0, $1), ()) }, performing: { _ in })
  }

  /// Creates a store in the same way, whose reducer also returns effects.
  ///
  /// `perform` gets them on the delivering thread, once the new state can be read, and before any observer hears of it.
  @inlinable
  public init<Action: Sendable, Effects>(
    _ initial: State, reducing dispatcher: Dispatcher<Action>,
    with reduce: @escaping @Sendable (inout State, Action) -> (isChanged: Bool, effects: Effects),
    performing perform: @escaping @Sendable (Effects) -> Void
  ) {
    let published = PublishedState(initial)
    self.published = published
    subscription = dispatcher.subscribe { action in
      published.update({ reduce(&$0, action) }, performing: perform)
    }
  }

  /// The current state.
  @inlinable public var state: State { published.value }

  /// Calls `body` with the current state, without copying it, and returns its result.
  @inlinable
  public func read<Value>(_ body: (borrowing State) throws -> Value) rethrows -> Value {
    try body(published.current.value)
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
    @usableFromInline var current: VersionedState<State>
    @usableFromInline var observers: [Observer<State>] = []

    @inlinable
    init(value: State) { current = VersionedState(value: value, version: 0) }
  }

  @usableFromInline let contents: Mutex<Contents>

  @inlinable
  init(_ value: State) {
    contents = Mutex(Contents(value: value))
  }

  /// The current value. The lock is held only while the reference is copied.
  @inlinable var current: VersionedState<State> { contents.withLock { $0.current } }

  @inlinable var value: State { current.value }

  /// Replaces the value with the result of `change`, performs the effects that it returns, and then notifies the
  /// observers if the value has changed for them. All of this happens outside of the lock, which is taken only to swap
  /// the values. Only one thread at a time may call it.
  @inlinable
  func update<Effects>(
    _ change: (inout State) -> (isChanged: Bool, effects: Effects), performing perform: (Effects) -> Void
  ) {
    let old = current
    var value = old.value
    let (isChanged, effects) = change(&value)
    let new = VersionedState(value: value, version: old.version + (isChanged ? 1 : 0))
    let observers = contents.withLock { contents in
      contents.current = new
      return contents.observers
    }
    perform(effects)
    if isChanged { for observer in observers { observer.deliver(new) } }
  }

  @inlinable
  func observe(_ receive: @escaping @Sendable (State) -> Void) -> Subscription {
    let observer = Observer(receive)
    let current = contents.withLock { contents in
      contents.observers.append(observer)
      return contents.current
    }
    observer.deliver(current)
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
