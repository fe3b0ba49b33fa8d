import DequeModule
import Synchronization

/// Carries actions to its subscribers, one action after the other.
///
/// - **Order.** Every subscriber gets every action that is dispatched while it is subscribed, in one order that is
///   the same for all. An action reaches all subscribers, in the order in which they subscribed, before the
///   next action reaches any.
/// - **Re-entrancy.** An action that is dispatched while another is being delivered, from within a subscriber or
///   from another thread, waits its turn, first in, first out: ``dispatch(_:)`` returns at once, and the thread that
///   is delivering delivers it too. Otherwise `dispatch` returns after delivery, on the calling thread.
/// - **Subscribing during delivery** takes effect with the next action.
/// - **Cancelling during delivery**, also by releasing the `Subscription`, takes effect at once: a subscriber whose
///   turn has not come does not get the action any more. A call that another thread has begun is not waited for.
/// - **Locks.** No subscriber runs under a lock of the dispatcher.
///
/// Every member may be called from any thread.
public final class Dispatcher<Action: Sendable>: Sendable {
  private struct State {
    var subscribers: [Subscriber<Action>] = []
    var waiting: Deque<Action> = []
    var isDelivering = false
  }

  private let state = Mutex(State())

  /// A dispatcher without subscribers.
  public init() {}

  /// Has `receive` called with every action from now on, until the subscription is cancelled or released.
  public func subscribe(_ receive: @escaping @Sendable (Action) -> Void) -> Subscription {
    let subscriber = Subscriber(receive)
    state.withLock { $0.subscribers.append(subscriber) }
    return Subscription { [weak self] in
      subscriber.cancel()
      self?.state.withLock { $0.subscribers.removeAll { $0 === subscriber } }
    }
  }

  /// Delivers `action` to all subscribers, or has it wait its turn.
  public func dispatch(_ action: Action) {
    guard var subscribers = beginDelivery(of: action) else { return }
    var current = action
    while true {
      for subscriber in subscribers { subscriber.deliver(current) }
      guard let next = nextDelivery() else { return }
      (current, subscribers) = next
    }
  }

  /// Gives the subscribers that `action` goes to now, or `nil` where it waits behind another.
  private func beginDelivery(of action: Action) -> [Subscriber<Action>]? {
    state.withLock { state in
      if state.isDelivering {
        state.waiting.append(action)
        return nil
      }
      state.isDelivering = true
      return state.subscribers
    }
  }

  private func nextDelivery() -> (Action, [Subscriber<Action>])? {
    state.withLock { state in
      guard let action = state.waiting.popFirst() else {
        state.isDelivering = false
        return nil
      }
      return (action, state.subscribers)
    }
  }
}

/// One who receives actions until it is cancelled.
private final class Subscriber<Action: Sendable>: Sendable {
  private let receive: @Sendable (Action) -> Void
  private let isCancelled = Atomic(false)

  init(_ receive: @escaping @Sendable (Action) -> Void) { self.receive = receive }

  func cancel() { isCancelled.store(true, ordering: .releasing) }

  func deliver(_ action: Action) {
    if !isCancelled.load(ordering: .acquiring) { receive(action) }
  }
}
