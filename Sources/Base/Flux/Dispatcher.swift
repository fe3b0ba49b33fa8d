public import DequeModule
public import Synchronization

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
  // Inlinable, so that the code for each kind of action is made where that kind is known: looking its type up at
  // run time would take most of the time of a delivery.

  @usableFromInline
  struct State {
    @usableFromInline var subscribers: [Subscriber<Action>] = []
    @usableFromInline var waiting: Deque<Action> = []
    @usableFromInline var isDelivering = false
    @usableFromInline var marks: [DeliveryMark] = []
    /// How many actions were taken from those that wait.
    @usableFromInline var takenCount: UInt64 = 0

    @inlinable
    init() {}
  }

  @usableFromInline let state = Mutex(State())

  /// A dispatcher without subscribers.
  @inlinable
  public init() {}

  /// Has `receive` called with every action from now on, until the subscription is cancelled or released.
  @inlinable
  public func subscribe(_ receive: @escaping @Sendable (Action) -> Void) -> Subscription {
    let subscriber = Subscriber(receive)
    state.withLock { $0.subscribers.append(subscriber) }
    return Subscription { [weak self] in
      subscriber.cancel()
      self?.state.withLock { $0.subscribers.removeAll { $0 === subscriber } }
    }
  }

  /// Delivers `action` to all subscribers, or has it wait its turn.
  @inlinable
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
  @inlinable
  func beginDelivery(of action: Action) -> [Subscriber<Action>]? {
    state.withLock { state in
      if state.isDelivering {
        state.waiting.append(action)
        return nil
      }
      state.isDelivering = true
      return state.subscribers
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
      state.takenCount &+= 1
      return ((action, state.subscribers), due)
    }
    for mark in due { mark.act() }
    return next
  }

  /// Has `act` called once, when all that was dispatched before this call has reached every subscriber: at once where
  /// nothing is being delivered, or else by the thread that delivers.
  public func afterDelivery(_ act: @escaping @Sendable () -> Void) {
    let isAwaited = state.withLock { state in
      guard state.isDelivering else { return false }
      let end = state.takenCount &+ UInt64(state.waiting.count)
      state.marks.append(DeliveryMark(end: end, act: act))
      return true
    }
    if !isAwaited { act() }
  }
}

extension Dispatcher.State {
  /// The marks that lie behind what is delivered now.
  @usableFromInline
  mutating func takeDueMarks() -> [DeliveryMark] {
    guard !marks.isEmpty else { return [] }
    let count = marks.firstIndex { $0.end > takenCount } ?? marks.count
    defer { marks.removeFirst(count) }
    return Array(marks[..<count])
  }
}

/// A place between two actions, and what is done there.
@usableFromInline
struct DeliveryMark: Sendable {
  /// It lies behind so many of the actions that waited.
  @usableFromInline let end: UInt64
  @usableFromInline let act: @Sendable () -> Void
}

/// One who receives actions until it is cancelled.
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

/// Keeps its owner subscribed: cancelling or releasing it unsubscribes.
///
/// May be cancelled from any thread, and more than once.
public final class Subscription: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// A subscription that calls `onCancel` once, when it is cancelled or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Mutex(onCancel)
  }

  deinit { cancel() }

  /// Unsubscribes. A delivery that another thread has begun is not waited for.
  public func cancel() {
    let onCancel = onCancel.withLock { $0.take() }
    onCancel?()
  }
}
