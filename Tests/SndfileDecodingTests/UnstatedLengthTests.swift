import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// MP3 files that do not state their length, compared with what mpg123 makes of them.
  @Suite struct UnstatedLengthTests {
    @Test func `an MP3 of variable rate that does not state its length is given whole`() throws {
      let path = Fixture.broken("vbr-no-xing.mp3")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.frameCount == 266_112)
      let heard = try Decoded.rest(of: decoder)
      let raw = try Tool.run("mpg123", ["-q", "--no-gapless", "-e", "f32", "-s", path.string])
      let expected = PCM.samples(raw, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
      #expect(PCM.firstDifference(heard, expected, channels: decoder.format.channels, tolerance: 0.0001) == nil)
      // Frames this small take their bits from more frames before them than mpg123 reads again after a seek.
      try expectExactSeeks(
        path, channels: decoder.format.channels, tolerance: 0.0001, settling: 8 * 1152)
    }

    @Test func `an MP3 of constant rate that does not state its length is given whole`() throws {
      let directory = try TemporaryDirectory()
      let original = try directory.write(
        WaveFile.bytes(material(30_011, channels: 2, .bits16), rate: 44_100, channels: 2, depth: .bits16),
        to: "in.wav")
      let path = directory.file("out.mp3")
      try Tool.run("lame", ["--quiet", "-t", "-b", "128", original.string, path.string])
      let raw = try Tool.run("mpg123", ["-q", "--no-gapless", "-e", "f32", "-s", path.string])
      let expected = PCM.samples(raw, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
      #expect(PCM.firstDifference(try Decoded.all(path), expected, channels: 2, tolerance: 0.0001) == nil)
    }
  }
}
