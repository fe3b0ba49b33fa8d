import AudioCore
import Flux
import MusicModel
import QueueFlow
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct PlayedTimeTests {
  private let dispatcher = QueueDispatcher()
  private let clock = ManualClock()

  private func start(_ item: PlayQueue.Item.ID) throws {
    let format = try #require(AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)))
    dispatcher.dispatch(.report(.changed(.playing)))
    dispatcher.dispatch(.report(.requested(item)))
    dispatcher.dispatch(
      .report(.started(item, format: format, stream: format, gain: .off, duration: .seconds(60))))
  }

  @Test func `What is heard counts, whatever item it is, and what waits does not`() throws {
    let store = PlaybackStore(PlayerStore(dispatcher: dispatcher))
    let time = PlayedTime(store, clock: clock)
    clock.advance(byMilliseconds: 5_000)
    #expect(time.total == .zero)
    try start(PlayQueue.Item.ID(rawValue: 1))
    clock.advance(byMilliseconds: 10_000)
    #expect(time.total == .seconds(10))
    try start(PlayQueue.Item.ID(rawValue: 2))
    clock.advance(byMilliseconds: 3_000)
    dispatcher.dispatch(.report(.changed(.paused)))
    clock.advance(byMilliseconds: 100_000)
    #expect(time.total == .seconds(13))
    dispatcher.dispatch(.report(.changed(.playing)))
    dispatcher.dispatch(.report(.position(PlayQueue.Item.ID(rawValue: 2), .seconds(3))))
    clock.advance(byMilliseconds: 2_000)
    #expect(time.total == .seconds(15))
    dispatcher.dispatch(.report(.finished))
    clock.advance(byMilliseconds: 7_000)
    #expect(time.total == .seconds(15))
  }
}
