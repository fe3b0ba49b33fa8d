// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing
import TimeStretching

@Suite struct TimeStretcherTests {
  private static let rate = 44_100
  static let speeds = [0.5, 1.25, 2, 3]

  /// Returns `input` at `speed`, passed in blocks of the sizes that `blocks` returns for input and output.
  private func stretched(
    _ input: [Float], _ speed: Double, channels: Int = 1, rate: Int = rate,
    blocks: () -> (input: Int, output: Int) = { (4096, 4096) }
  ) throws -> [Float] {
    let speed = try #require(PlaybackSpeed(speed))
    let stretcher = try #require(TimeStretcher(speed: speed, sampleRate: rate, channels: channels))
    var (output, rest) = ([Float](), input[...])
    while true {
      let sizes = blocks()
      var room = [Float](repeating: .nan, count: sizes.output * channels)
      let isFinishing = rest.isEmpty
      let step = room.withUnsafeMutableBufferPointer { room in
        isFinishing
          ? (consumed: 0, produced: stretcher.finish(into: room))
          : rest.prefix(sizes.input * channels).withUnsafeBufferPointer { stretcher.process($0, into: room) }
      }
      output += room.prefix(step.produced * channels)
      rest = rest.dropFirst(step.consumed * channels)
      if isFinishing, step.produced == 0 { return output }
    }
  }

  private func sine(_ frames: Int, rate: Int = rate) -> [Float] {
    (0..<frames).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / Double(rate))) }
  }

  /// Returns the frequency of a sine, in Hz, by its zero crossings.
  private func frequency(_ samples: ArraySlice<Float>, rate: Int) -> Double {
    let rises = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
    guard let first = rises.first, let last = rises.last, last > first else { return 0 }
    return Double(rises.count - 1) * Double(rate) / Double(last - first)
  }

  @Test(arguments: speeds, [8_000, 44_100, 192_000, 352_800])
  func `the pitch stays the same, and the length is divided by the speed`(speed: Double, rate: Int) throws {
    let frames = rate + 17
    let output = try stretched(sine(frames, rate: rate), speed, rate: rate)
    #expect(output.count == Int((Double(frames) / speed).rounded()))
    let middle = output[(output.count / 4)..<(output.count * 3 / 4)]
    #expect(abs(frequency(middle, rate: rate) - 440) < 1.5)
    let peak = middle.map(abs).max() ?? 0
    #expect(peak > 0.4 && peak < 0.6)
  }

  @Test(arguments: speeds)
  func `a sound comes where it was, divided by the speed`(speed: Double) throws {
    var input = [Float](repeating: 0, count: 2 * Self.rate)
    let burst = 22_050..<24_255
    for frame in burst { input[frame] = Float(0.5 * sin(2 * .pi * 1_000 * Double(frame) / Double(Self.rate))) }
    let output = try stretched(input, speed)
    // The centre of its energy.
    let energy = output.map { Double($0 * $0) }
    let centre = zip(0..., energy).reduce(0) { $0 + Double($1.0) * $1.1 } / energy.reduce(0, +)
    let expected = Double(burst.lowerBound + burst.upperBound) / 2 / speed
    #expect(abs(centre - expected) < 0.01 * Double(Self.rate), "\(centre), not \(expected)")
  }

  @Test func `every sample is the same however the stream is divided`() throws {
    var random = SeededGenerator(seed: 3)
    let input = (0..<2 * 30_000).map { _ in Float.random(in: -0.4...0.4, using: &random) }
    let whole = try stretched(input, 1.5, channels: 2)
    #expect(whole.count == 2 * 20_000)
    for _ in 0..<3 {
      let pieces = try stretched(input, 1.5, channels: 2) {
        (Int.random(in: 1...3_000, using: &random), Int.random(in: 1...3_000, using: &random))
      }
      #expect(PCM.firstDifference(pieces, whole, channels: 2) == nil)
    }
  }

  @Test(arguments: [0, 1, 2, 100, 1_023, 5_000])
  func `a short sound has its length, too`(frames: Int) throws {
    for speed in Self.speeds {
      let output = try stretched(sine(frames), speed)
      #expect(output.count == Int((Double(frames) / speed).rounded()))
      #expect(output.allSatisfy { $0.magnitude < 1 })
    }
  }

  @Test func `there is no stretcher for impossible formats`() throws {
    let speed = try #require(PlaybackSpeed(2))
    for (rate, channels) in [(0, 2), (44_100, 0), (44_100, 9), (-1, 1), (Int.max, 1)] {
      #expect(TimeStretcher(speed: speed, sampleRate: rate, channels: channels) == nil)
    }
    #expect(TimeStretcher.isAvailable)
    #expect(try stretched([Float](repeating: 0.1, count: 8 * 1_000), 2, channels: 8).count == 8 * 500)
  }
}

@Suite struct PlaybackSpeedTests {
  @Test(arguments: [.nan, .infinity, 0, -1, 0.49, 3.01, 1e9, -.infinity, Double.leastNonzeroMagnitude])
  func `an impossible speed is refused`(factor: Double) { #expect(PlaybackSpeed(factor) == nil) }

  @Test(arguments: [(0.5, "0.5x"), (1, "1x"), (1.25, "1.25x"), (1.05, "1.05x"), (1.499, "1.5x"), (3, "3x")])
  func `a speed has as few digits as possible`(factor: Double, text: String) {
    #expect(PlaybackSpeed(factor)?.description == text)
  }

  @Test func `a change ends at the slowest and the fastest speed`() {
    let normal = PlaybackSpeed.normal
    #expect(normal.changed(by: 0.1) == PlaybackSpeed(1.1))
    #expect(normal.changed(by: 1e9) == PlaybackSpeed(3))
    #expect(normal.changed(by: -.infinity) == PlaybackSpeed(0.5))
    #expect(normal.changed(by: .nan) == normal)
    #expect((0..<10).reduce(normal) { speed, _ in speed.changed(by: 0.1) } == PlaybackSpeed(2))
  }
}
