// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow
import Testing

@testable import PlayerPort

@Suite struct RefreshThrottleTests {
  private static let item = PlayQueue.Item.ID(rawValue: 1)

  @Test func `A view that shows positions refreshes at each of them`() {
    var throttle = RefreshThrottle(takesEveryPosition: true)
    var state = PlaybackState()
    for second in 1...20 {
      _ = state.reduce(.report(.position(Self.item, .seconds(second))))
      let isDue = throttle.isDue(state)
      #expect(isDue)
    }
  }

  @Test func `A view without positions refreshes at every fifth position and at every other change`() {
    var throttle = RefreshThrottle(takesEveryPosition: false)
    var state = PlaybackState()
    _ = state.reduce(.report(.position(Self.item, .zero)))
    var decisions = [throttle.isDue(state)]
    for second in 1...20 {
      _ = state.reduce(.report(.position(Self.item, .seconds(second))))
      decisions.append(throttle.isDue(state))
    }
    #expect(decisions.indices.filter { decisions[$0] } == [0, 5, 10, 15, 20])

    _ = state.reduce(.setVolume(Volume(percent: 50)))
    _ = state.reduce(.report(.position(Self.item, .seconds(21))))
    let isDueForVolume = throttle.isDue(state)
    #expect(isDueForVolume)
    _ = state.reduce(.report(.position(Self.item, .seconds(22))))
    let isDueForPosition = throttle.isDue(state)
    #expect(!isDueForPosition)
  }

  @Test func `The end of a crossfade is more than a position change`() throws {
    let format = try #require(AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)))
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    for _ in 1...2 {
      let started = PlaybackReport.started(
        Self.item, format: format, stream: format, gain: .off, duration: .seconds(60), crossfade: .seconds(3))
      _ = state.reduce(.report(.repeated(Self.item)))
      _ = state.reduce(.report(started))
    }
    var throttle = RefreshThrottle(takesEveryPosition: false)
    var decisions = [throttle.isDue(state)]
    for second in 1...4 {
      _ = state.reduce(.report(.position(Self.item, .seconds(second))))
      decisions.append(throttle.isDue(state))
    }
    #expect(decisions == [true, false, false, true, false])
  }
}
