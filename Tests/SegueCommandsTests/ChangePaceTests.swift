import MusicModel
import QueueFlow
import Testing

@testable import SegueCommands

/// When a view looks at what plays.
@Suite struct ChangePaceTests {
  private static let item = PlayQueue.Item.ID(rawValue: 1)

  @Test func `A view that shows positions looks at each of them`() {
    var pace = ChangePace(takesEveryPosition: true)
    var state = PlaybackState()
    for second in 1...20 {
      _ = state.reduce(.report(.position(Self.item, .seconds(second))))
      let isDue = pace.isDue(state)
      #expect(isDue)
    }
  }

  @Test func `One that shows none looks at every tenth, and at all that is more than a position`() {
    var pace = ChangePace(takesEveryPosition: false)
    var state = PlaybackState()
    _ = state.reduce(.report(.position(Self.item, .zero)))
    var looks = [pace.isDue(state)]
    for second in 1...20 {
      _ = state.reduce(.report(.position(Self.item, .seconds(second))))
      looks.append(pace.isDue(state))
    }
    #expect(looks.indices.filter { looks[$0] } == [0, 10, 20])

    _ = state.reduce(.setVolume(Volume(percent: 50)))
    _ = state.reduce(.report(.position(Self.item, .seconds(21))))
    let isDueForVolume = pace.isDue(state)
    #expect(isDueForVolume)
    _ = state.reduce(.report(.position(Self.item, .seconds(22))))
    let isDueForPosition = pace.isDue(state)
    #expect(!isDueForPosition)
  }
}
