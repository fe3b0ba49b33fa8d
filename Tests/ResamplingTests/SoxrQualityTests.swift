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
}
