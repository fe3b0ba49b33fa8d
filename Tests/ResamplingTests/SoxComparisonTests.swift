// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Resampling
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Compares resampling with that of sox.
  @Suite struct SoxComparisonTests {
    /// The highest frequency, the level of the noise, and by how many dB the difference must be below the signal.
    static let sweeps: [(last: Double, noise: Float, minimumDistance: Double)] = [
      (10_000, 0, 120), (20_000, 0.1, 60),
    ]

    /// `sox` has older rate conversion code, of which soxr is the successor. Its filter attenuates high frequencies by
    /// up to 0.01 dB (-59 dB), and ends at another frequency.
    @Test(
      .enabled(if: Tool.exists("sox"), "sox is not installed"),
      arguments: SoxrQualityTests.rates, sweeps)
    func `a sweep, with or without noise, is resampled as by sox`(
      rates: (from: Int, to: Int), sweep: (last: Double, noise: Float, minimumDistance: Double)
    ) throws {
      var random = SeededGenerator(seed: 9)
      let (from, to) = rates
      let input = Signal.sweep(
        frames: from, rate: from, last: sweep.last, noise: sweep.noise, using: &random)
      let directory = try TemporaryDirectory()
      let file = directory.file("in.raw").string
      try Data(input.withUnsafeBytes { Array($0) }).write(to: URL(fileURLWithPath: file))
      let raw = ["-t", "raw", "-e", "floating-point", "-b", "32", "-c", "1"]
      let bytes = try Tool.run(
        "sox", ["-D", "-V1"] + raw + ["-r", "\(from)", file] + raw + ["-", "rate", "-v", "\(to)"])
      let expected = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let samples = try Resampled(input, from: from, to: to, channels: 1).samples
      #expect(abs(samples.count - expected.count) <= 1)
      let distance = Signal.distance(samples, expected, edge: to / 40)
      #expect(distance > sweep.minimumDistance, "\(distance) dB")
    }
  }
}
