import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Why reading ended too early is said; that a good file is a little shorter than it states is not worth a word.
@Suite struct EndFaultTests {
  @Test(arguments: [
    "actually-flac.mp3", "actually-mp3.flac", "chained.ogg", "huge-promise.wav", "huge-promise.au",
    "loud.wav", "vbr-no-xing.mp3", "junk-tail.ogg", "tags-hostile.mp3",
  ])
  func `a file that gives what it states has no fault`(name: String) throws {
    let decoder = try SndfileDecoder(path: Fixture.broken(name))
    _ = try Decoded.rest(of: decoder)
    #expect(decoder.failure == nil)
  }

  @Test(
    arguments: [
      ("truncated.flac", .malformed, "ends at 0:00 of 0:01: the file is truncated"),
      ("header-only.flac", .malformed, "ends at 0:00 of 0:01: the file is truncated"),
      (
        "corrupt-middle.flac", .malformed,
        "is damaged at 0:00: what was lost is silent"
      ),
    ] as [(String, DecodingError.Kind, String)])
  func `a file that ends too early says so`(name: String, kind: DecodingError.Kind, reason: String) throws {
    let path = Fixture.broken(name)
    let decoder = try SndfileDecoder(path: path)
    #expect(decoder.failure == nil)
    _ = try Decoded.rest(of: decoder)
    #expect(decoder.failure == DecodingError(path: path, kind: kind, reason: reason))
    try decoder.seek(toFrame: 0)
    #expect(decoder.failure == nil)
  }
}
