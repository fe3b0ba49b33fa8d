// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization
import Testing

/// The actions that subscribers received, in order.
private final class Log: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite struct DispatcherTests {
  private let dispatcher = Dispatcher<Int>()
  private let log = Log()

  private func logger(_ name: String) -> @Sendable (Int) -> Void {
    { [log] in log.add("\(name)\($0)") }
  }

  @Test func `subscribers are called in subscription order`() {
    let subscriptions = ["a", "b", "c"].map { dispatcher.subscribe(logger($0)) }
    dispatcher.dispatch(1)
    dispatcher.dispatch(2)
    withExtendedLifetime(subscriptions) {
      #expect(log.all == ["a1", "b1", "c1", "a2", "b2", "c2"])
    }
  }

  @Test func `an action dispatched by a subscriber waits until all have received the present one`() {
    let first = dispatcher.subscribe { [dispatcher, log] action in
      log.add("a\(action)")
      if action == 1 {
        dispatcher.dispatch(2)
        dispatcher.dispatch(3)
        log.add("a returns")
      }
    }
    let second = dispatcher.subscribe(logger("b"))
    dispatcher.dispatch(1)
    withExtendedLifetime([first, second]) {
      #expect(log.all == ["a1", "a returns", "b1", "a2", "b2", "a3", "b3"])
    }
  }

  @Test func `a chain of ten thousand actions, each dispatched by the one before, needs no deeper stack`() {
    let subscription = dispatcher.subscribe { [dispatcher, log] action in
      if action < 10_000 { dispatcher.dispatch(action + 1) } else { log.add("end") }
    }
    dispatcher.dispatch(0)
    withExtendedLifetime(subscription) { #expect(log.all == ["end"]) }
  }

  @Test func `a subscriber added during a delivery receives the next action first`() {
    let inner = Mutex<Subscription?>(nil)
    let outer = dispatcher.subscribe { [dispatcher, log] action in
      log.add("a\(action)")
      let late = dispatcher.subscribe { log.add("late\($0)") }
      inner.withLock { if $0 == nil { $0 = late } }
    }
    dispatcher.dispatch(1)
    dispatcher.dispatch(2)
    withExtendedLifetime(outer) { #expect(log.all == ["a1", "a2", "late2"]) }
  }

  @Test func `a subscriber cancelled before the delivery reaches it receives nothing more`() {
    let victim = Mutex<Subscription?>(nil)
    let first = dispatcher.subscribe { [log] action in
      log.add("a\(action)")
      victim.withLock { $0.take() }?.cancel()
    }
    victim.withLock { $0 = dispatcher.subscribe(logger("b")) }
    let third = dispatcher.subscribe(logger("c"))
    dispatcher.dispatch(1)
    withExtendedLifetime([first, third]) { #expect(log.all == ["a1", "c1"]) }
  }

  @Test func `a subscriber that cancels itself during a delivery is not called again`() {
    let subscription = Mutex<Subscription?>(nil)
    subscription.withLock {
      $0 = dispatcher.subscribe { [log] action in
        log.add("a\(action)")
        subscription.withLock { $0.take() }?.cancel()
      }
    }
    dispatcher.dispatch(1)
    dispatcher.dispatch(2)
    #expect(log.all == ["a1"])
  }

  @Test func `releasing the subscription unsubscribes`() {
    var subscription: Subscription? = dispatcher.subscribe(logger("a"))
    dispatcher.dispatch(1)
    withExtendedLifetime(subscription) {}
    subscription = nil
    dispatcher.dispatch(2)
    #expect(log.all == ["a1"])
  }

  @Test func `a released subscription releases what the subscriber captured`() {
    final class Captured: Sendable {}
    weak var weakReference: Captured?
    do {
      let captured = Captured()
      weakReference = captured
      let subscription = dispatcher.subscribe { _ in withExtendedLifetime(captured) {} }
      subscription.cancel()
    }
    #expect(weakReference == nil)
  }

  @Test func `a subscription can be cancelled after its dispatcher was released`() {
    var released: Dispatcher<Int>? = Dispatcher()
    let subscription = released?.subscribe(logger("a"))
    released = nil
    subscription?.cancel()
    #expect(log.all.isEmpty)
  }

  @Test func `actions from many threads reach all subscribers once and in one order`() async {
    let logs = [Log(), Log(), Log()]
    let subscriptions = logs.map { log in dispatcher.subscribe { log.add("\($0)") } }
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask { [dispatcher] in
          for step in 0..<250 { dispatcher.dispatch(thread * 1000 + step) }
        }
      }
    }
    withExtendedLifetime(subscriptions) {
      #expect(Set(logs[0].all).count == 1000)
      #expect(logs[0].all.count == 1000)
      #expect(logs.allSatisfy { $0.all == logs[0].all })
      for thread in 0..<4 {
        let actions = logs[0].all.compactMap { Int($0) }.filter { $0 / 1000 == thread }
        #expect(actions == actions.sorted())
      }
    }
  }

  @Test func `without a delivery, an after-delivery closure is called at once`() {
    let subscription = dispatcher.subscribe(logger("a"))
    dispatcher.dispatch(1)
    dispatcher.afterDelivery { [log] in log.add("after") }
    #expect(log.all.last == "after" && log.all.count == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test
  func
    `an after-delivery closure comes after everything dispatched before, and before later actions`()
  {
    let subscription = dispatcher.subscribe { [dispatcher, log] action in
      log.add("\(action)")
      guard action == 1 else { return }
      dispatcher.dispatch(2)
      dispatcher.dispatch(3)
      dispatcher.afterDelivery { log.add("after 3") }
      dispatcher.dispatch(4)
      dispatcher.afterDelivery { log.add("after 4") }
    }
    dispatcher.dispatch(1)
    #expect(log.all == ["1", "2", "3", "after 3", "4", "after 4"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An action that is made when it is dispatched is made once, also while another is being delivered`() {
    let subscription = dispatcher.subscribe { [dispatcher, log] action in
      log.add("\(action)")
      guard action == 1 else { return }
      dispatcher.dispatch(making: {
        log.add("making 2")
        return 2
      })
      log.add("end of 1")
    }
    dispatcher.dispatch(1)
    #expect(log.all == ["1", "making 2", "end of 1", "2"])
    withExtendedLifetime(subscription) {}
  }
}
