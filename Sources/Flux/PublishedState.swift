import Synchronization

/// A value, and those who are told when it changes.
final class PublishedState<State: Sendable>: Sendable {
  private struct Contents {
    var value: State
    var version: UInt64 = 0
    var observers: [Observer<State>] = []
  }

  private let contents: Mutex<Contents>

  init(_ value: State) {
    contents = Mutex(Contents(value: value))
  }

  var value: State { contents.withLock { $0.value } }

  /// Applies `change` under the lock and, where it gives `true`, tells the observers the new value after it.
  func update(_ change: (inout State) -> Bool) {
    let changed: Contents? = contents.withLock { contents in
      guard change(&contents.value) else { return nil }
      contents.version += 1
      return contents
    }
    guard let changed else { return }
    for observer in changed.observers { observer.offer(changed.value, version: changed.version) }
  }

  func observe(_ receive: @escaping @Sendable (State) -> Void) -> Subscription {
    let observer = Observer(receive)
    let present = contents.withLock { contents in
      contents.observers.append(observer)
      return contents
    }
    observer.offer(present.value, version: present.version)
    return Subscription { [weak self] in
      observer.cancel()
      self?.contents.withLock { $0.observers.removeAll { $0 === observer } }
    }
  }
}

/// One who is told of new values in order, never of an older one after a newer one.
private final class Observer<State: Sendable>: Sendable {
  private struct Inbox {
    var waiting: State?
    var newest: UInt64?
    var isDelivering = false
    var isCancelled = false
  }

  private let receive: @Sendable (State) -> Void
  private let inbox = Mutex(Inbox())

  init(_ receive: @escaping @Sendable (State) -> Void) { self.receive = receive }

  func cancel() {
    inbox.withLock {
      $0.isCancelled = true
      $0.waiting = nil
    }
  }

  /// Delivers `value`, or leaves it to the thread that is delivering; a waiting older value gives way to it.
  func offer(_ value: State, version: UInt64) {
    let mayDeliver = inbox.withLock { inbox in
      if let newest = inbox.newest, newest >= version { return false }
      inbox.newest = version
      inbox.waiting = inbox.isCancelled ? nil : value
      defer { inbox.isDelivering = true }
      return !inbox.isDelivering
    }
    guard mayDeliver else { return }
    while let next = takeWaiting() { receive(next) }
  }

  private func takeWaiting() -> State? {
    inbox.withLock { inbox in
      guard let waiting = inbox.waiting.take() else {
        inbox.isDelivering = false
        return nil
      }
      return waiting
    }
  }
}
