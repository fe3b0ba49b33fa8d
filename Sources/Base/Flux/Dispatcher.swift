// SPDX-License-Identifier: GPL-3.0-or-later

public import DequeModule
public import Synchronization

/// Delivers actions to its subscribers, one action after the other.
///
/// - **Order.** Every subscriber gets all actions that are dispatched while it is subscribed, in one order that is the
///   same for all. An action reaches all subscribers, in subscription order, before the next action reaches any.
/// - **Re-entrancy.** An action that is dispatched during a delivery, by a subscriber or by another thread, is queued,
///   first in, first out: ``dispatch(_:)`` returns at once, and the delivering thread delivers it too. Otherwise
///   `dispatch` returns after delivery, on the calling thread.
/// - **Subscribing during a delivery** takes effect with the next action.
/// - **Cancelling during a delivery**, also by releasing the `Subscription`, takes effect at once: a subscriber that
///   the action has not reached yet does not get it. A call in progress on another thread is not waited for.
/// - **Locks.** No subscriber runs under a lock of the dispatcher.
///
/// Every member may be called from any thread.
public final class Dispatcher<Action: Sendable>: Sendable {
  // Inlinable, so that the code is specialised for each kind of action: looking up its type at run time would take most
  // of the time of a delivery.

  @usableFromInline
  struct State {
    @usableFromInline var subscribers: [Subscriber<Action>] = []
    @usableFromInline var waiting: Deque<Action> = []
    @usableFromInline var isDelivering = false
    @usableFromInline var marks: [DeliveryMark] = []
    /// The number of actions that were removed from `waiting` to be delivered.
    @usableFromInline var deliveredCount: UInt64 = 0

    @inlinable
    init() {}
  }

  @usableFromInline let state = Mutex(State())

  @inlinable
  public init() {}

  /// Calls `receive` with every action that is dispatched from now on, until the subscription is cancelled or released.
  @inlinable
  public func subscribe(_ receive: @escaping @Sendable (Action) -> Void) -> Subscription {
    let subscriber = Subscriber(receive)
    state.withLock { $0.subscribers.append(subscriber) }
    return Subscription { [weak self] in
      subscriber.cancel()
      self?.state.withLock { $0.subscribers.removeAll { $0 === subscriber } }
    }
  }

  /// Delivers `action` to all subscribers; if another action is being delivered, only queues it.
  @inlinable
  public func dispatch(_ action: Action) { dispatch(making: { action }) }

  /// Delivers the action that `make` returns, in the same way.
  ///
  /// `make` runs under the dispatcher's lock, so that what it says of the world is not older than the actions before
  /// it in the order. It must neither block nor dispatch.
  @inlinable
  public func dispatch(making make: () -> Action) {
    var delivery = beginDelivery(making: make)
    while let (action, subscribers) = delivery {
      for subscriber in subscribers { subscriber.deliver(action) }
      delivery = nextDelivery()
    }
  }

  /// Begins the delivery of the action that `make` returns; returns it with the subscribers to deliver it to. If
  /// another action is being delivered, queues it and returns `nil`.
  @inlinable
  func beginDelivery(making make: () -> Action) -> (Action, [Subscriber<Action>])? {
    state.withLock { state in
      if state.isDelivering {
        state.waiting.append(make())
        return nil
      }
      state.isDelivering = true
      return (make(), state.subscribers)
    }
  }

  @inlinable
  func nextDelivery() -> (Action, [Subscriber<Action>])? {
    let (next, due) = state.withLock { state -> ((Action, [Subscriber<Action>])?, [DeliveryMark]) in
      let due = state.takeDueMarks()
      guard let action = state.waiting.popFirst() else {
        state.isDelivering = false
        return (nil, due)
      }
      state.deliveredCount &+= 1
      return ((action, state.subscribers), due)
    }
    for mark in due { mark.act() }
    return next
  }

  /// Calls `act` once, after everything dispatched so far has reached all subscribers: immediately if nothing is being
  /// delivered, otherwise on the delivering thread.
  public func afterDelivery(_ act: @escaping @Sendable () -> Void) {
    let isDeferred = state.withLock { state in
      guard state.isDelivering else { return false }
      let end = state.deliveredCount &+ UInt64(state.waiting.count)
      state.marks.append(DeliveryMark(end: end, act: act))
      return true
    }
    if !isDeferred { act() }
  }
}

extension Dispatcher.State {
  /// Removes and returns the marks whose preceding actions have all been delivered.
  @usableFromInline
  mutating func takeDueMarks() -> [DeliveryMark] {
    guard !marks.isEmpty else { return [] }
    let count = marks.firstIndex { $0.end > deliveredCount } ?? marks.count
    defer { marks.removeFirst(count) }
    return Array(marks[..<count])
  }
}

/// A point between two actions, and the closure to call there.
@usableFromInline
struct DeliveryMark: Sendable {
  /// The value that ``Dispatcher/State/deliveredCount`` has to reach before `act` is called.
  @usableFromInline let end: UInt64
  @usableFromInline let act: @Sendable () -> Void
}

/// A subscriber to a dispatcher; it receives actions until it is cancelled.
@usableFromInline
final class Subscriber<Action: Sendable>: Sendable {
  @usableFromInline let receive: @Sendable (Action) -> Void
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable
  init(_ receive: @escaping @Sendable (Action) -> Void) { self.receive = receive }

  @inlinable
  func cancel() { isCancelled.store(true, ordering: .releasing) }

  @inlinable
  func deliver(_ action: Action) {
    if !isCancelled.load(ordering: .acquiring) { receive(action) }
  }
}

/// An active subscription. Cancelling or releasing it unsubscribes.
///
/// It can be cancelled from any thread, and more than once.
public final class Subscription: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// Creates a subscription that calls `onCancel` once, when it is cancelled or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Mutex(onCancel)
  }

  deinit { cancel() }

  /// Unsubscribes. Does not wait for a delivery in progress on another thread.
  public func cancel() {
    let onCancel = onCancel.withLock { $0.take() }
    onCancel?()
  }
}
