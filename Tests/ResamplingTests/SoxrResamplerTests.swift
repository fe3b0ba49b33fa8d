// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Resampling
import SystemPackage
import TestSupport
import Testing

@Suite struct SoxrResamplerTests {
  /// Common pairs of rates, and a few that are far apart or share no factor.
  static let rates = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (44_100, 96_000), (192_000, 44_100),
    (44_100, 44_100), (8000, 48_000), (11_025, 192_000), (44_099, 48_000), (768_000, 8000),
  ]

  @Test(arguments: rates)
  func `every sample is the same however the stream is divided`(from: Int, to: Int) throws {
    var random = SeededGenerator(seed: UInt64(from + to))
    let channels = 2
    let frames = 8000
    let input = Signal.noise(frames: frames, channels: channels, using: &random)
    let whole = try Resampled(input, from: from, to: to, channels: channels).samples
    for _ in 0..<3 {
      let pieces = try Resampled(
        input, from: from, to: to, channels: channels,
        blockSizes: {
          (Int.random(in: 1...1500, using: &random), Int.random(in: 1...1500, using: &random))
        }
      ).samples
      #expect(PCM.firstDifference(pieces, whole, channels: channels) == nil)
    }
  }

  @Test(arguments: rates)
  func `as many frames come out as went in, times the ratio, rounded`(from: Int, to: Int) throws {
    var random = SeededGenerator(seed: 5)
    for frames in [0, 1, 2, 160, 480, Int.random(in: 3...9999, using: &random)] {
      let input = Signal.noise(frames: frames, channels: 1, using: &random)
      let samples = try Resampled(input, from: from, to: to, channels: 1).samples
      #expect(samples.count == (2 * frames * to + from) / (2 * from), "\(frames) frames")
      #expect(samples.allSatisfy { $0.isFinite })
    }
  }

  @Test func `an output of one frame at a time holds nothing back`() throws {
    var random = SeededGenerator(seed: 6)
    let input = Signal.noise(frames: 3000, channels: 2, using: &random)
    let whole = try Resampled(input, from: 96_000, to: 44_100, channels: 2).samples
    let frameByFrame = try Resampled(input, from: 96_000, to: 44_100, channels: 2, blockSizes: { (3000, 1) })
      .samples
    #expect(PCM.firstDifference(frameByFrame, whole, channels: 2) == nil)
  }

  @Test func `input is refused only if the output is full`() throws {
    let resampler = try #require(SoxrResampler(from: 44_100, to: 96_000, channels: 2))
    let input = [Float](repeating: 0.5, count: 2 * 4096)
    var output = [Float](repeating: 0, count: 2 * 100)
    for _ in 0..<2000 {
      let (consumed, produced) = input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { resampler.process(input, into: $0) }
      }
      #expect(consumed > 0 || produced == 100)
      #expect(consumed < 4096 || produced < 100, "all of a large block went in, so that it piles up")
    }
  }

  @Test(arguments: 1...8)
  func `every channel is converted independently`(channels: Int) throws {
    var random = SeededGenerator(seed: 8)
    let frames = 4000
    let input = Signal.noise(frames: frames, channels: channels, using: &random)
    let together = try Resampled(input, from: 48_000, to: 44_100, channels: channels).samples
    for channel in 0..<channels {
      let mono = stride(from: channel, to: input.count, by: channels).map { input[$0] }
      let alone = try Resampled(mono, from: 48_000, to: 44_100, channels: 1).samples
      let expected = stride(from: channel, to: together.count, by: channels).map { together[$0] }
      #expect(PCM.firstDifference(alone, expected, channels: 1) == nil, "channel \(channel)")
    }
  }

  @Test func `arguments out of range give no resampler`() {
    #expect(SoxrResampler(from: 0, to: 48_000, channels: 2) == nil)
    #expect(SoxrResampler(from: 44_100, to: 768_001, channels: 2) == nil)
    #expect(SoxrResampler(from: 44_100, to: 48_000, channels: 0) == nil)
    #expect(SoxrResampler(from: 44_100, to: 48_000, channels: 9) == nil)
    #expect(SoxrResampler.make(from: 44_100, to: 48_000, channels: 2) != nil)
  }
}

@Suite struct SoxrQualityTests {
  static let rates = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (44_100, 96_000), (192_000, 44_100),
  ]

  @Test(arguments: rates)
  func `a sine keeps its shape and phase, to 140 dB`(from: Int, to: Int) throws {
    // 20 kHz is 91 % of the band of 44.1 kHz.
    for frequency in [997.0, 15_000, 20_000] {
      let frames = from / 4
      let samples = try Resampled(
        Signal.sine(frames: frames, rate: from, frequency: frequency), from: from, to: to,
        channels: 1
      ).samples
      let expected = Signal.sine(frames: samples.count, rate: to, frequency: frequency)
      let distance = Signal.distance(samples, expected, edge: to / 40)
      #expect(distance > 140, "\(frequency) Hz: \(distance) dB")
    }
  }

  @Test(arguments: [(96_000, 44_100), (192_000, 44_100), (48_000, 44_100)])
  func `frequencies above the band of the lower rate are removed`(from: Int, to: Int) throws {
    let samples = try Resampled(
      Signal.sine(frames: from / 2, rate: from, frequency: 23_000), from: from, to: to, channels: 1
    ).samples
    let peak = samples[(to / 20)..<(samples.count - to / 20)].map(abs).max() ?? 1
    #expect(peak < 1e-6)
  }
}
