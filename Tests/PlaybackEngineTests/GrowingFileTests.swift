// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import Resampling
import TestSupport
import Testing

/// Files that grow while they are played, such as recordings that are still being made.
@Suite struct GrowingFileTests {
  @Test(arguments: [nil, 48_000], [true, false])
  func `The duration of a file that grows while it is played is reported again`(
    rate: Int?, isRewindable: Bool
  ) throws {
    var script = DecodingScript(tag: 1, frameCount: 882_000)
    script.statedFrameCount = 44_100
    script.growth = [(44_100, 441_000), (441_000, 882_000)]
    var settings = EngineSettings()
    settings.sampleRate = rate
    let rig = try EngineRig(
      [script], isRewindable: isRewindable, settings: settings, resamplers: SoxrResampler.make)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    let durations = rig.events.compactMap { event in
      if case .started(_, _, _, let duration, _) = event { duration } else { nil }
    }
    #expect(durations == [.seconds(1), .seconds(10), .seconds(20)])
    guard rate == nil, !isRewindable else { return }
    #expect(PCM.firstDifference(rig.outputs.samples, script.samples, channels: 2) == nil)
  }

  @Test func `A file that has grown since its end was decoded is reported once it has been played`() throws {
    var grown = DecodingScript(tag: 1, frameCount: 300_000)
    grown.hasGrown = true
    let rig = try EngineRig(
      [grown, DecodingScript(tag: 2, frameCount: 900_000), grown], outputs: CollectingOutputs(granted: 310_000))
    rig.engine.play(EngineRig.source(1))
    // The file is looked at on another thread, while it is still open: until the third one is opened.
    #expect(rig.await { $0.contains { Self.complaint($0) != nil } })
    let starts = rig.events.compactMap { if case .started(let id, _, _, _, _) = $0 { id.rawValue } else { nil } }
    #expect(starts == [1, 2])
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(rig.await { $0.compactMap(Self.complaint).count == 2 })
    let reason = "has become longer since its end was read; play it again to hear the rest"
    #expect(rig.events.compactMap(Self.complaint) == ["1 \(reason)", "3 \(reason)"])
  }

  @Test func `A file whose end was not played is not reported`() throws {
    var grown = DecodingScript(tag: 1, frameCount: 30_000)
    grown.hasGrown = true
    let rig = try EngineRig(
      [grown, DecodingScript(tag: 2, frameCount: 30_000)], outputs: CollectingOutputs(granted: 0))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.awaitOpened(2))
    // The output must not take the end of the file before the engine has left it.
    rig.engine.play(EngineRig.source(2), isPaused: true)
    #expect(rig.await(.changed(.paused)))
    rig.outputs.grant()
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect(rig.events.compactMap(Self.complaint).isEmpty)
  }

  private static func complaint(_ event: EngineEvent) -> String? {
    if case .endedEarly(let id, let error) = event { "\(id.rawValue) \(error.reason)" } else { nil }
  }
}
