// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import PlaybackEngine
import Resampling
import TestSupport
import Testing

/// A passage that is repeated again and again.
@Suite struct PassageTests {
  private let second = 44_100

  private func milliseconds(_ start: Int, _ end: Int) throws -> SourcePassage {
    try #require(SourcePassage(start: .milliseconds(start), end: .milliseconds(end)))
  }

  /// Returns `count` frames of `script`, from frame `start` on, in which the frames of `passage` are repeated.
  private func repeated(
    _ script: DecodingScript, _ passage: Range<Int>, from start: Int = 0, count: Int
  ) -> [Int32] {
    var (frame, samples) = (start, [Int32]())
    for _ in 0..<count {
      if frame == min(passage.upperBound, script.frameCount) { frame = passage.lowerBound }
      samples += script.samples(frame..<frame + 1)
      frame += 1
    }
    return samples
  }

  /// Plays `script` from its beginning with this passage, and returns the first `count` frames of the output.
  private func played(_ script: DecodingScript, _ passage: SourcePassage, count: Int) throws -> [Int32] {
    let rig = try EngineRig([script], outputs: CollectingOutputs(granted: count))
    var source = EngineRig.source(1)
    source.passage = passage
    rig.engine.play(source)
    #expect(rig.outputs.awaitFrames(count))
    return Array(rig.outputs.samples.prefix(count * script.format.channels))
  }

  @Test(arguments: [(100, 300), (0, 100), (0, 2_000), (333, 1_777)])
  func `the frames of the passage follow each other without a gap`(start: Int, end: Int) throws {
    let script = DecodingScript(tag: 1, frameCount: 2 * second)
    let frames = (start * second / 1_000)..<(end * second / 1_000)
    let output = try played(script, milliseconds(start, end), count: 5 * second)
    let rounded = Int((Double(start) * 44.1).rounded())..<Int((Double(end) * 44.1).rounded())
    #expect(abs(rounded.lowerBound - frames.lowerBound) <= 1)
    #expect(PCM.firstDifference(output, repeated(script, rounded, count: 5 * second), channels: 2) == nil)
  }

  @Test(arguments: [2_001, 1_000_000_000])
  func `a passage that ends after the source ends with it`(end: Int) throws {
    let script = DecodingScript(tag: 1, frameCount: 2 * second - 7)
    let output = try played(script, milliseconds(1_000, end), count: 5 * second)
    #expect(
      PCM.firstDifference(output, repeated(script, second..<2 * second, count: 5 * second), channels: 2) == nil)
  }

  @Test func `a passage that is resampled is heard like one that is long`() throws {
    var random = SeededGenerator(seed: 7)
    let samples = (0..<2 * second).map { _ in Float.random(in: -0.4...0.4, using: &random) }
    var script = DecodingScript(tag: 1, frameCount: second, format: .of(second, channels: 2, .bits24))
    script.wave = { frame, channel in samples[frame * 2 + channel] }
    var long = script
    long.frameCount = 4 * second
    long.wave = { frame, channel in
      samples[(frame < 22_050 ? frame : 4_410 + (frame - 22_050) % 17_640) * 2 + channel]
    }
    var settings = EngineSettings()
    (settings.formatChange, settings.sampleRate, settings.depth) = (.resample, 48_000, .bits24)
    let outputs = try [script, long].map { script in
      let rig = try EngineRig(
        [script], outputs: CollectingOutputs(granted: 3 * 48_000), settings: settings, resamplers: SoxrResampler.make)
      var source = EngineRig.source(1)
      if script.frameCount == second { source.passage = try milliseconds(100, 500) }
      rig.engine.play(source)
      #expect(rig.outputs.awaitFrames(3 * 48_000))
      return rig.outputs.samples.prefix(2 * 3 * 48_000).map { Float($0) / 8_388_608 }
    }
    // Both are dithered.
    #expect(PCM.firstDifference(outputs[0], outputs[1], channels: 2, tolerance: 5e-7) == nil)
  }

  @Test(arguments: [false, true])
  func `a passage is set, and ended, while its source plays`(isRewindable: Bool) throws {
    let script = DecodingScript(tag: 1, frameCount: 20 * second)
    let device = CollectingOutputs.Device(bufferFrames: 4_410, isPaced: true)
    let rig = try EngineRig([script], outputs: CollectingOutputs(device: device), isRewindable: isRewindable)
    rig.engine.play(EngineRig.source(1))
    func position() -> Duration { rig.engine.audiblePosition?.position ?? .zero }
    #expect(rig.clock.run { position() >= .milliseconds(1_100) })
    // Time passes in steps of some seconds, as the device sleeps.
    rig.engine.setPassage(try milliseconds(1_000, 8_000), of: EngineRig.source(1).id)
    let starts = { (events: [EngineEvent]) in
      events.count { if case .position(_, .seconds(1)) = $0 { true } else { false } }
    }
    let before = starts(rig.events)
    #expect(rig.await { starts($0) >= before + 4 })
    #expect(position() >= .milliseconds(999) && position() < .milliseconds(8_002))
    rig.engine.setPassage(nil, of: EngineRig.source(1).id)
    #expect(rig.clock.run { position() > .seconds(10) })
    #expect(!rig.events.contains(.finished))
  }

  @Test func `a passage before the present position has no effect, and another source has none`() throws {
    let script = DecodingScript(tag: 1, frameCount: second)
    let rig = try EngineRig([script, DecodingScript(tag: 2, frameCount: second)])
    rig.engine.play(EngineRig.source(1), from: .milliseconds(600))
    rig.engine.setPassage(try milliseconds(0, 500), of: EngineRig.source(1).id)
    rig.engine.setPassage(try milliseconds(0, 500), of: EngineRig.source(2).id)
    #expect(rig.await(.finished))
    #expect(SourcePassage(start: .seconds(1), end: .milliseconds(1_099)) == nil)
    #expect(SourcePassage(start: .seconds(2), end: .seconds(1)) == nil)
  }

  @Test func `a stream that allows no seeking repeats nothing`() throws {
    var script = DecodingScript(tag: 1, frameCount: second)
    script.isSeekable = false
    let rig = try EngineRig([script])
    var source = EngineRig.source(1)
    source.passage = try milliseconds(0, 500)
    rig.engine.play(source)
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, script.samples(0..<second), channels: 2) == nil)
  }
}
