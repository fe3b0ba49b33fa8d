// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct AudioLineTests {
  @Test(
    arguments: [
      (.integer(bits: 16), "44100:16:2"), (.integer(bits: 32), "44100:32:2"),
      (.float(bits: 32), "44100:f:2"), (.lossy, "44100:f:2"), (.dsd, "dsd16:2"),
    ] as [(SampleCoding, String)])
  func `The status has the bits of integers, f for floating-point and lossy formats, and the rate of DSD`(
    coding: SampleCoding, line: String
  ) throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(1), item: 0)
    let item = try #require(rig.queue.queue.current).id
    let format = AudioFormat.of(44_100, channels: 2, coding: coding)
    rig.playbackDispatcher.dispatch(.report(.changed(.playing)))
    rig.playbackDispatcher.dispatch(
      .report(.started(item, format: format, stream: format, gain: .off, duration: nil)))
    var client = try LineClient(rig)
    #expect(try client.values("audio", "status") == [line])
  }

  @Test func `The status has the bit rate in kilobits per second, or 0 if it is unknown`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(2), item: 0)
    let items = [0, 1].map { rig.queue.queue.items[$0].id }
    rig.playbackDispatcher.dispatch(.report(.changed(.playing)))
    var client = try LineClient(rig)
    for (item, bitRate, line) in [
      (items[0], 705_600, "706"), (items[0], nil, "0"), (items[0], 128_000, "128"),
    ] {
      rig.playbackDispatcher.dispatch(
        .report(
          .started(
            item, format: .cd, stream: .cd, gain: .off, duration: nil, encoding: SourceEncoding(bitRate: bitRate))))
      #expect(try client.values("bitrate", "status") == [line])
    }
    // A requested song has not been opened yet.
    rig.playbackDispatcher.dispatch(.report(.requested(items[1])))
    #expect(try client.values("bitrate", "status") == ["0"])
  }
}

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

  @Test func `Played time includes the audible time of all items, and no pauses`() throws {
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
