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
}
