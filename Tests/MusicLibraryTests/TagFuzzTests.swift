import MusicLibrary
import MusicModel
import SystemPackage
import TestSupport
import Testing

/// Damaged files do the reader of tags no harm; `SEGUE_FUZZ_CASES` and `SEGUE_FUZZ_SEED` say how many, and which.
@Suite struct TagFuzzTests {
  private static let sources: [(String, [UInt8])] = [
    ("a.flac", SoundBytes.flac([("TITLE", "T"), ("ARTIST", "A"), ("TRACKNUMBER", "3/4")])),
    ("a.mp3", SoundBytes.mp3([("TIT2", [0x54]), ("TPE1", [0x41]), ("TRCK", [0x33])])),
    ("b.mp3", SoundBytes.mp3() + SoundBytes.ape([("Title", "T"), ("REPLAYGAIN_TRACK_GAIN", "-3 dB")])),
    ("a.wav", SoundBytes.wav(info: [("INAM", [0x54])])),
    ("a.aiff", SoundBytes.aiff(name: [0x54], author: [0x41])),
  ]

  @Test func `thousands of damaged files do no harm`() throws {
    let directory = try TemporaryDirectory()
    let broken = [
      "chained.ogg", "tags-hostile.flac", "tags-hostile.mp3", "alac.m4a", "wavpack.wv", "huge-promise.w64",
      "truncated.ogg",
    ]
    // A suffix that promises nothing that can be played is believed before the tags are read.
    let files = try broken.map { name in
      let isUnplayable = name.hasSuffix("m4a") || name.hasSuffix("wv")
      return (isUnplayable ? "\(name).mp3" : name, try contents(of: Fixture.broken(name)))
    }
    let sources = Self.sources + files
    let fault = try FuzzRun.firstFault(count: FuzzRun.count(standard: 1000)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = sources[Int(seed % UInt64(sources.count))]
      let other = sources[mutator.number(0...(sources.count - 1))].1
      let damaged = mutator.damaged(bytes, other: other)
      guard let path = try? directory.write(damaged, to: name) else { return "cannot be written" }
      guard let track = try? TagReader().track(at: path) else { return nil }
      return track.title.isEmpty ? "\(name): no title" : nil
    }
    #expect(fault == nil)
  }
}
