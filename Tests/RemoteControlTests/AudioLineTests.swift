import AudioCore
import Flux
import MusicModel
import QueueFlow
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct AudioLineTests {
  @Test(
    arguments: [
      (.integer(bits: 16), "44100:16:2"), (.integer(bits: 32), "44100:32:2"),
      (.float(bits: 32), "44100:f:2"), (.lossy, "44100:f:2"),
    ] as [(SampleCoding, String)])
  func `The status tells the bits of integers, and f for what has none or is floating-point`(
    coding: SampleCoding, line: String
  ) throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(1), item: 0)
    let item = try #require(rig.queue.queue.current).id
    let format = AudioFormat.of(44_100, channels: 2, coding: coding)
    rig.playbackDispatcher.dispatch(.report(.changed(.playing)))
    rig.playbackDispatcher.dispatch(
      .report(.started(item, format: format, stream: format, gain: .off, duration: nil)))
    var client = try Conversation(rig)
    #expect(try client.values("audio", "status") == [line])
  }

  @Test
  func `The status tells how many thousand bits a second the song takes, and 0 where that is not known`()
    throws
  {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(2), item: 0)
    let items = [0, 1].map { rig.queue.queue.items[$0].id }
    rig.playbackDispatcher.dispatch(.report(.changed(.playing)))
    var client = try Conversation(rig)
    for (item, bitRate, line) in [
      (items[0], 705_600, "706"), (items[0], nil, "0"), (items[0], 128_000, "128"),
    ] {
      rig.playbackDispatcher.dispatch(
        .report(.started(item, format: .cd, stream: .cd, gain: .off, duration: nil, bitRate: bitRate)))
      #expect(try client.values("bitrate", "status") == [line])
    }
    // What is about to play has not been opened yet.
    rig.playbackDispatcher.dispatch(.report(.requested(items[1])))
    #expect(try client.values("bitrate", "status") == ["0"])
  }
}
