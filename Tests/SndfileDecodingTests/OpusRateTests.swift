import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Opus is decoded at 48 kHz, whatever the rate was of what was encoded.
  @Suite struct OpusRateTests {
    @Test(arguments: [8000, 16_000, 24_000, 44_100, 48_000], [1, 2])
    func `Opus is what opusdec makes of it, bit for bit`(rate: Int, channels: Int) throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(rate, rate: rate, channels: channels, in: directory)
      let path = directory.file("a.opus")
      try Tool.run("opusenc", ["--quiet", "--bitrate", "256", original.string, path.string])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(48_000, channels: channels, nil))
      #expect(decoder.frameCount == 48_000)
      let heard = try Decoded.rest(of: decoder)
      #expect(PCM.firstDifference(heard, try Reference.opusdec(path), channels: channels) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `six channels of Opus at 16 kHz are whole, too`() throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(16_000, rate: 16_000, channels: 6, in: directory)
      let path = directory.file("a.opus")
      try Tool.run("opusenc", ["--quiet", original.string, path.string])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(48_000, channels: 6, nil))
      #expect(
        PCM.firstDifference(try Decoded.rest(of: decoder), try Reference.opusdec(path), channels: 6) == nil)
    }
  }
}
