// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct StoreTests {
  private let dispatcher = Dispatcher<Int>()

  /// Creates a store whose state is the sum of all actions. An action of 0 changes nothing.
  private func makeSumStore() -> Store<Int> {
    Store(0, reducing: dispatcher) { sum, action in
      sum += action
      return action != 0
    }
  }

  @Test func `each action is reduced once, before later subscribers see it`() {
    let store = makeSumStore()
    let observed = Mutex<[Int]>([])
    let subscription = dispatcher.subscribe { _ in observed.withLock { $0.append(store.state) } }
    for action in 1...3 { dispatcher.dispatch(action) }
    withExtendedLifetime(subscription) { #expect(observed.withLock { $0 } == [1, 3, 6]) }
  }

  @Test func `a late observer gets the present state at once and no past one`() {
    let store = makeSumStore()
    dispatcher.dispatch(5)
    dispatcher.dispatch(6)
    let observed = Mutex<[Int]>([])
    let subscription = store.observe { state in observed.withLock { $0.append(state) } }
    dispatcher.dispatch(1)
    withExtendedLifetime(subscription) { #expect(observed.withLock { $0 } == [11, 12]) }
  }

  @Test func `an action that changes nothing publishes nothing`() {
    let store = makeSumStore()
    let observed = Mutex<[Int]>([])
    let subscription = store.observe { state in observed.withLock { $0.append(state) } }
    dispatcher.dispatch(0)
    withExtendedLifetime(subscription) { #expect(observed.withLock { $0 } == [0]) }
  }

  @Test func `an observer that dispatches sees its own change after the present state`() {
    let store = makeSumStore()
    let observed = Mutex<[Int]>([])
    let subscription = store.observe { [dispatcher] state in
      if state < 3 { dispatcher.dispatch(1) }
      observed.withLock { $0.append(state) }
    }
    withExtendedLifetime(subscription) { #expect(observed.withLock { $0 } == [0, 1, 2, 3]) }
  }

  @Test func `a released observer receives nothing more`() {
    let store = makeSumStore()
    let observed = Mutex<[Int]>([])
    store.observe { state in observed.withLock { $0.append(state) } }.cancel()
    dispatcher.dispatch(1)
    #expect(observed.withLock { $0 } == [0])
    #expect(store.state == 1)
  }

  @Test func `with changes from many threads no observer goes back, and all end at the last state`()
    async
  {
    let store = makeSumStore()
    let observed = Mutex<[Int]>([])
    let subscription = store.observe { state in observed.withLock { $0.append(state) } }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { [dispatcher] in for _ in 0..<500 { dispatcher.dispatch(1) } }
      }
    }
    withExtendedLifetime(subscription) {
      let states = observed.withLock { $0 }
      #expect(states == states.sorted())
      #expect(states.last == 2000)
    }
  }

  @Test func `a released store no longer follows its dispatcher`() {
    let reduced = Mutex(0)
    do {
      let store = Store(0, reducing: dispatcher) { (_: inout Int, _: Int) in
        reduced.withLock { $0 += 1 }
        return true
      }
      dispatcher.dispatch(1)
      #expect(store.state == 0)
    }
    dispatcher.dispatch(1)
    #expect(reduced.withLock { $0 } == 1)
  }

  @Test func `A reader does not wait while an action is reduced, and reads the state from before`() throws {
    let gate = Gate()
    let store = Store(1, reducing: dispatcher) { (sum: inout Int, action: Int) in
      gate.pass()
      sum += action
      return true
    }
    let deliverer = try WorkerThread(name: "deliverer") { [dispatcher] in dispatcher.dispatch(2) }
    #expect(gate.awaitArrival())
    let read = Watched<(Int, Int)?>(nil)
    let reader = try WorkerThread(name: "reader") {
      let values = (store.state, store.read { $0 })
      read.change { $0 = values }
    }
    #expect(read.wait(seconds: 20) { $0 ?? (0, 0) == (1, 1) })
    gate.open()
    #expect(deliverer.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(reader.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(store.state == 3)
  }

  @Test func `Effects are performed once the new state can be read, and before an observer gets it`() throws {
    let log = Mutex<[String]>([])
    let reader = Mutex<Store<Int>?>(nil)
    let store = Store(0, reducing: dispatcher) { (sum: inout Int, action: Int) in
      sum += action
      return (action != 0, "effect of \(action)")
    } performing: { effect in
      let state = reader.withLock { $0 }?.state
      log.withLock { $0.append("\(effect) at \(state.map(String.init) ?? "")") }
    }
    reader.withLock { $0 = store }
    let subscription = store.observe { state in log.withLock { $0.append("state \(state)") } }
    for action in [2, 0, 3] { dispatcher.dispatch(action) }
    reader.withLock { $0 = nil }
    withExtendedLifetime(subscription) {
      #expect(
        log.withLock { $0 } == [
          "state 0", "effect of 2 at 2", "state 2", "effect of 0 at 2", "effect of 3 at 5", "state 5",
        ])
    }
  }
}
