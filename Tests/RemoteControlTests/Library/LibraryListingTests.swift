// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

/// Listings by directory, compared with the lines of single songs.
@Suite struct LibraryListingTests {
  private let directory: TemporaryDirectory
  private let rig: LibraryRig

  private let long = String(repeating: "長い", count: 9_000)

  init() throws {
    directory = try TemporaryDirectory()
    let files: [(name: String, tags: [(String, String)])] = [
      (
        "Abba/Ring/01 a.flac",
        [("TITLE", "A"), ("ALBUM", "Ring"), ("ARTIST", "Björn"), ("TRACKNUMBER", "1")]
      ),
      (
        "Abba/Ring/02 b.flac",
        [("TITLE", "B"), ("ALBUM", "Ring"), ("ARTIST", "X"), ("ARTIST", "Ÿ"), ("DISCNUMBER", "2")]
      ),
      // The names and the track numbers give different orders.
      (
        "Abba Gold/b.flac",
        [("TITLE", "one"), ("ALBUM", "G"), ("TRACKNUMBER", "1"), ("DATE", "1999-02-03")]
      ),
      ("Abba Gold/a.flac", [("TITLE", "two"), ("ALBUM", "G"), ("TRACKNUMBER", "2"), ("DATE", "1999")]),
      (
        "Abba Gold/CD2/x.flac",
        [("ALBUM", "new\nline"), ("GENRE", "時計"), ("COMPOSER", "\u{7F}")]
      ),
      (
        "other/side.flac",
        [
          ("TITLE", "Side"), ("TRACKNUMBER", "A1"), ("MOOD", "calm"), ("ALBUMARTIST", "Ann & Bea"),
          ("ALBUMARTISTS", "Ann"), ("ALBUMARTISTS", "Bea"),
        ]
      ),
      ("other/long.flac", [("TITLE", long), ("ARTISTSORT", "s"), ("ALBUMARTIST", "y")]),
      ("path:x/1.flac", []), ("path:root.flac", [("TITLE", "Root")]),
      ("top.flac", [("MUSICBRAINZ_ALBUMID", "id")]),
    ]
    for (name, tags) in files { try directory.write(SoundBytes.flac(tags), to: "music/\(name)") }
    let odd = try #require(FilePath(bytes: Array("music/odd/".utf8) + [0xFF, 0x0A] + Array(".flac".utf8)))
    try directory.write(SoundBytes.flac([("TITLE", "Odd")]), to: odd)
    try directory.write(SoundBytes.flac([("TITLE", "Whole")], seconds: 100), to: "music/cue/disc.flac")
    try directory.write(
      Array(
        """
        FILE "disc.flac" WAVE
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Two"
            INDEX 01 00:30:10
        """.utf8), to: "music/cue/disc.cue")
    for number in 0..<600 {
      try directory.write(
        SoundBytes.flac([("TITLE", "\(number)"), ("TRACKNUMBER", "\(number % 7)")]),
        to: "music/many/\(number).flac")
    }
    rig = try LibraryRig(directory["music"])
  }

  /// Returns the lines of each song, without those of directories.
  private func songs(_ lines: [String]) -> [[String]] {
    var songs: [[String]] = []
    var isSong = false
    for line in lines {
      if line.hasPrefix("file: ") { songs.append([]) }
      isSong = line.hasPrefix("file: ") || isSong && !line.hasPrefix("directory: ")
      if isSong { songs[songs.count - 1].append(line) }
    }
    return songs
  }

  private func sorted(_ songs: [[String]]) -> [[String]] {
    songs.sorted { $0.joined(separator: "\n") < $1.joined(separator: "\n") }
  }

  @Test func `A song has the same lines in a listing of its directory as in a search`() throws {
    let listed = songs(try rig.request("listallinfo"))
    #expect(listed.count == 613)
    #expect(sorted(listed) == sorted(songs(try rig.request("find", "(base \"\")"))))
    #expect(listed.map { $0[0] } == (try rig.request("listall").filter { $0.hasPrefix("file: ") }))
    #expect(try rig.request("list", "file").sorted() == listed.map { $0[0] }.sorted())
    let lines = listed.joined()
    #expect(lines.contains("Album: new line") && lines.contains("Title: \(long)"))
    #expect(lines.contains("file: path:odd/%FF%0A.flac") && lines.contains("file: cue/disc.flac/track2260"))
  }

  @Test func `A number that is not in digits is sent and found as it is written`() throws {
    let found = try rig.request("find", "track", "A1")
    #expect(found.contains("Title: Side") && found.contains("Track: A1") && found.contains("Mood: calm"))
    #expect(try rig.request("find", "track", "101") == [])
    #expect(try rig.request("list", "track", "title", "Side") == ["Track: A1"])
    #expect(try rig.request("listallinfo", "other").contains("Track: A1"))
    _ = try rig.request("add", "other/side.flac")
    #expect(try rig.request("playlistinfo").contains("Track: A1"))
    #expect(try rig.request("playlistfind", "track", "A1").contains("Title: Side"))
  }

  @Test func `The persons among the album artists are sent, listed and found`() throws {
    let lines = ["AlbumArtist: Ann", "AlbumArtist: Bea"]
    #expect(try rig.request("find", "title", "Side").filter { $0.hasPrefix("AlbumArtist:") } == lines)
    #expect(try rig.request("list", "albumartist", "title", "Side").sorted() == lines)
    for name in ["Ann", "Bea"] {
      #expect(try rig.request("find", "albumartist", name).contains("Title: Side"))
    }
  }

  @Test func `A directory is followed by its contents, and directories are sorted by name`() throws {
    let directories = try rig.request("listallinfo").filter { $0.hasPrefix("directory: ") }
    #expect(
      directories == [
        "directory: Abba", "directory: Abba/Ring", "directory: Abba Gold", "directory: Abba Gold/CD2",
        "directory: cue", "directory: many", "directory: odd", "directory: other", "directory: path:path:x",
      ])
    #expect(
      songs(try rig.request("listallinfo", "Abba Gold")).map { $0[0] } == [
        "file: Abba Gold/b.flac", "file: Abba Gold/a.flac", "file: Abba Gold/CD2/x.flac",
      ])
  }

  @Test func `Values that another program has written to the index are sent as valid text`() throws {
    try DatabaseQueue(path: rig.data["index.sqlite"].string).write {
      try $0.execute(
        sql: """
          UPDATE track SET title = CAST(x'41FF42' AS TEXT), artists = CAST(x'0A1F43' AS TEXT) WHERE title = 'B'
          """)
    }
    let lines = songs(try rig.request("listallinfo", "Abba")).joined()
    #expect(lines.contains("Title: A\u{FFFD}B") && lines.contains("Title: A"))
    #expect(lines.contains("Artist:  ") && lines.contains("Artist: C"))
  }
}
