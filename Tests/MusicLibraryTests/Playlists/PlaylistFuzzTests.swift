import MusicLibrary
import SystemPackage
import TestSupport
import Testing

/// Damaged playlists do the reader no harm; `SEGUE_FUZZ_CASES` and `SEGUE_FUZZ_SEED` say how many, and which.
struct PlaylistFuzzTests {
  @Test func `Thousands of damaged playlists are read or refused, and what is read is written`() throws {
    let names = [
      "extended.m3u8", "messy.pls", "base.xspf", "bomb.xspf", "shift-jis.m3u", "utf-16le.m3u",
      "shift-jis.pls",
      "windows-1252.xspf", "windows-1252.m3u",
    ]
    let sources = try names.map { name in
      (FilePath(name), try contents(of: Fixture.directory.appending("Playlists").appending(name)))
    }
    let fault = try FuzzRun.firstFault(count: FuzzRun.count(standard: 2000)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = sources[Int(seed % UInt64(sources.count))]
      let damaged = mutator.damaged(bytes, other: sources[mutator.number(0...(sources.count - 1))].1)
      guard let playlist = try? PlaylistReader.playlist(in: damaged, of: name) else { return nil }
      for format in PlaylistFormat.allCases {
        let written = PlaylistWriter.bytes(of: playlist, as: format)
        guard let again = try? PlaylistReader.playlist(in: written, of: FilePath("a.\(format)")) else {
          return "\(name), written as \(format), is not read"
        }
        if again.entries.count != playlist.entries.count {
          return "\(name), written as \(format), lost entries"
        }
        if again.entries.map(\.location) != playlist.entries.map(\.location) {
          return "\(name), written as \(format), has other places"
        }
      }
      return nil
    }
    #expect(fault == nil)
  }
}
