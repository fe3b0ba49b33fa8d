// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FourierTransform
import TestSupport
import Testing

@Suite(.enabled(if: FourierTransform.libraryVersion != nil, "FFTW (libfftw3f) is not installed"))
struct FourierTransformTests {
  @Test(arguments: [2, 4, 64, 256, 1_000])
  func `FFTW computes what the definition says`(size: Int) throws {
    var generator = SystemRandomNumberGenerator()
    let samples = (0..<size).map { _ in Float.random(in: -1...1, using: &generator) }
    let powers = try #require(FourierTransform(size: size)).powers(of: samples)
    let expected = NaiveTransform(size: size).powers(of: samples)
    #expect(powers.count == expected.count)
    for (power, value) in zip(powers, expected) {
      #expect(abs(power - value) <= 1e-5 * Float(size) * max(1, value), "\(samples)")
    }
  }

  @Test func `There is no transform of no samples, and other numbers of samples are not transformed`() throws {
    for size in [Int.min, -1, 0, 1, .max] { #expect(FourierTransform(size: size) == nil) }
    let transform = try #require(FourierTransform(size: 64))
    #expect(transform.powers(of: []).isEmpty && transform.powers(of: [Float](repeating: 1, count: 65)).isEmpty)
  }

  @Test func `The version is a number`() {
    #expect(FourierTransform.libraryVersion?.first?.isNumber == true)
  }
}
