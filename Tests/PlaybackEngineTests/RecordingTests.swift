// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@testable import PlaybackEngine

/// What is audible on an output with a deep buffer is recorded for meters.
@Suite struct RecordingTests {
  @Test func `What is audible can be read soon after recording begins, and every frame is still written once`() throws {
    let script = DecodingScript(tag: 1, frameCount: 400_000)
    let rig = try EngineRig([script], isRewindable: true)
    let device = try #require(rig.device)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 30_000 })
    #expect(rig.engine.audibleSound == nil)
    rig.engine.recordSound(true)
    let begin = device.playedFrames
    #expect(rig.clock.run { rig.engine.audibleSound != nil })
    // The buffer holds much more.
    #expect(device.takeBackCount == 1, "\(device.takeBackCount)")
    #expect(device.playedFrames < begin + 2 * 44_100, "\(device.playedFrames - begin)")
    let sound = try #require(rig.engine.audibleSound)
    let expected = script.samples(0..<400_000)
    let last = [sound.left.last ?? 0, sound.right.last ?? 0].map { Int32(($0 * 32_768).rounded()) }
    let played = device.playedFrames
    var isComing = false
    for frame in played..<played + 4_096 {
      if expected[2 * frame] == last[0], expected[2 * frame + 1] == last[1] { isComing = true }
    }
    #expect(isComing)
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(device.samples, expected, channels: 2) == nil)
    rig.engine.recordSound(false)
    #expect(rig.engine.underrunCount == 0)
  }
}
