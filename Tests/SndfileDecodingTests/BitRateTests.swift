// SPDX-License-Identifier: GPL-3.0-or-later

import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

@Suite struct BitRateTests {
  @Test func `A picture in the tags does not affect the bit rate`() throws {
    let directory = try TemporaryDirectory()
    let plain = try directory.write(SoundBytes.mp3(), to: "plain.mp3")
    let tagged = try directory.write(
      SoundBytes.mp3([("TXXX", [UInt8](repeating: 0x41, count: 300_000))]), to: "tagged.mp3")
    let rate = try #require(try SndfileDecoder(path: plain).bitRate)
    #expect((100_000...160_000).contains(rate))
    #expect(try SndfileDecoder(path: tagged).bitRate == rate)
  }
}

extension ProgramLane {
  /// The bit rates of encoded files.
  @Suite struct EncodedBitRateTests {
    /// Returns the bit rate of the file that `tool` creates from 4 s of stereo noise with 16 bits at 44.1 kHz.
    private func bitRate(
      _ name: String, _ tool: String, _ arguments: (_ source: String, _ target: String) -> [String]
    )
      throws -> Int
    {
      let directory = try TemporaryDirectory()
      let (source, target) = (directory["in.wav"].string, directory[name])
      try Tool.run(
        "sox", ["-R", "-n", "-r", "44100", "-b", "16", "-c", "2", source, "synth", "4", "pinknoise"])
      try Tool.run(tool, arguments(source, target.string))
      return try #require(try SndfileDecoder(path: target).bitRate)
    }

    @Test func `An uncompressed bit rate is the sample rate times the bits times the channels`() throws {
      #expect(try bitRate("a.wav", "sox") { [$0, $1] } == 1_411_200)
      #expect(try bitRate("a.aiff", "sox") { [$0, "-b", "24", $1] } == 2_116_800)
    }

    @Test func `A compressed bit rate is the average`() throws {
      #expect(try (120_000...136_000).contains(bitRate("a.mp3", "lame") { ["--quiet", "-b", "128", $0, $1] }))
      #expect(try (50_000...200_000).contains(bitRate("a.ogg", "oggenc") { ["-Q", "-q", "4", $0, "-o", $1] }))
      #expect(
        try (50_000...130_000).contains(
          bitRate("a.opus", "opusenc") { ["--quiet", "--bitrate", "96", $0, $1] }))
      #expect(try (400_000...1_411_200).contains(bitRate("a.flac", "flac") { ["-s", $0, "-o", $1] }))
    }

    @Test(arguments: ["wav", "flac", "ogg", "aiff"])
    func `A file without audio has no bit rate`(suffix: String) throws {
      let directory = try TemporaryDirectory()
      let path = directory["none.\(suffix)"]
      try Tool.run("sox", ["-n", "-r", "44100", "-c", "2", path.string, "trim", "0", "0"])
      if let decoder = try? SndfileDecoder(path: path) { #expect(decoder.bitRate == nil) }
    }
  }
}
