// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

/// The effect of a source's gain on the output.
@Suite struct SourceGainTests {
  private static let full: Float = 8_388_608
  /// The number of frames in a fade at 44.1 kHz.
  private let fade = 353

  private func tone(_ frames: Int, _ amplitude: Float) -> DecodingScript {
    var script = DecodingScript(tag: 1, frameCount: frames, format: .of(44_100, channels: 2, .bits24))
    script.wave = { frame, channel in
      amplitude * Float(sin(2 * .pi * 440 * Double(frame) / 44_100 + Double(channel)))
    }
    return script
  }

  private func constant(_ frames: Int) -> DecodingScript {
    var script = DecodingScript(tag: 1, frameCount: frames, format: .of(44_100, channels: 2, .bits24))
    script.wave = { _, channel in channel == 0 ? 0.25 : -0.25 }
    return script
  }

  private func source(_ number: Int, _ gain: SourceGain) -> PlaybackSource {
    PlaybackSource(id: EngineRig.source(number).id, path: FilePath("\(number)"), gain: gain)
  }

  /// Plays `scripts` with these gains, and returns the output.
  private func play(_ scripts: [DecodingScript], _ gains: [SourceGain]) throws -> [Float] {
    let rig = try EngineRig(scripts, follows: false)
    rig.engine.onEvent { [log = rig.log, weak engine = rig.engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.setNext(after: id, next <= scripts.count ? source(next, gains[next - 1]) : nil)
    }
    rig.engine.play(source(1, gains[0]))
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.count == 1)
    return rig.outputs.samples.map { Float($0) / Self.full }
  }

  @Test(arguments: [Float(0), 0.3, 0.5, 1, 1.5])
  func `every sample is multiplied, from the first`(factor: Float) throws {
    let one = tone(20_000, 0.5)
    let output = try play([one], [SourceGain(factor: factor, isLimited: false)])
    let expected = (0..<20_000).flatMap { frame in (0..<2).map { (one.wave?(frame, $0) ?? 0) * factor } }
    #expect(PCM.firstDifference(output, expected, channels: 2, tolerance: factor == 1 ? 6e-8 : 3e-7) == nil)
  }

  @Test func `a gain change between sources makes no step`() throws {
    let output = try play(
      [constant(5000), constant(5000), constant(5000)],
      [0.5, 2, 1].map { SourceGain(factor: $0, isLimited: false) })
    let left = stride(from: 0, to: output.count, by: 2).map { output[$0] * 4 }
    #expect(left.count == 15_000)
    let steepest = zip(left, left.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(steepest < 1.5 / Float(fade) * 1.01)
    for (range, factor) in [(0..<5000, 0.5), (5000 + fade..<10_000, 2), (10_000 + fade..<15_000, 1)] {
      #expect(left[range].allSatisfy { abs($0 - Float(factor)) < 2e-6 })
    }
    // Samples that are unchanged are not dithered.
    #expect(left[(10_000 + fade)...].allSatisfy { $0 == 1 })
  }

  @Test func `a limiter keeps the peaks below full scale, across joins, and adds or loses no frame`()
    throws
  {
    let gain = SourceGain(factor: 4, isLimited: true)
    let (one, two) = (tone(30_011, 0.2), tone(20_003, 0.9))
    let output = try play([one, two], [gain, gain])
    #expect(output.count == 2 * 50_014)
    #expect((output.map(abs).max() ?? 2) <= 1)
    // Samples below full scale are the same as without the limiter.
    let quiet = (0..<29_000).flatMap { frame in (0..<2).map { (one.wave?(frame, $0) ?? 0) * 4 } }
    #expect(PCM.firstDifference(Array(output.prefix(quiet.count)), quiet, channels: 2, tolerance: 3e-7) == nil)
    // With clipping, nearly half of the samples would be at full scale.
    let atFullScale = output.count { abs($0) > 0.9999 }
    #expect(atFullScale < output.count / 20)
  }

  @Test(arguments: [1, 100, 132, 133, 4095, 9000])
  func `frames delayed by the limiter come out at the end`(frames: Int) throws {
    let one = tone(frames, 0.5)
    let output = try play([one], [SourceGain(factor: 1, isLimited: true)])
    let expected = (0..<frames).flatMap { frame in (0..<2).map { one.wave?(frame, $0) ?? 0 } }
    #expect(PCM.firstDifference(output, expected, channels: 2, tolerance: 3e-7) == nil)
  }

  @Test func `the limiter ends where the format changes, with all delayed frames`() throws {
    var scripts = [tone(5000, 0.5), tone(5000, 0.5)]
    scripts[1].format = .of(48_000, channels: 1, .bits24)
    let rig = try EngineRig(scripts, follows: false)
    let gain = SourceGain(factor: 1, isLimited: true)
    rig.engine.play(source(1, gain))
    rig.engine.setNext(after: source(1, gain).id, source(2, gain))
    #expect(rig.await(.needsNext(after: source(2, gain).id)))
    rig.engine.setNext(after: source(2, gain).id, nil)
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.map(\.frameCount) == [5000, 5000])
  }

  @Test func `a new gain of the current source applies from its position on, and nothing else changes`() throws {
    let rig = try EngineRig([constant(60_000), constant(100)], outputs: CollectingOutputs(granted: 5000))
    rig.engine.play(source(1, .unity))
    #expect(rig.outputs.awaitBlockedWrite())
    let request = EngineEvent.needsNext(after: EngineRig.source(1).id)
    #expect(rig.await(request))
    rig.engine.setGain(SourceGain(factor: 0.5, isLimited: false), of: EngineRig.source(1).id)
    #expect(rig.await(request, count: 2))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let output = rig.outputs.samples
    let left = stride(from: 0, to: output.count, by: 2).map { Float(output[$0]) / Self.full * 4 }
    #expect(left.prefix(5000).allSatisfy { $0 == 1 })
    #expect(left[8000..<59_000].allSatisfy { abs($0 - 0.5) < 2e-6 })
    // Playback continued at its position, give or take the write in progress.
    #expect(abs(left.count - 60_100) <= 882 + 353)
    let steepest = zip(left, left.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(steepest < 1.01 / Float(fade))
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e20])
  func `NaN and infinite samples reach no filter and leave no trace`(bad: Float) throws {
    var one = tone(20_000, 0.5)
    let wave = one.wave
    one.wave = { frame, channel in frame == 9000 ? bad : wave?(frame, channel) ?? 0 }
    for isLimited in [false, true] {
      let output = try play([one], [SourceGain(factor: 1, isLimited: isLimited)])
      #expect(output.count == 40_000)
      let expected = (0..<20_000).flatMap { frame in (0..<2).map { wave?(frame, $0) ?? 0 } }
      if !isLimited {
        #expect(
          PCM.firstDifference(
            Array(output.dropFirst(2 * 9001)), Array(expected.dropFirst(2 * 9001)), channels: 2,
            tolerance: 1e-6) == nil)
      }
    }
  }
}
