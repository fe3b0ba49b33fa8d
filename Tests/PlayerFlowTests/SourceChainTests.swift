import AudioCore
import MusicModel
import Testing

@testable import PlayerFlow

@Suite struct SourceChainTests {
  private func item(_ number: UInt64) -> PlayQueue.Item.ID { PlayQueue.Item.ID(rawValue: number) }

  private func link(_ source: UInt64, _ number: UInt64) -> SourceChain.Link {
    SourceChain.Link(source: PlaybackSource.ID(rawValue: source), item: item(number), gain: .off)
  }

  /// Item 1 is heard, 2 is decoded, 3 could not be, and 4 follows.
  private func chain() -> SourceChain {
    var chain = SourceChain()
    chain.begin(link(1, 1))
    _ = chain.asked(behind: link(1, 1).source)
    chain.follow(0, with: link(2, 2))
    _ = chain.asked(behind: link(2, 2).source)
    chain.follow(1, with: link(3, 3))
    #expect(chain.failed(link(3, 3).source)?.isNews == true)
    _ = chain.asked(behind: link(3, 3).source)
    chain.follow(2, with: link(4, 4))
    return chain
  }

  @Test func `What was found wrong ahead is not tried again when what is before it begins`() {
    var chain = chain()
    #expect(chain.links.map(\.item) == [item(1), item(2), item(4)])
    _ = chain.started(link(2, 2).source)
    #expect(chain.hasFailed(item(3)))
  }

  @Test func `What could not be played and is begun anew is followed by what is behind it`() {
    var chain = SourceChain()
    chain.begin(link(1, 1))
    for number in [1, 2] as [UInt64] {
      let failed = chain.failed(link(number, number).source)?.item
      let isAsked = chain.asked(behind: link(number, number).source)
      #expect(failed == item(number) && isAsked)
      chain.follow(0, with: link(number + 1, number + 1))
    }
    #expect(chain.links.map(\.item) == [item(3)])
    // As by a seek, before anything was heard.
    let isAskedAgain = chain.asked(behind: link(1, 1).source)
    #expect(isAskedAgain)
    #expect(chain.links.map(\.item) == [item(1)] && chain.links[0].isFailed && !chain.hasFailed(item(2)))
    chain.follow(0, with: link(4, 2))
    #expect(chain.links.map(\.item) == [item(2)])
    // What was told before is of no account any more.
    let isAskedForOld = chain.asked(behind: link(2, 2).source)
    #expect(!isAskedForOld)
  }

  @Test func `What was passed over gets another turn when its place was passed`() {
    var chain = chain()
    _ = chain.started(link(4, 4).source)
    #expect(!chain.hasFailed(item(3)))
  }

  @Test func `A failure is news once, and again when the item was heard meanwhile`() {
    var chain = chain()
    _ = chain.asked(behind: link(4, 4).source)
    chain.follow(2, with: link(5, 3))
    // It can be opened, and holds nothing.
    _ = chain.asked(behind: link(5, 3).source)
    #expect(chain.failed(link(5, 3).source)?.isNews == false)
    chain.follow(3, with: link(6, 3))
    _ = chain.started(link(6, 3).source)
    _ = chain.asked(behind: link(6, 3).source)
    chain.follow(0, with: link(7, 3))
    #expect(chain.failed(link(7, 3).source)?.isNews == true)
  }

  @Test func `What was asked for and failed counts until something is heard`() {
    var chain = SourceChain()
    chain.begin(link(1, 1))
    _ = chain.failed(link(1, 1).source)
    _ = chain.asked(behind: link(1, 1).source)
    chain.follow(0, with: link(2, 2))
    #expect(chain.hasFailed(item(1)))
    _ = chain.started(link(2, 2).source)
    #expect(!chain.hasFailed(item(1)))
  }
}
