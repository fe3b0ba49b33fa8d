// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import Synchronization
import Testing

struct FilterStoreTests {
  @Test func `Filters of several kinds are combined, and only changes of them are published`() {
    let dispatcher = FilterDispatcher()
    let store = FilterStore(dispatcher: dispatcher)
    let actions = FilterActionCreator(dispatcher: dispatcher)
    let seen = Mutex<[LibraryFilters]>([])
    let subscription = store.observe { filters in seen.withLock { $0.append(filters) } }
    actions.change(.insert("Jazz", of: .genre))
    actions.change(.insert("Jazz", of: .genre))
    actions.change(.insert("Bebop", of: .genre))
    actions.change(.insert("1950s", of: .decade))
    #expect(store.state.values == [.genre: ["Jazz", "Bebop"], .decade: ["1950s"]])
    actions.change(.remove("Jazz", of: .genre))
    actions.change(.remove("Rock", of: .genre))
    actions.change(.clear(.decade))
    #expect(store.state.values == [.genre: ["Bebop"]])
    actions.change(.clear(nil))
    #expect(store.state.isEmpty)
    withExtendedLifetime(subscription) { #expect(seen.withLock { $0.count } == 7) }
  }
}
