import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Sound behind tags, in every format that sox writes.
  @Suite struct TaggedFormatTests {
    /// libsndfile skips the tag of an MP3 file alone, and of others only where it opens them by itself.
    @Test(arguments: ["wav", "aiff", "au", "caf", "flac", "w64", "ogg"], [40, 200_000])
    func `sound behind an ID3v2 tag is whole, and is sought in`(format: String, padding: Int) throws {
      let directory = try TemporaryDirectory()
      let samples = material(30_000, channels: 2, .bits16)
      try directory.write(WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav")
      let plain = directory.file("plain.\(format)")
      _ = try Tool.run("sox", ["-D", directory.file("a.wav").string, plain.string])
      let tag = SoundBytes.id3([("TIT2", [UInt8](repeating: 0x20, count: padding))])
      let tagged = try directory.write(tag + contents(of: plain), to: "tagged.\(format)")
      let (decoder, control) = (try SndfileDecoder(path: tagged), try SndfileDecoder(path: plain))
      #expect(decoder.frameCount == control.frameCount)
      #expect(
        PCM.firstDifference(try Decoded.rest(of: decoder), try Decoded.rest(of: control), channels: 2) == nil)
      for place: Int64 in [20_000, 100, 29_999] {
        try decoder.seek(toFrame: place)
        try control.seek(toFrame: place)
        let (heard, expected) = (try Decoded.rest(of: decoder), try Decoded.rest(of: control))
        #expect(!expected.isEmpty)
        #expect(PCM.firstDifference(heard, expected, channels: 2) == nil)
      }
      #expect(decoder.failure == nil)
    }
  }
}
