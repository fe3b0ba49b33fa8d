// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import TestSupport
import Testing

/// The output when a source is played while another one fades out.
@Suite struct CrossfadeOnPlayTests {
  private static let full: Float = 8_388_608
  /// The number of frames over which what was playing fades out before, and fades in again.
  private static let fade = 353

  /// Returns noise of 16 bits.
  private static func noise(_ tag: Int, _ frame: Int, _ channel: Int) -> Float {
    var state = UInt32(truncatingIfNeeded: frame &* 2 &+ channel &+ tag &* 7_919) &* 2_654_435_761
    state = (state ^ (state >> 15)) &* 2_246_822_519
    return Float(Int32(bitPattern: state ^ (state >> 13)) >> 18) / 32_768
  }

  private static func script(_ tag: Int, frames: Int, rate: Int = 44_100, channels: Int = 2) -> DecodingScript {
    var script = DecodingScript(tag: tag, frameCount: frames, format: .of(rate, channels: channels, .bits24))
    script.wave = { noise(tag, $0, $1) }
    return script
  }

  /// Plays the third source once 30,000 frames of the first have been played, over this many milliseconds. Returns the
  /// left channel of the recording.
  private func record(
    _ scripts: [DecodingScript], _ milliseconds: Int, pausing: Bool = false
  ) throws -> (samples: [Float], starts: [PlaybackSource.ID]) {
    // The second source would have come next.
    let rig = try EngineRig([scripts[0], Self.script(9, frames: 50_000), scripts[1]], isRewindable: true)
    let device = try #require(rig.device)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 30_000 })
    if pausing {
      rig.engine.pause()
      #expect(rig.clock.run { device.isPaused })
    }
    rig.engine.play(EngineRig.source(3), crossfade: .milliseconds(milliseconds))
    #expect(rig.await(.finished))
    let samples = device.samples
    let starts = rig.events.compactMap { event in
      if case .started(let source, _, _, _, _) = event { source } else { nil }
    }
    return (stride(from: 0, to: samples.count, by: 2).map { Float(samples[$0]) / Self.full }, starts)
  }

  @Test(arguments: [200, 1_000]) func `what is playing fades out from where it is, while the other fades in`(
    milliseconds: Int
  ) throws {
    let (recorded, starts) = try record(
      [Self.script(1, frames: 300_000), Self.script(3, frames: 150_000)], milliseconds)
    let start = recorded.count - 150_000
    try #require(start > 30_000)
    #expect(starts == [EngineRig.source(1).id, EngineRig.source(3).id])
    #expect((0..<start - Self.fade).allSatisfy { abs(recorded[$0] - Self.noise(1, $0, 0)) < 4e-7 })
    let length = 44_100 * milliseconds / 1_000
    let curve = CrossfadeCurve(frames: length)
    // Where what was playing continues: about where it was interrupted.
    let matches = (start - 2 * Self.fade..<start + Self.fade).filter { position in
      (Self.fade..<length).allSatisfy { frame in
        let gains = curve.gains(at: frame)
        let expected =
          Self.noise(1, position + frame, 0) * gains.outgoing + Self.noise(3, frame, 0) * gains.incoming
        return abs(recorded[start + frame] - expected) < 1e-6
      }
    }
    #expect(matches.count == 1, "\(matches)")
    #expect((length..<150_000).allSatisfy { abs(recorded[start + $0] - Self.noise(3, $0, 0)) < 4e-7 })
    // It fades in again, without a click.
    let first = (0..<20).map { abs(recorded[start + $0]) }.max() ?? 1
    #expect(first < 0.05, "\(first)")
  }

  @Test func `a source that is shorter than the crossfade is audible, too`() throws {
    let (recorded, starts) = try record(
      [Self.script(1, frames: 300_000), Self.script(3, frames: 20_000)], 1_000)
    #expect(starts == [EngineRig.source(1).id, EngineRig.source(3).id])
    let start = recorded.count - 20_000
    #expect((10_000..<20_000).allSatisfy { abs(recorded[start + $0] - Self.noise(3, $0, 0)) < 4e-7 })
    #expect((5_000..<9_000).contains { abs(recorded[start + $0] - Self.noise(3, $0, 0)) > 0.01 })
  }

  @Test func `where the first source ends during the crossfade, the second plays on`() throws {
    let (recorded, starts) = try record(
      [Self.script(1, frames: 90_000), Self.script(3, frames: 150_000)], 2_000)
    #expect(starts == [EngineRig.source(1).id, EngineRig.source(3).id])
    let start = recorded.count - 150_000
    #expect((88_200..<150_000).allSatisfy { abs(recorded[start + $0] - Self.noise(3, $0, 0)) < 4e-7 })
  }

  @Test func `sources of different formats, and one after a pause, are not mixed`() throws {
    for (second, pausing) in [
      (Self.script(3, frames: 50_000, rate: 48_000), false), (Self.script(3, frames: 50_000), true),
    ] {
      let (recorded, starts) = try record(
        [Self.script(1, frames: 300_000), second], 500, pausing: pausing)
      #expect(starts == [EngineRig.source(1).id, EngineRig.source(3).id])
      #expect(zip(recorded.suffix(49_000), 1_000..<50_000).allSatisfy { abs($0 - Self.noise(3, $1, 0)) < 4e-7 })
    }
  }
}
