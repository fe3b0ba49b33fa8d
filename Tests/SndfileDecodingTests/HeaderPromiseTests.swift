import AudioCore
import SndfileDecoding
import TestSupport
import Testing

/// Headers that promise what cannot be are refused, or the sound that is there is played.
@Suite struct HeaderPromiseTests {
  @Test(arguments: [
    "mega-rate.wav", "top-rate.wav", "no-channels.wav", "zero-rate.wav", "255-channels.wav",
    "infinite-rate.caf",
    "nan-rate.caf", "negative-rate.aiff", "endless-rate.aiff",
  ])
  func `a rate or a number of channels that no sound has is refused with a reason`(name: String) throws {
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: Fixture.broken(name)) }
    #expect(error?.kind == .malformed || error?.kind == .unsupported)
    #expect(error?.reason.isEmpty == false)
  }

  @Test(arguments: ["huge-promise.caf", "negative-size.caf", "huge-promise.rf64", "bad-offset.au"])
  func `a length that libsndfile does not believe is refused with the format's name`(name: String) throws {
    let suffix = name.split(separator: ".").last.map { $0.uppercased() } ?? ""
    do {
      #expect(try Decoded.all(Fixture.broken(name)).count == 13_230)
    } catch let error as DecodingError {
      #expect(error.kind == .malformed)
      #expect(error.reason.hasPrefix("is \(suffix), but damaged ("))
    }
  }

  @Test(arguments: [
    ("huge-promise.aiff", 13_230), ("huge-promise.w64", 13_230), ("negative-size.w64", 13_230),
    ("huge-promise.flac", 66_150),
  ])
  func `what is promised beyond the end of the file is not waited for`(name: String, frames: Int) throws {
    let decoder = try SndfileDecoder(path: Fixture.broken(name))
    let all = try Decoded.rest(of: decoder)
    #expect(all.count == frames)
    for place in [10_000, (decoder.frameCount ?? 0) / 2, (decoder.frameCount ?? 0) - 1, .max] {
      try decoder.seek(toFrame: place)
      let rest = try Decoded.rest(of: decoder)
      let expected = all.dropFirst(Int(min(place, Int64(frames))))
      #expect(PCM.firstDifference(rest, Array(expected), channels: 1) == nil, "after a seek to \(place)")
    }
  }

  @Test func `more than is there is promised, and that is said`() throws {
    let decoder = try SndfileDecoder(path: Fixture.broken("huge-promise.flac"))
    _ = try Decoded.rest(of: decoder)
    #expect(decoder.failure?.kind == .malformed)
    #expect(decoder.failure?.reason.hasPrefix("ends at 0:01 of 432:51:") == true)
  }
}
