// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import AudioCore

@Suite struct ChannelMixTests {
  /// The coefficient of -3 dB.
  static let h = Float(0.5).squareRoot()
  /// For each number of input channels, the coefficients of each output before division, and the divisor.
  static let matrices: [(from: Int, rows: [[Float]], divisor: Float)] = [
    (1, [[1], [1]], 1),
    (2, [[1, 1]], 2),
    (1, [[0], [0], [1], [0], [0], [0]], 1),
    (2, [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]], 1),
    (6, [[1, 0, h, 0, h, 0], [0, 1, h, 0, 0, h]], 1 + 2 * h),
    (6, [[h, h, 1, 0, 0.5, 0.5]], 2 + 2 * h),
    (3, [[1, 0, h], [0, 1, h]], 1 + h),
    (3, [[h, h, 1]], 1 + 2 * h),
    (4, [[1, 0, h, 0], [0, 1, 0, h]], 1 + h),
    (4, [[h, h, 0.5, 0.5]], 1 + 2 * h),
    (5, [[1, 0, h, h, 0], [0, 1, h, 0, h]], 1 + 2 * h),
    (5, [[h, h, 1, 0.5, 0.5]], 2 + 2 * h),
    (7, [[1, 0, h, 0, 0.5, h, 0], [0, 1, h, 0, 0.5, 0, h]], 1.5 + 2 * h),
    (7, [[h, h, 1, 0, h, 0.5, 0.5]], 2 + 3 * h),
    (8, [[1, 0, h, 0, 0.5, 0, 0.5, 0], [0, 1, h, 0, 0, 0.5, 0, 0.5]], 2 + h),
    (8, [[h, h, 1, 0, h / 2, h / 2, h / 2, h / 2]], 1 + 4 * h),
    (
      8,
      [
        [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, h, 0, h, 0], [0, 0, 0, 0, 0, h, 0, h],
      ], 2 * h
    ),
  ]

  @Test(arguments: matrices)
  func `the coefficients are those of the standard`(from: Int, rows: [[Float]], divisor: Float) throws {
    let mix = try #require(ChannelMix(from: from, to: rows.count))
    for (output, row) in rows.enumerated() {
      for (input, value) in row.enumerated() {
        let distance = abs(mix.columns[input][output] - value / divisor)
        #expect(distance < 1e-6, "from \(input) to \(output)")
      }
    }
  }

  @Test(arguments: 1...8, [1, 2, 6])
  func `full scale on all channels stays full scale`(from: Int, to: Int) throws {
    let mix = try #require(ChannelMix(from: from, to: to))
    let input = [Float](repeating: 1, count: from * 5)
    var output = [Float](repeating: .nan, count: to * 5 + 1)
    let frames = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { mix.apply(input, into: $0) }
    }
    #expect(frames == 5)
    #expect(output.last?.isNaN == true, "wrote beyond its end")
    #expect(abs((output.dropLast().max() ?? 0) - 1) < 1e-6)
  }

  @Test(arguments: 1...8)
  func `an equal number of channels passes unchanged`(channels: Int) throws {
    var random = SeededGenerator(seed: 10)
    let input = (0..<(channels * 100)).map { _ in Float.random(in: -1...1, using: &random) }
    var output = [Float](repeating: .nan, count: input.count)
    let mix = try #require(ChannelMix(from: channels, to: channels))
    let frames = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { mix.apply(input, into: $0) }
    }
    #expect(frames == 100)
    #expect(PCM.firstDifference(output, input, channels: channels) == nil)
  }

  @Test func `every frame is mixed independently`() throws {
    let mix = try #require(ChannelMix(from: 2, to: 1))
    let input: [Float] = [1, 0, 0, 1, 0.5, -0.5, -1, -1, 0.25]
    var output = [Float](repeating: 9, count: 6)
    let frames = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { mix.apply(input, into: $0) }
    }
    #expect(frames == 4)
    #expect(output == [0.5, 0.5, 0, -1, 9, 9])
  }

  @Test(arguments: [(2, 3), (2, 4), (2, 5), (6, 8), (8, 7), (0, 2), (9, 2), (2, 0), (2, 9)])
  func `undefined conversions are refused`(from: Int, to: Int) {
    #expect(ChannelMix(from: from, to: to) == nil)
  }
}
