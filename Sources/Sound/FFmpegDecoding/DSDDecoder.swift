// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol

/// A decoder of DSD that removes its ultrasonic noise, and reduces its sample rate to 88.2 or 96 kHz.
///
/// FFmpeg converts DSD to PCM of an eighth of its rate, 352.8 kHz or more, which still contains most of the noise.
/// Here, a linear-phase FIR filter follows: a sinc with a Kaiser window, flat up to 20 kHz, -6 dB at 30 kHz, and below
/// -110 dB from 40 kHz on.
final class DSDDecoder: SoundFileDecoder {
  /// The lowest sample rate that is produced, in Hz.
  private static let lowestRate: UInt32 = 88_200
  private static let cutOff = 30_000.0
  /// The shape of the window: a stop band of -110 dB (Kaiser's formula).
  private static let beta = 0.1102 * (110 - 8.7)
  /// The maximum number of frames that are produced at once.
  private static let pieceLimit = 4_096
  /// The width of the filter on either side, in frames of the output.
  private static let halfWidth = 16

  let description: SoundDescription
  private(set) var position: Int64 = 0
  var failure: DecodingRefusal? { source.failure }
  var tags: SourceTags { source.tags }
  var chapters: SourceMarks { source.chapters }

  private let source: FFmpegDecoder
  private let channels: Int
  /// The number of frames of the source for each frame of the output.
  private let factor: Int
  /// The weights of the source's frames around a frame of the output.
  private let weights: [Float]
  /// Frames of the source, for each channel. The first one is `weights.count / 2` before the next frame of the output.
  private var input: [[Float]]
  private var hasEnded = false

  /// Creates a decoder of what `source` decodes, from its beginning.
  init(_ source: FFmpegDecoder) {
    self.source = source
    channels = Int(source.description.channels)
    var factor = 1
    while source.description.sampleRate / UInt32(factor * 2) >= Self.lowestRate { factor *= 2 }
    self.factor = factor
    var description = source.description
    description.sampleRate /= UInt32(factor)
    description.frameCount = description.frameCount.map { ($0 + Int64(factor) - 1) / Int64(factor) }
    self.description = description
    weights = Self.weights(rate: Double(source.description.sampleRate), half: Self.halfWidth * factor)
    input = Array(
      repeating: Array(repeating: 0, count: Self.halfWidth * factor), count: Int(source.description.channels))
  }

  /// Returns the weights of a low-pass filter at a sample rate of `rate` Hz. Their sum is 1.
  private static func weights(rate: Double, half: Int) -> [Float] {
    let values = (-half...half).map { index in
      let angle = 2 * Double.pi * cutOff / rate * Double(index)
      let sinc = index == 0 ? 1 : sin(angle) / angle
      let edge = Double(index) / Double(half + 1)
      return sinc * bessel(beta * (1 - edge * edge).squareRoot())
    }
    let sum = values.reduce(0, +)
    return values.map { Float($0 / sum) }
  }

  /// Returns the modified Bessel function of order 0.
  private static func bessel(_ x: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for index in 1..<60 {
      term *= x * x / Double(4 * index * index)
      sum += term
    }
    return sum
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let wanted = min(buffer.count / channels, Self.pieceLimit)
    fill((wanted - 1) * factor + weights.count)
    let count = min(wanted, (input[0].count - weights.count + factor) / factor)
    guard count > 0 else { return 0 }
    for (channel, samples) in input.enumerated() {
      for frame in 0..<count {
        unsafe buffer[frame * channels + channel] = weightedSum(samples, from: frame * factor)
      }
    }
    for channel in input.indices { input[channel].removeFirst(min(count * factor, input[channel].count)) }
    position += Int64(count)
    return count
  }

  /// Reads until there are `count` frames of input, or the source has ended. Silence follows its end.
  private func fill(_ count: Int) {
    guard input[0].count < count, !hasEnded else { return }
    let wanted = count - input[0].count
    let piece = unsafe [Float](unsafeUninitializedCapacity: wanted * channels) { buffer, filled in
      filled = 0
      while filled < buffer.count {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        let read = unsafe source.read(into: rest)
        if read == 0 { break }
        filled += read * channels
      }
    }
    hasEnded = piece.count < wanted * channels
    let silence = Array(repeating: Float(0), count: hasEnded ? weights.count / 2 : 0)
    for channel in input.indices {
      input[channel] += stride(from: channel, to: piece.count, by: channels).map { piece[$0] }
      input[channel] += silence
    }
  }

  /// Returns the sum of `samples` from index `start` on, each multiplied by its weight.
  private func weightedSum(_ samples: [Float], from start: Int) -> Float {
    precondition(start >= 0 && start + weights.count <= samples.count)
    return unsafe samples.withUnsafeBytes { samples in
      unsafe weights.withUnsafeBytes { weights in
        // Eight sums at once, since the compiler must not change the order of the additions of one.
        var sums = SIMD8<Float>.zero
        var index = 0
        let count = weights.count / MemoryLayout<Float>.size
        let load = { (bytes: UnsafeRawBufferPointer, index: Int) in
          unsafe bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Float>.size, as: SIMD8<Float>.self)
        }
        while index + 8 <= count {
          unsafe sums.addProduct(load(weights, index), load(samples, start + index))
          index += 8
        }
        let rest = (index..<count).reduce(Float(0)) { sum, index in
          let weight = unsafe weights.load(fromByteOffset: index * 4, as: Float.self)
          return unsafe sum + weight * samples.load(fromByteOffset: (start + index) * 4, as: Float.self)
        }
        return sums.sum() + rest
      }
    }
  }

  func seek(toFrame frame: Int64) throws(DecodingRefusal) {
    let (product, overflows) = max(0, frame).multipliedReportingOverflow(by: Int64(factor))
    let start = (overflows ? .max : product) - Int64(weights.count / 2)
    try source.seek(toFrame: max(0, start))
    let silence = Array(repeating: Float(0), count: Int(max(0, -start)))
    for channel in input.indices { input[channel] = silence }
    hasEnded = false
    position = max(0, frame)
  }
}
