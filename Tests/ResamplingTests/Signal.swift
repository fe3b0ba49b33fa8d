// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Resampling
import TestSupport
import Testing

/// Signals to be resampled.
enum Signal {
  /// Returns white noise at half of full scale.
  static func noise(frames: Int, channels: Int, using random: inout SeededGenerator) -> [Float] {
    (0..<(frames * channels)).map { _ in Float.random(in: -0.5...0.5, using: &random) }
  }

  /// Returns a sine of `frequency` Hz that starts at zero.
  static func sine(frames: Int, rate: Int, frequency: Double, amplitude: Double = 0.5) -> [Float] {
    (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  /// Returns a sine sweep from 20 Hz to `last` Hz, with noise of the amplitude `noise`.
  static func sweep(
    frames: Int, rate: Int, last: Double, noise: Float, using random: inout SeededGenerator
  ) -> [Float] {
    let seconds = Double(frames) / Double(rate)
    let growth = log(last / 20) / seconds
    return (0..<frames).map { frame in
      let phase = 2 * .pi * 20 / growth * (exp(growth * Double(frame) / Double(rate)) - 1)
      return Float(0.4 * sin(phase)) + Float.random(in: -noise...noise, using: &random)
    }
  }

  /// Returns how many dB the power of the difference is below that of `expected`, without `edge` samples at either end.
  static func distance(_ actual: [Float], _ expected: [Float], edge: Int) -> Double {
    var error = 0.0
    var power = 0.0
    for index in edge..<(min(actual.count, expected.count) - edge) {
      let difference = Double(actual[index]) - Double(expected[index])
      error += difference * difference
      power += Double(expected[index]) * Double(expected[index])
    }
    return 10 * log10(power / max(error, .leastNormalMagnitude))
  }
}

/// A resampled stream.
struct Resampled {
  /// Its interleaved samples.
  private(set) var samples: [Float] = []

  /// Resamples `input`. `blockSizes` returns the numbers of input and output frames for each call.
  init(
    _ input: [Float], from: Int, to: Int, channels: Int,
    blockSizes: () -> (input: Int, output: Int) = { (1 << 20, 1 << 16) }
  ) throws {
    let resampler = try #require(SoxrResampler(from: from, to: to, channels: channels))
    var buffer = [Float]()
    var start = 0
    while start < input.count {
      let (frames, outputFrames) = blockSizes()
      let piece = input[start..<min(input.count, start + frames * channels)]
      buffer = [Float](repeating: .nan, count: outputFrames * channels)
      let (consumed, produced) = piece.withUnsafeBufferPointer { piece in
        buffer.withUnsafeMutableBufferPointer { resampler.process(piece, into: $0) }
      }
      start += consumed * channels
      samples += buffer[..<(produced * channels)]
    }
    while true {
      buffer = [Float](repeating: .nan, count: blockSizes().output * channels)
      let produced = buffer.withUnsafeMutableBufferPointer { resampler.finish(into: $0) }
      guard produced > 0 else { return }
      samples += buffer[..<(produced * channels)]
    }
  }
}
