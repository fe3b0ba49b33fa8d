// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import PlaybackEngine
import Resampling
import TestSupport
import Testing

/// The output of `--on-format-change resample` for sources of different formats.
@Suite struct ResampledJoinTests {
  private static let shapes = [44_100, 48_000, 96_000].flatMap { rate in (1...2).map { (rate, $0) } }
  private static let full: Float = 8_388_608

  private func settings(rate: Int? = nil) -> EngineSettings {
    var settings = EngineSettings()
    settings.formatChange = .resample
    settings.sampleRate = rate
    settings.depth = .bits24
    return settings
  }

  private func noise(_ frames: Int, _ rate: Int, _ channels: Int, seed: UInt64) -> DecodingScript {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<frames * channels).map { _ in Float.random(in: -0.4...0.4, using: &random) }
    var script = DecodingScript(
      tag: 1, frameCount: frames, format: .of(rate, channels: channels, .bits24))
    script.wave = { frame, channel in samples[frame * channels + channel] }
    return script
  }

  private func samples(_ scripts: [DecodingScript]) -> [Float] {
    scripts.flatMap { script in
      (0..<script.frameCount).flatMap { frame in
        (0..<script.format.channels).map { script.wave?(frame, $0) ?? 0 }
      }
    }
  }

  /// Returns `samples`, which have the format `from`, converted as one stream to this rate and number of channels.
  private func converted(_ samples: [Float], _ from: AudioFormat, _ rate: Int, _ channels: Int) throws
    -> [Float]
  {
    var samples = samples
    if channels != from.channels {
      let mix = try #require(ChannelMix(from: from.channels, to: channels))
      var mixed = [Float](repeating: 0, count: samples.count / from.channels * channels)
      _ = samples.withUnsafeBufferPointer { input in
        mixed.withUnsafeMutableBufferPointer { mix.apply(input, into: $0) }
      }
      samples = mixed
    }
    guard rate != from.sampleRate else { return samples }
    let resampler = try #require(SoxrResampler(from: from.sampleRate, to: rate, channels: channels))
    let outputCount = Int((Double(samples.count / channels) * Double(rate) / Double(from.sampleRate)).rounded())
    var output = [Float](repeating: 0, count: outputCount * channels)
    var (consumed, produced) = (0, 0)
    output.withUnsafeMutableBufferPointer { output in
      samples.withUnsafeBufferPointer { input in
        while produced < outputCount {
          let room = UnsafeMutableBufferPointer(rebasing: output[(produced * channels)...])
          if consumed * channels < input.count {
            let step = resampler.process(
              UnsafeBufferPointer(rebasing: input[(consumed * channels)...]), into: room)
            consumed += step.consumed
            produced += step.produced
          } else {
            let count = resampler.finish(into: room)
            guard count > 0 else { return }
            produced += count
          }
        }
      }
    }
    return output
  }

  private func play(_ scripts: [DecodingScript], _ settings: EngineSettings) throws -> CollectingOutputs {
    let rig = try EngineRig(scripts, settings: settings, resamplers: SoxrResampler.make)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    return rig.outputs
  }

  @Test(arguments: 0..<6)
  func
    `the output stays open, the number of frames is exact, and each source sounds as if alone`(
      first: Int
    ) throws
  {
    let edge = 1500
    let (rate, channels) = Self.shapes[first]
    for (index, (otherRate, otherChannels)) in Self.shapes.enumerated() {
      let one = noise(9001, rate, channels, seed: 1)
      let two = noise(12_007, otherRate, otherChannels, seed: UInt64(index) + 2)
      let outputs = try play([one, two], settings())
      #expect(
        outputs.openings.map(\.format) == [
          DeviceFormat(sampleRate: rate, channels: channels, depth: .bits24)
        ])
      let rest = try converted(samples([two]), two.format, rate, channels)
      let output = outputs.samples.map { Float($0) / Self.full }
      #expect(output.count == 9001 * channels + rest.count)
      #expect(
        PCM.firstDifference(
          Array(output.prefix(9001 * channels)), samples([one]), channels: channels, tolerance: 1e-6) == nil)
      guard output.count == 9001 * channels + rest.count else { continue }
      // Dither is at most one step in either direction.
      #expect(
        PCM.firstDifference(
          Array(output.dropFirst((9001 + edge) * channels)), Array(rest.dropFirst(edge * channels)),
          channels: channels, tolerance: 1e-6) == nil, "\(rate) \(channels), \(otherRate) \(otherChannels)")
    }
  }

  @Test func `sources of one rate share a converter, wherever they join`() throws {
    let scripts = [
      noise(5003, 48_000, 2, seed: 1), noise(7, 48_000, 2, seed: 2), noise(1, 48_000, 2, seed: 3),
      noise(1, 48_000, 2, seed: 4), noise(0, 48_000, 2, seed: 5), noise(4001, 48_000, 2, seed: 6),
    ]
    for rate in [44_100, 96_000, 8000] {
      let outputs = try play(scripts, settings(rate: rate))
      let expected = try converted(samples(scripts), scripts[0].format, rate, 2)
      #expect(outputs.openings.count == 1)
      #expect(
        PCM.firstDifference(
          outputs.samples.map { Float($0) / Self.full }, expected, channels: 2, tolerance: 1e-6) == nil)
    }
  }

  @Test(arguments: [1, 3, 20, 300, 2000])
  func `a source that is shorter than the filter keeps its full length`(frames: Int) throws {
    let outputs = try play(
      [noise(4000, 44_100, 2, seed: 1), noise(frames, 96_000, 2, seed: 2), noise(4000, 44_100, 2, seed: 3)],
      settings())
    let expectedCount = Int((Double(frames) * 44_100 / 96_000).rounded())
    #expect(outputs.openings.map(\.frameCount) == [8000 + expectedCount])
  }

  @Test func `NaN and infinite samples affect nothing else, even at joins`() throws {
    var scripts = [
      noise(9000, 44_100, 2, seed: 1), noise(9600, 48_000, 2, seed: 2), noise(9600, 48_000, 1, seed: 3),
      noise(9000, 44_100, 2, seed: 4),
    ]
    let clean = try play(scripts, settings()).samples
    for index in scripts.indices {
      let (wave, last) = (scripts[index].wave, scripts[index].frameCount - 1)
      scripts[index].wave = { frame, channel in
        frame == 0 || frame == last ? (channel == 0 ? .nan : -.infinity) : wave?(frame, channel) ?? 0
      }
    }
    let output = try play(scripts, settings()).samples
    #expect(output.count == clean.count)
    for (index, (left, right)) in zip(output, clean).enumerated() where abs(left - right) > 8 {
      // Samples may differ only within the length of the filter around a join.
      let distance = [0, 9000, 17_820, 26_640, 35_640].map { abs(index / 2 - $0) }.min() ?? 0
      #expect(distance < 1500)
      if distance >= 1500 { return }
    }
  }

  /// The sample rates of consecutive parts of one sine.
  struct Cut: Sendable, CustomTestStringConvertible {
    var rates: [Int]
    var testDescription: String { rates.map { "\($0)" }.joined(separator: ", ") }
  }

  @Test(
    arguments: [
      Cut(rates: [44_100, 48_000, 44_100]), Cut(rates: [48_000, 44_100, 48_000]),
      Cut(rates: [44_100, 96_000, 44_100]), Cut(rates: [44_100, 48_000, 96_000, 44_100]),
      Cut(rates: [96_000, 44_100, 48_000, 96_000]),
    ], [440.0, 997, 5011, 12_000, 17_003])
  func `a sine that continues at another rate has no break`(cut: Cut, frequency: Double) throws {
    // A little more than a tenth of a second, which is a whole number of frames at every rate.
    let seconds = 0.11
    let scripts = cut.rates.enumerated().map { index, rate in
      var script = DecodingScript(
        tag: 1, frameCount: Int((seconds * Double(rate)).rounded()), format: .of(rate, channels: 1, .bits24))
      let start = Double(index) * seconds
      script.wave = { frame, _ in
        Float(0.5 * sin(2 * .pi * frequency * (start + Double(frame) / Double(rate)) + 0.7))
      }
      return script
    }
    let outputs = try play(scripts, settings())
    let rate = Double(cut.rates[0])
    let output = outputs.samples.map { Double($0) / Double(Self.full) }
    #expect(output.count == Int((seconds * Double(cut.rates.count) * rate).rounded()))
    // The very beginning and end adjoin silence.
    let inside = 600..<(output.count - 600)
    var worst = (0, 0.0)
    for index in inside {
      let deviation = abs(output[index] - 0.5 * sin(2 * .pi * frequency * Double(index) / rate + 0.7))
      if deviation > worst.1 { worst = (index, deviation) }
    }
    #expect(worst.1 < 1e-4, "\(worst.1) at frame \(worst.0)")
  }
}
