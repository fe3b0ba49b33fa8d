// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Platform

/// Runs equaliser chains over arrays.
enum Chain {
  /// Returns `samples` with the filters applied, in pieces of these lengths in frames, the last of which is repeated.
  static func process(
    _ samples: [Float], _ filters: [EqualiserFilter] = [], preamp: Double = 1, crossfeed: Crossfeed? = nil,
    sampleRate: Int, channels: Int, pieces: [Int] = [4096]
  ) -> [Float] {
    var chain = EqualiserChain(maximumFrames: 4096, maximumRate: sampleRate)
    filters.withUnsafeBufferPointer {
      chain.begin($0, preamp: preamp, crossfeed: crossfeed, sampleRate: sampleRate, channels: channels)
    }
    return process(samples, 0..<samples.count / channels, &chain, channels: channels, pieces: pieces)
  }

  /// Returns the frames `range` of `samples` as the chain filters them.
  static func process(
    _ samples: [Float], _ range: Range<Int>, _ chain: inout EqualiserChain, channels: Int, pieces: [Int] = [4096]
  ) -> [Float] {
    var result: [Float] = []
    var target = [Float](repeating: 0, count: (4096 + chain.lookAhead) * channels)
    var frame = range.lowerBound
    var number = 0
    while frame < range.upperBound {
      let count = min(pieces[min(number, pieces.count - 1)], range.upperBound - frame)
      samples.withUnsafeBufferPointer { samples in
        target.withUnsafeMutableBufferPointer {
          chain.process(samples, frame..<frame + count, following: UnsafeBufferPointer(start: nil, count: 0), into: $0)
        }
      }
      result += target[..<(count * channels)]
      frame += count
      number += 1
    }
    return result
  }

  /// Returns the magnitude of the Fourier transform of `samples` at a frequency, as a fraction of the rate, in dB.
  static func decibels(of samples: [Float], at frequency: Double) -> Double {
    let (stepX, stepY) = ((2 * Double.pi * frequency).cosine, (2 * Double.pi * frequency).sine)
    var (x, y, sumX, sumY) = (1.0, 0.0, 0.0, 0.0)
    for sample in samples {
      sumX += Double(sample) * x
      sumY += Double(sample) * y
      (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
    }
    return 10 * (sumX * sumX + sumY * sumY).decimalLogarithm
  }

  /// Returns stereo noise, the same each time.
  static func noise(_ frames: Int, amplitude: Float = 0.2) -> [Float] {
    var state: UInt32 = 1
    return (0..<2 * frames).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 23) - 1) * amplitude
    }
  }
}
