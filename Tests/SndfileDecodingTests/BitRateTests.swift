import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

@Suite struct BitRateTests {
  @Test func `A picture in the tags does not count`() throws {
    let directory = try TemporaryDirectory()
    let plain = try directory.write(SoundBytes.mp3(), to: "plain.mp3")
    let tagged = try directory.write(
      SoundBytes.mp3([("TXXX", [UInt8](repeating: 0x41, count: 300_000))]), to: "tagged.mp3")
    let rate = try #require(try SndfileDecoder(path: plain).bitRate)
    #expect((100_000...160_000).contains(rate))
    #expect(try SndfileDecoder(path: tagged).bitRate == rate)
  }
}
