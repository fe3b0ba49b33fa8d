// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@Suite struct PeakLimiterTests {
  /// Returns the limited samples. `blockSizes` returns the numbers of input and output frames for each call.
  private func limited(
    _ input: [Float], by limiter: PeakLimiter, channels: Int,
    blockSizes: () -> (input: Int, output: Int) = { (1 << 20, 4096) }
  ) -> [Float] {
    var samples: [Float] = []
    var start = 0
    while start < input.count {
      let (frames, room) = blockSizes()
      let piece = input[start..<min(input.count, start + frames * channels)]
      var output = [Float](repeating: .nan, count: room * channels)
      let (consumed, produced) = piece.withUnsafeBufferPointer { piece in
        output.withUnsafeMutableBufferPointer { limiter.process(piece, into: $0) }
      }
      #expect(
        consumed == piece.count / channels || produced == room, "neither consumed the whole input nor filled the output"
      )
      start += consumed * channels
      samples += output[..<(produced * channels)]
    }
    while true {
      var output = [Float](repeating: .nan, count: blockSizes().output * channels)
      let produced = output.withUnsafeMutableBufferPointer { limiter.finish(into: $0) }
      guard produced > 0 else { return samples }
      samples += output[..<(produced * channels)]
    }
  }

  private func noise(frames: Int, channels: Int, level: Float, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<(frames * channels)).map { _ in Float.random(in: -level...level, using: &random) }
  }

  @Test(arguments: [0, 1, 131, 132, 133, 10_000], [1, 2, 6])
  func `below the ceiling every sample passes, starting with the first`(frames: Int, channels: Int) {
    let limiter = PeakLimiter(sampleRate: 44_100, channels: channels)
    #expect(limiter.lookAhead == 132)
    var input = noise(frames: frames, channels: channels, level: 1, seed: 11)
    if !input.isEmpty { input[0] = -1 }
    for _ in 0..<2 {
      let output = limited(input, by: limiter, channels: channels)
      #expect(PCM.firstDifference(output, input, channels: channels) == nil)
    }
  }

  /// Signals far above the ceiling, in stereo.
  static let loud: [(name: String, sample: @Sendable (Int) -> Float)] = [
    ("impulses", { $0 % 977 == 0 ? 9 : 0.3 }),
    ("a square wave", { $0 / 50 % 2 == 0 ? 1.7 : -1.7 }),
    ("a rise", { Float($0) / 4000 }),
    ("single peaks close together", { [1, 1.000_000_1, 0.2, -5, 3][$0 * 7919 % 5] }),
    ("beyond measure", { $0 % 500 == 3 ? .greatestFiniteMagnitude : 0.5 }),
    ("infinite", { $0 % 500 == 3 ? -.infinity : 2 }),
  ]

  @Test(arguments: loud.indices, [Float(1), 0.891])
  func `no sample is ever above the ceiling`(index: Int, ceiling: Float) {
    let input = (0..<24_000).map { Self.loud[index].sample($0 / 2) }
    let limiter = PeakLimiter(sampleRate: 44_100, channels: 2, ceiling: ceiling)
    let output = limited(input, by: limiter, channels: 2)
    #expect(output.count == input.count)
    let first = output.firstIndex { !(abs($0) <= ceiling) }
    #expect(first == nil, "\(Self.loud[index].name): sample \(first ?? 0)")
  }

  @Test(arguments: 1...8)
  func `noise far above the ceiling stays below it, however it is divided`(channels: Int) {
    let input = noise(frames: 6000, channels: channels, level: 4, seed: UInt64(channels))
    var random = SeededGenerator(seed: 12)
    let whole = limited(input, by: PeakLimiter(sampleRate: 48_000, channels: channels), channels: channels)
    #expect(whole.allSatisfy { abs($0) <= 1 })
    let pieces = limited(input, by: PeakLimiter(sampleRate: 48_000, channels: channels), channels: channels) {
      (Int.random(in: 1...700, using: &random), Int.random(in: 1...700, using: &random))
    }
    #expect(PCM.firstDifference(pieces, whole, channels: channels) == nil)
  }

  @Test func `quiet and loud passages are the same however they are divided`() {
    let quiet = noise(frames: 3000, channels: 2, level: 0.9, seed: 13)
    let loud = noise(frames: 10, channels: 2, level: 3, seed: 14)
    let long = noise(frames: 60_000, channels: 2, level: 0.1, seed: 15)
    let input = quiet + loud + quiet + loud + long + loud + quiet
    var random = SeededGenerator(seed: 16)
    let whole = limited(input, by: PeakLimiter(sampleRate: 8000, channels: 2), channels: 2)
    let pieces = limited(input, by: PeakLimiter(sampleRate: 8000, channels: 2), channels: 2) {
      (Int.random(in: 1...900, using: &random), Int.random(in: 1...900, using: &random))
    }
    #expect(PCM.firstDifference(pieces, whole, channels: 2) == nil)
    #expect(PCM.firstDifference(Array(whole.prefix(5800)), Array(quiet.prefix(5800)), channels: 2) == nil)
    let end = whole.count - 6020 - 40_000
    #expect(whole[end..<(end + 2000)] == input[end..<(end + 2000)], "it does not come back to 1")
  }

  @Test func `only a peak is reduced to the ceiling, and all channels with it`() {
    var input = [Float](repeating: 0.5, count: 2 * 20_000)
    input[2 * 10_000] = 2
    let output = limited(input, by: PeakLimiter(sampleRate: 44_100, channels: 2), channels: 2)
    #expect(abs(output[20_000] - 1) < 1e-5)
    #expect(abs(output[20_001] - 0.25) < 1e-5)
    let gains = stride(from: 1, to: output.count, by: 2).map { output[$0] / 0.5 }
    #expect(gains[..<(10_000 - 132)].allSatisfy { $0 == 1 }, "it begins too early")
    let steps = zip(gains, gains.dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) < 0.5 / 132 * 1.01, "a step is heard")
    // The gain holds for the look-ahead, recovers by 63 % in 80 ms, and is averaged over the look-ahead.
    #expect(abs(gains[10_000 + 132 + 3528] - (1 - 0.5 * 0.368)) < 0.02)
  }

  @Test func `NaN passes and affects nothing else`() {
    var input = [Float](repeating: 1.5, count: 3000)
    input[1000] = .nan
    let output = limited(input, by: PeakLimiter(sampleRate: 44_100, channels: 1), channels: 1)
    #expect(output.indices.filter { !(abs(output[$0]) <= 1) } == [1000])
  }
}
