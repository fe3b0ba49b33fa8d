// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization
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
}
