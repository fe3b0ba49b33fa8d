// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Resampling
import TestSupport
import Testing

@testable import PlaybackEngine

/// The output if the device, or a setting, requires a format other than the source's.
@Suite struct DeviceFormatTests {
  private let ids = (1...3).map { EngineRig.source($0).id }

  private func settings(rate: Int? = nil, depth: SampleDepth? = nil) -> EngineSettings {
    var settings = EngineSettings()
    settings.sampleRate = rate
    settings.depth = depth
    return settings
  }

  private func play(
    _ scripts: [DecodingScript], _ settings: EngineSettings,
    _ takes: @escaping @Sendable (DeviceFormat) -> DeviceFormat = { $0 }
  ) throws -> EngineRig {
    let rig = try EngineRig(
      scripts, outputs: CollectingOutputs(takes: takes), settings: settings, resamplers: SoxrResampler.make)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    return rig
  }

  /// Returns the number of frames after a conversion of the sample rate.
  private func convertedCount(_ frames: Int, _ from: Int, _ to: Int) -> Int {
    Int((Double(frames) * Double(to) / Double(from)).rounded())
  }

  @Test func `at 24 bits, 16 bits come out exactly, and at 16 bits, 24 bits are dithered`() throws {
    let source16 = DecodingScript(tag: 1, frameCount: 9000)
    let source24 = DecodingScript(tag: 2, frameCount: 9000, format: .of(44_100, channels: 2, .bits24))
    let at24Bits = try play([source16, source24, source16], settings(depth: .bits24))
    #expect(at24Bits.outputs.openings.map(\.format.depth) == [.bits24])
    let exact = source16.samples.map { $0 << 8 } + source24.samples + source16.samples.map { $0 << 8 }
    #expect(PCM.firstDifference(at24Bits.outputs.samples, exact, channels: 2) == nil)
    let at16Bits = try play([source16, source24, source16], settings(depth: .bits16))
    #expect(at16Bits.outputs.openings.map(\.format.depth) == [.bits16])
    let output = at16Bits.outputs.samples
    #expect(PCM.firstDifference(Array(output.prefix(18_000)), source16.samples, channels: 2) == nil)
    #expect(PCM.firstDifference(Array(output.suffix(18_000)), source16.samples, channels: 2) == nil)
    let middle = Array(output[18_000..<36_000])
    let rounded = source24.samples.map { ($0 + 128) >> 8 }
    #expect(PCM.firstDifference(middle, rounded, channels: 2, tolerance: 2) == nil)
    #expect(middle != rounded)
  }

  @Test func `with a fixed rate, the output opens once, and every source keeps its length`()
    throws
  {
    let scripts = [
      DecodingScript(tag: 1, frameCount: 9001), DecodingScript(tag: 2, frameCount: 9002),
      DecodingScript(tag: 3, frameCount: 9003, format: .of(96_000, channels: 2, .bits16)),
      DecodingScript(tag: 4, frameCount: 9004, format: .of(48_000, channels: 2, .bits16)),
    ]
    let rig = try play(scripts, settings(rate: 48_000))
    #expect(rig.outputs.openings.map(\.format.sampleRate) == [48_000])
    let frames = convertedCount(18_003, 44_100, 48_000) + convertedCount(9003, 96_000, 48_000) + 9004
    #expect(rig.outputs.openings.map(\.frameCount) == [frames])
    let last = rig.outputs.samples.suffix(2 * 9004)
    #expect(PCM.firstDifference(Array(last), scripts[3].samples, channels: 2) == nil)
  }

  @Test func `a device with a single rate gets every source in full`() throws {
    let scripts = [
      DecodingScript(tag: 1, frameCount: 9001), DecodingScript(tag: 2, frameCount: 9002),
      DecodingScript(tag: 3, frameCount: 9003, format: .of(96_000, channels: 2, .bits16)),
      DecodingScript(tag: 4, frameCount: 9004, format: .of(48_000, channels: 2, .bits16)),
    ]
    let rig = try play(scripts, settings()) {
      DeviceFormat(sampleRate: 48_000, channels: $0.channels, depth: $0.depth)
    }
    let openings = rig.outputs.openings
    #expect(openings.allSatisfy { $0.isClosed && $0.format.sampleRate == 48_000 })
    let frames = convertedCount(18_003, 44_100, 48_000) + convertedCount(9003, 96_000, 48_000) + 9004
    #expect(openings.map(\.frameCount).reduce(0, +) == frames)
    let last = rig.outputs.samples.suffix(2 * 9004)
    #expect(PCM.firstDifference(Array(last), scripts[3].samples, channels: 2) == nil)
    let started = rig.events.compactMap { event in
      if case .started(let id, _, let stream, _, _) = event {
        [Int(id.rawValue), stream.sampleRate]
      } else {
        nil
      }
    }
    #expect(started == (1...4).map { [$0, 48_000] })
    #expect(!rig.events.contains { if case .failed = $0 { true } else { false } })
  }

  @Test func `a stereo device gets mono on both sides, exactly`() throws {
    let mono = DecodingScript(tag: 1, frameCount: 9001, format: .of(44_100, channels: 1, .bits16))
    let rig = try play([mono, mono], settings()) {
      DeviceFormat(sampleRate: $0.sampleRate, channels: 2, depth: $0.depth)
    }
    #expect(rig.outputs.openings.map(\.frameCount) == [2 * 9001])
    let expected = (mono.samples + mono.samples).flatMap { [$0, $0] }
    #expect(PCM.firstDifference(rig.outputs.samples, expected, channels: 2, tolerance: 2) == nil)
  }

  @Test func `a device with unsupported channels reports every source as failed`() throws {
    let rig = try EngineRig(
      [DecodingScript(tag: 1, frameCount: 9001), DecodingScript(tag: 2, frameCount: 9001)],
      outputs: CollectingOutputs(takes: {
        DeviceFormat(sampleRate: $0.sampleRate, channels: 4, depth: $0.depth)
      }), resamplers: SoxrResampler.make)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    let failed = rig.events.compactMap { if case .failed(let id, _) = $0 { id } else { nil } }
    #expect(failed.first == ids[0])
    // The next track after the first may have been set before the device was known, and again after that: then it fails
    // twice.
    #expect(Set(failed) == [ids[0], ids[1]])
  }

  @Test func `after a seek, a device with a single rate continues at the target`() throws {
    let one = DecodingScript(tag: 1, frameCount: 60_000)
    let outputs = CollectingOutputs(
      granted: 9000, takes: { DeviceFormat(sampleRate: 48_000, channels: $0.channels, depth: $0.depth) })
    let rig = try EngineRig([one], outputs: outputs, resamplers: SoxrResampler.make)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    rig.engine.seek(.to(.seconds(1)))
    #expect(rig.await(.position(ids[0], .seconds(1))))
    let before = outputs.frameCountAfterWrite
    outputs.grant()
    #expect(rig.await(.finished))
    let after = outputs.openings.map(\.frameCount).reduce(0, +) - before
    // 384 frames are the fade-out before the seek.
    #expect(after == convertedCount(60_000 - 44_100, 44_100, 48_000) + 384)
  }
}

/// A file whose format changes is one track, which is played like two tracks of these formats.
@Suite struct ChangingFormatTests {
  private let id = EngineRig.source(1).id
  /// Half a second at 44.1 kHz, and half a second at 48 kHz.
  private static let first = DecodingScript(tag: 1, frameCount: 22_050)
  private static let second = DecodingScript(tag: 2, frameCount: 24_000, format: .of(48_000, channels: 1, .bits16))
  private static let other = DecodingScript(tag: 3, frameCount: 9000, format: .of(48_000, channels: 1, .bits16))

  private static var changing: DecodingScript {
    var script = first
    script.statedFrameCount = 44_100
    script.rest = [second]
    return script
  }

  private func started(_ events: [EngineEvent]) -> [[Int]] {
    events.compactMap {
      guard case .started(let id, let format, let stream, _, _) = $0 else { return nil }
      return [Int(id.rawValue), format.sampleRate, format.channels, stream.sampleRate]
    }
  }

  @Test func `every part comes out unchanged in its own format, and the next track follows without a gap`() throws {
    let rig = try EngineRig([Self.changing, Self.other])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    let openings = rig.outputs.openings
    #expect(openings.map(\.format.sampleRate) == [44_100, 48_000])
    #expect(openings.map(\.format.channels) == [2, 1])
    #expect(openings.map(\.frameCount) == [22_050, 33_000])
    let expected = Self.first.samples + Self.second.samples + Self.other.samples
    #expect(PCM.firstDifference(rig.outputs.samples, expected, channels: 1) == nil)
    #expect(started(rig.events) == [[1, 44_100, 2, 44_100], [1, 48_000, 1, 48_000], [2, 48_000, 1, 48_000]])
    #expect(rig.events.contains(.position(id, .milliseconds(500))))
  }

  @Test func `with a fixed format, all parts are converted to it`() throws {
    var settings = EngineSettings()
    settings.formatChange = .resample
    let rig = try EngineRig([Self.changing, Self.other], settings: settings, resamplers: SoxrResampler.make)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.map(\.format.sampleRate) == [44_100])
    #expect(rig.outputs.openings.map(\.frameCount) == [22_050 + 22_050 + 8269])
  }

  @Test(arguments: [
    (Duration.milliseconds(750), [48_000], 12_000), (Duration.milliseconds(250), [44_100, 48_000], 11_025 + 24_000),
  ])
  func `playback can begin in each part`(position: Duration, rates: [Int], frames: Int) throws {
    let rig = try EngineRig([Self.changing])
    rig.engine.play(EngineRig.source(1), from: position)
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.map(\.format.sampleRate) == rates)
    #expect(rig.outputs.openings.map(\.frameCount).reduce(0, +) == frames)
    // The first frames are faded in.
    let end = Array(rig.outputs.samples.suffix(11_000))
    #expect(PCM.firstDifference(end, Array(Self.second.samples.suffix(11_000)), channels: 1) == nil)
    #expect(rig.events.contains(.position(id, position)))
  }

  @Test func `a seek goes from the last part back to the first`() throws {
    let outputs = CollectingOutputs(granted: 22_050 + 9000)
    let rig = try EngineRig([Self.changing], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    #expect(rig.await { started($0).count == 2 })
    rig.engine.seek(.to(.milliseconds(250)))
    #expect(rig.await(.position(id, .milliseconds(250))))
    outputs.grant()
    #expect(rig.await(.finished))
    #expect(outputs.openings.map(\.format.sampleRate) == [44_100, 48_000, 44_100, 48_000])
    #expect(rig.decoders.opened.count == 1)
    #expect(PCM.firstDifference(Array(outputs.samples.suffix(24_000)), Self.second.samples, channels: 1) == nil)
  }

  @Test func `a file that begins with an empty part is played`() throws {
    var script = DecodingScript(tag: 1, frameCount: 0)
    script.statedFrameCount = 22_050
    script.rest = [Self.second]
    let rig = try EngineRig([script, Self.other])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, Self.second.samples + Self.other.samples, channels: 1) == nil)
  }
}
