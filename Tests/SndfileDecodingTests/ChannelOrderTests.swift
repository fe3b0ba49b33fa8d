// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Channels are returned in the order of WAVE, whatever the order of the codec.
  @Suite struct ChannelOrderTests {
    private static let rate = 48_000
    /// The tone of an LFE channel, which loses high frequencies.
    private static let lowTone = 60
    private static let tones = [300, 500, 700, 900, 1100, 1300, 1500, 1700]

    @Test(arguments: ["ogg", "opus"], [3, 4, 5, 6, 7, 8])
    func `each tone is decoded to the channel in which it was encoded`(suffix: String, channels: Int) throws {
      var tones = Array(Self.tones.prefix(channels))
      if channels >= 6 { tones[3] = Self.lowTone }
      let samples = (0..<Self.rate / 4).flatMap { frame in
        tones.map { tone in Int32(8000 * Self.triangle(frame * tone)) }
      }
      let directory = try TemporaryDirectory()
      let original = try directory.write(
        WaveFile.bytes(samples, rate: Self.rate, channels: channels, depth: .bits16), to: "in.wav")
      let path = directory.file("out.\(suffix)")
      switch suffix {
      case "opus": try Tool.run("opusenc", ["--quiet", original.string, path.string])
      default: try Tool.run("oggenc", ["-Q", "-q", "5", "-o", path.string, original.string])
      }
      let decoder = try SndfileDecoder(path: path)
      let decoded = try Decoded.rest(of: decoder)
      try #require(decoded.count == samples.count)
      for channel in 0..<channels {
        let crossings =
          4
          * (1..<Self.rate / 4).count {
            decoded[($0 - 1) * channels + channel] <= 0 && decoded[$0 * channels + channel] > 0
          }
        #expect(abs(crossings - tones[channel]) < 60, "channel \(channel): \(crossings) Hz")
      }
      try decoder.seek(toFrame: 7000)
      let rest = try Decoded.rest(of: decoder)
      #expect(
        PCM.firstDifference(
          rest, Array(decoded.dropFirst(7000 * channels)), channels: channels,
          tolerance: suffix == "opus" ? 0.02 : 0.0001) == nil)
    }

    @Test func `Opus channels without a defined meaning keep their order`() throws {
      let directory = try TemporaryDirectory()
      let samples = (0..<Self.rate / 4).flatMap { frame in
        Self.tones.prefix(3).map { tone in Int32(8000 * Self.triangle(frame * tone)) }
      }
      let original = try directory.write(
        WaveFile.bytes(samples, rate: Self.rate, channels: 3, depth: .bits16), to: "in.wav")
      let path = directory.file("out.opus")
      try Tool.run(
        "ffmpeg",
        ["-loglevel", "error", "-i", original.string, "-c:a", "libopus", "-mapping_family", "255", path.string])
      let decoded = try? Decoded.all(path)
      // libsndfile may refuse them; it must not return them in another order.
      guard let decoded else { return }
      for channel in 0..<3 {
        let crossings =
          4
          * (1..<Self.rate / 4).count {
            decoded[($0 - 1) * 3 + channel] <= 0 && decoded[$0 * 3 + channel] > 0
          }
        #expect(abs(crossings - Self.tones[channel]) < 60, "channel \(channel): \(crossings) Hz")
      }
    }

    /// Returns the value of a wave with the period `rate`, between -1 and 1, that rises through 0 once per period.
    private static func triangle(_ phase: Int) -> Double {
      let fraction = Double(phase % rate) / Double(rate)
      return fraction < 0.25 ? 4 * fraction : fraction < 0.75 ? 2 - 4 * fraction : 4 * fraction - 4
    }
  }
}
