// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import SystemPackage
import Testing

@testable import PlayerFlow

@Suite struct SourceChainTests {
  private func item(_ number: UInt64) -> PlayQueue.Item.ID { PlayQueue.Item.ID(rawValue: number) }

  private func link(_ source: UInt64, _ number: UInt64) -> SourceChain.Link {
    SourceChain.Link(
      source: PlaybackSource.ID(rawValue: source), item: item(number), path: FilePath("\(number).flac"), gain: .off)
  }

  /// Returns a chain in which item 1 is playing, 2 is decoded, 3 has failed, and 4 follows.
  private func chain() -> SourceChain {
    var chain = SourceChain()
    chain.begin(link(1, 1))
    _ = chain.nextRequested(after: link(1, 1).source)
    chain.setNext(after: 0, link(2, 2))
    _ = chain.nextRequested(after: link(2, 2).source)
    chain.setNext(after: 1, link(3, 3))
    #expect(chain.failed(link(3, 3).source)?.isNew == true)
    _ = chain.nextRequested(after: link(3, 3).source)
    chain.setNext(after: 2, link(4, 4))
    return chain
  }

  @Test func `An item that failed ahead is not tried again when an earlier one starts`() {
    var chain = chain()
    #expect(chain.links.map(\.item) == [item(1), item(2), item(4)])
    _ = chain.started(link(2, 2).source)
    #expect(chain.hasFailed(item(3)))
  }

  @Test func `A failed source that is tried again is followed by the item after it`() {
    var chain = SourceChain()
    chain.begin(link(1, 1))
    for number in [1, 2] as [UInt64] {
      let failed = chain.failed(link(number, number).source)?.item
      let isRequested = chain.nextRequested(after: link(number, number).source)
      #expect(failed == item(number) && isRequested)
      chain.setNext(after: 0, link(number + 1, number + 1))
    }
    #expect(chain.links.map(\.item) == [item(3)])
    // This happens after a seek, if nothing has been played yet.
    let isRequestedAgain = chain.nextRequested(after: link(1, 1).source)
    #expect(isRequestedAgain)
    #expect(chain.links.map(\.item) == [item(1)] && chain.links[0].isFailed && !chain.hasFailed(item(2)))
    chain.setNext(after: 0, link(4, 2))
    #expect(chain.links.map(\.item) == [item(2)])
    // Sources that the engine was given before no longer count.
    let isStaleRequested = chain.nextRequested(after: link(2, 2).source)
    #expect(!isStaleRequested)
  }

  @Test func `A skipped item can be tried again once playback has passed it`() {
    var chain = chain()
    _ = chain.started(link(4, 4).source)
    #expect(!chain.hasFailed(item(3)))
  }

  @Test func `A failure is reported once, and again after the item was heard`() {
    var chain = chain()
    _ = chain.nextRequested(after: link(4, 4).source)
    chain.setNext(after: 2, link(5, 3))
    // The file can be opened but is empty.
    _ = chain.nextRequested(after: link(5, 3).source)
    #expect(chain.failed(link(5, 3).source)?.isNew == false)
    chain.setNext(after: 3, link(6, 3))
    _ = chain.started(link(6, 3).source)
    _ = chain.nextRequested(after: link(6, 3).source)
    chain.setNext(after: 0, link(7, 3))
    #expect(chain.failed(link(7, 3).source)?.isNew == true)
  }

  @Test func `The failure of the requested item counts until something is heard`() {
    var chain = SourceChain()
    chain.begin(link(1, 1))
    _ = chain.failed(link(1, 1).source)
    _ = chain.nextRequested(after: link(1, 1).source)
    chain.setNext(after: 0, link(2, 2))
    #expect(chain.hasFailed(item(1)))
    _ = chain.started(link(2, 2).source)
    #expect(!chain.hasFailed(item(1)))
  }
}
