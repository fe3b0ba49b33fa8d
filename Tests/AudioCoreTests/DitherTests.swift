// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@Suite struct DitherTests {
  private func convert(_ samples: [Float], _ depth: SampleDepth, _ dither: inout Dither) -> [Int32] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: samples.count * 4 + 4, alignment: 4)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0xAA)
    let count = samples.withUnsafeBufferPointer { depth.convert($0, to: bytes, dither: &dither) }
    #expect(count == samples.count * depth.byteCount)
    #expect(bytes[count...].allSatisfy { $0 == 0xAA }, "wrote beyond its end")
    return PCM.samples(bytes[..<count], depth: depth)
  }

  /// Expects the error of rounding after dither: triangular noise of 1/6 and the rounding of 1/12 of a squared step
  /// (Lipshitz, Wannamaker and Vanderkooy, "Quantization and Dither", 1992).
  @Test(arguments: [SampleDepth.bits16, .bits24], [0, 0.25, 0.5, -1000.3])
  func `the error has no mean and a variance of a quarter, at any signal level`(
    depth: SampleDepth, level: Float
  ) {
    var dither = Dither(seed: 1)
    let scale = Float(1 << (depth.rawValue - 1))
    let output = convert([Float](repeating: level / scale, count: 60_000), depth, &dither)
    let errors = output.map { Double($0) - Double(level) }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let variance = errors.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(errors.count)
    #expect(abs(mean) < 0.01)
    #expect(abs(variance - 0.25) < 0.01)
    #expect(errors.allSatisfy { abs($0) <= 1.51 })
  }

  @Test func `a sine of a third of a step keeps its level and gets no harmonics`() {
    var dither = Dither(seed: 2)
    let count = 1 << 14
    let periods = 251
    let amplitude = 0.33
    let sine = (0..<count).map { frame in
      Float(amplitude / 32_768 * sin(2 * .pi * Double(frame * periods % count) / Double(count)))
    }
    let output = convert(sine, .bits16, &dither)
    func level(_ harmonic: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (frame, value) in output.enumerated() {
        let phase = 2 * .pi * Double(frame * periods * harmonic % count) / Double(count)
        real += Double(value) * cos(phase)
        imaginary += Double(value) * sin(phase)
      }
      return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
    }
    // The noise in one line of the spectrum: 2 * sqrt(0.25 / count) = 0.008.
    #expect(abs(level(1) - amplitude) < 0.025)
    for harmonic in 2...7 { #expect(level(harmonic) < 0.025, "harmonic \(harmonic)") }
  }

  @Test(arguments: SampleDepth.allCases)
  func `full scale never wraps, and NaN and infinities become mere noise`(depth: SampleDepth) {
    var dither = Dither(seed: 3)
    let full = 1 << (depth.rawValue - 1)
    let tolerance = depth == .bits32 ? 128 : 3
    let loud: [Float] = [1, -1, 0.999_999_94, 3, -3, 1e30, -1e30, 1e38, -1e38]
    for level in loud {
      let output = convert([Float](repeating: level, count: 5003), depth, &dither)
      #expect(output.allSatisfy { abs(Int($0) - (level > 0 ? full - 1 : -full)) <= tolerance }, "\(level)")
    }
    for level in [Float.nan, -.nan, .signalingNaN, .infinity, -.infinity, Float(bitPattern: 0x7FFF_FFFF)] {
      let output = convert([Float](repeating: level, count: 5003), depth, &dither)
      #expect(output.allSatisfy { abs($0) <= 1 }, "\(level)")
    }
  }

  @Test func `a seed determines the noise`() {
    let silence = [Float](repeating: 0, count: 9001)
    var first = Dither(seed: 4)
    var second = Dither(seed: 4)
    var third = Dither(seed: 5)
    let noise = convert(silence, .bits16, &first)
    #expect(noise == convert(silence, .bits16, &second))
    #expect(noise != convert(silence, .bits16, &third))
    #expect(noise != convert(silence, .bits16, &first), "the next block repeats it")
  }

  @Test func `32 bits get no noise`() {
    var dither = Dither(seed: 6)
    #expect(convert([0.25, -0.5, 0], .bits32, &dither) == [1 << 29, -(1 << 30), 0])
  }
}
