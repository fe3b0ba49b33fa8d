import AudioCore
import Foundation
import Resampling
import SystemPackage
import TestSupport
import Testing

@Suite struct SoxrQualityTests {
  static let rates = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (44_100, 96_000), (192_000, 44_100),
  ]

  /// Up to which frequency, with how much noise, and how many dB below the sound the difference has to be.
  static let sweeps: [(last: Double, noise: Float, least: Double)] = [
    (10_000, 0, 120), (20_000, 0.1, 60),
  ]

  @Test(arguments: rates)
  func `a sine stays the sine that it was, in phase, to 140 dB`(from: Int, to: Int) throws {
    // 20 kHz is 91 % of what 44.1 kHz holds.
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
  func `what the lower rate cannot hold is gone`(from: Int, to: Int) throws {
    let samples = try Resampled(
      Signal.sine(frames: from / 2, rate: from, frequency: 23_000), from: from, to: to, channels: 1
    ).samples
    let peak = samples[(to / 20)..<(samples.count - to / 20)].map(abs).max() ?? 1
    #expect(peak < 1e-6)
  }

  /// `sox` has rate code of its own, of which soxr is the successor. Its filter lets the treble roll off by up to
  /// 0.01 dB (-59 dB), and ends at another frequency.
  @Test(
    .enabled(if: Tool.exists("sox")),
    arguments: rates, sweeps)
  func `a sweep, and one with noise, become what sox makes of them`(
    rates: (from: Int, to: Int), sweep: (last: Double, noise: Float, least: Double)
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
    #expect(distance > sweep.least, "\(distance) dB")
  }
}
