// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import Playlists

struct PlaylistReaderTests {
  private func fixture(_ name: String) throws -> Playlist {
    try PlaylistReader.read(Fixture.directory.appending("Playlists").appending(name), reach: .anywhere)
  }

  private func parse(_ text: String, _ name: FilePath = "/l/a.m3u") throws -> Playlist {
    try PlaylistReader.playlist(in: Array(text.utf8), of: name)
  }

  private func path(_ text: String) -> PlaylistLocation { .path(Array(text.utf8)) }

  private func entry(
    _ location: PlaylistLocation, _ change: (inout PlaylistEntry) -> Void = { _ in }
  ) -> PlaylistEntry {
    var entry = PlaylistEntry(location)
    change(&entry)
    return entry
  }

  @Test func `Extended M3U is read, and each directive applies to the next entry`() throws {
    let expected = Playlist(
      title: "Evening",
      entries: [
        entry(path("Low/01 Words.flac")) {
          ($0.artist, $0.title, $0.duration) = ("Low", "Words", .milliseconds(123_500))
          ($0.album, $0.albumArtist, $0.genre, $0.group) = (
            "I Could Live in Hope", "Low", "Slowcore", "Quiet"
          )
        },
        entry(path("#Fear.flac")), entry(path("/music/Nina Simone/Feeling Good.flac")),
        entry(path("C:/Music/AC#DC.mp3")), entry(path("/music/100%.mp3")),
        entry(.url("https://radio.example/stream?q=1")) { ($0.artist, $0.title) = ("Radio", "- Live") },
        entry(path(#"C:\Music\Low\02 Fear.mp3"#)) { ($0.title, $0.duration) = ("A - B", .seconds(60)) },
        entry(path("Artist: Song.mp3")),
      ])
    #expect(try fixture("extended.m3u8") == expected)
  }

  @Test(arguments: ["windows-1252.m3u", "utf-8-mark.m3u8", "cr.m3u8", "windows-1252.xspf"])
  func `Western text is read in all encodings and with all line breaks`(name: String) throws {
    let playlist = try fixture(name)
    #expect(playlist.entries.count == 1)
    let entry = try #require(playlist.entries.first)
    #expect(entry.artist == "Sigur Rós")
    #expect(entry.title == "Ágætis byrjun")
    #expect(entry.duration == .seconds(183))
    #expect(([entry.location] + entry.alternatives).last == path("Sigur Rós/Ágætis byrjun.mp3"))
  }

  @Test(arguments: ["shift-jis.m3u", "utf-16le.m3u", "utf-16be.m3u", "shift-jis.pls"])
  func `Japanese text is read, even if a backslash byte is half of a character`(name: String) throws {
    let playlist = try fixture(name)
    #expect(playlist.entries.count == 1)
    let entry = try #require(playlist.entries.first)
    #expect(entry.artist == "椎名林檎")
    #expect(entry.title == "本能")
    #expect(entry.duration == .seconds(183))
    #expect(([entry.location] + entry.alternatives).last == path(#"椎名林檎\ソ表.mp3"#))
  }

  @Test func `The raw bytes of a name that is not valid UTF-8 are tried before its text`() throws {
    let entry = try #require(try fixture("windows-1252.m3u").entries.first)
    let bytes = "Sigur Rós/Ágætis byrjun.mp3".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(entry.location == .path(bytes))
  }

  @Test func `A declared encoding is used if the contents are valid in it`() throws {
    let name: [UInt8] = [0x83, 0x5C]
    func title(_ encoding: String) throws -> String? {
      let head = "#EXTM3U\n#EXTENC: \(encoding)\n#PLAYLIST:"
      return try PlaylistReader.playlist(in: Array(head.utf8) + name + [0x0A], of: "a.m3u").title
    }
    #expect(try title("Shift_JIS") == "ソ")
    #expect(try title("windows-1252") == "ƒ\\")
    #expect(try title("UTF-8") == "ソ")
  }

  @Test func `PLS is read regardless of case, gaps and the declared number of entries`() throws {
    let expected = Playlist(entries: [
      entry(path("Low/02.flac")) {
        ($0.artist, $0.title, $0.duration) = ("Low", "Fear", .seconds(133))
      },
      entry(.url("http://radio.example/")), entry(path("Low/03.flac")) { $0.title = "Slide" },
    ])
    #expect(try fixture("messy.pls") == expected)
  }

  @Test func `XSPF is read with its base URIs, and extensions are ignored`() throws {
    let expected = Playlist(
      title: "Two & three",
      entries: [
        entry(path("/music/Low/01 Words.flac")) {
          $0.alternatives = [.url("http://example.org/words")]
          ($0.artist, $0.title, $0.album) = ("Low", "Words", "I Could Live in Hope")
          ($0.comment, $0.number, $0.duration) = ("a       remark", 1, .milliseconds(123_456))
        },
        entry(.url("http://example.org/a/c")), entry(path("/other/a.flac")),
        entry(path(#"C:\Music\a.mp3"#)), entry(.path([])) { $0.title = "Nowhere" },
      ])
    let playlist = try fixture("base.xspf")
    #expect(playlist.title == expected.title)
    for (entry, expectedEntry) in zip(playlist.entries, expected.entries) {
      #expect(entry == expectedEntry)
    }
    #expect(playlist.entries.count == 5)
  }

  @Test func `Entity declarations are rejected`() throws {
    #expect {
      try fixture("bomb.xspf")
    } throws: { error in
      guard case .malformed(_, line: 3, let reason)? = error as? PlaylistError else { return false }
      return reason == "it declares entities"
    }
  }

  @Test func `The contents decide the format, or else the suffix`() throws {
    #expect(try parse("[playlist]\nFile1=a", "a.m3u").entries.map(\.location) == [path("a")])
    #expect(try parse("a\n", "a.M3U8").entries.map(\.location) == [path("a")])
    #expect(try parse("<playlist version='1'><trackList/></playlist>", "a.txt").entries == [])
    #expect(throws: PlaylistError.notAPlaylist("a.txt")) { try parse("a\n", "a.txt") }
    #expect(throws: PlaylistError.notAPlaylist("a.m3u")) { try parse("a\0b\n", "a.m3u") }
    #expect(try parse("", "a.m3u").entries == [])
  }

  @Test func `Damaged XML is reported with its line`() throws {
    #expect {
      try parse("<playlist>\n<trackList>\n</playlist>", "a.xspf")
    } throws: { error in
      guard case .malformed("a.xspf", line: 3, _)? = error as? PlaylistError else { return false }
      return true
    }
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(throws: PlaylistError.malformed("a.xspf", line: 1, reason: "it is nested too deeply")) {
      try parse("<playlist>" + deep, "a.xspf")
    }
  }

  @Test func `Files that are missing, irregular or too large are rejected by name`() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: PlaylistError.notFound(directory["none.m3u"])) {
      try PlaylistReader.read(directory["none.m3u"], reach: .anywhere)
    }
    #expect(throws: PlaylistError.notAFile(directory.path)) {
      try PlaylistReader.read(directory.path, reach: .anywhere)
    }
    try directory.makeFIFO("fifo.m3u")
    #expect(throws: PlaylistError.notAFile(directory["fifo.m3u"])) {
      try PlaylistReader.read(directory["fifo.m3u"], reach: .anywhere)
    }
    // A sparse file, without blocks on the disk.
    let file = try FileDescriptor.open(
      directory["line.m3u"], .writeOnly, options: [.create], permissions: [.ownerReadWrite])
    try file.closeAfter { try file.resize(to: 100 << 20) }
    #expect(throws: PlaylistError.tooLarge(directory["line.m3u"])) {
      try PlaylistReader.read(directory["line.m3u"], reach: .anywhere)
    }
  }

  @Test(arguments: PlaylistFormat.allCases)
  func `Too many entries are rejected`(format: PlaylistFormat) throws {
    let entries = (0..<4).map { PlaylistEntry(path("\($0)")) }
    let bytes = PlaylistWriter.bytes(of: Playlist(entries: entries), as: format)
    #expect(try PlaylistReader.playlist(in: bytes, of: "a", limit: 4).entries == entries)
    #expect(throws: PlaylistError.tooManyEntries("a")) {
      try PlaylistReader.playlist(in: bytes, of: "a", limit: 3)
    }
  }

  @Test func `A line of a million bytes is one entry`() throws {
    let line = String(repeating: "a", count: 1_000_000)
    #expect(try parse("#EXTM3U\n\(line)\n").entries == [entry(path(line))])
  }
}

@Suite struct PlaylistWordsTests {
  @Test func `Every scalar is kept, or becomes a space if it would break the line`() {
    var wrongScalars: [UInt32] = []
    // All scalars of two bytes, all that begin like line separators, and a sample of the others.
    for value in Array(UInt32(0)...0x2FFF) + Array(stride(from: 0x3000, through: 0x10FFFF, by: 251)) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var text = "é".unicodeScalars
      text.append(scalar)
      text.append("b")
      var expected = text
      if scalar.properties.generalCategory == .control || value == 0x2028 || value == 0x2029 {
        expected = "é b".unicodeScalars
      }
      let line = PlaylistTextFormat.line(String(text))
      if line?.unicodeScalars.elementsEqual(expected) != true { wrongScalars.append(value) }
    }
    #expect(wrongScalars.isEmpty)
  }

  @Test(arguments: [
    (" a", "a"), ("a\u{85}", "a"), ("é\u{9F}\u{9F}b", "é b"), ("a\r\nb", "a b"), ("\u{2029}", nil), ("", nil),
    (nil, nil), ("日\u{2028} 本", "日  本"), ("Björk – \u{2027}", "Björk – \u{2027}"),
  ])
  func `A text becomes one line without spaces at its ends`(text: String?, line: String?) {
    #expect(PlaylistTextFormat.line(text) == line)
  }
}

/// Reading damaged playlists is safe. `SEGUE_FUZZ_CASES` and `SEGUE_FUZZ_SEED` set how many, and which.
struct PlaylistFuzzTests {
  @Test func `Damaged playlists are read or rejected, and those that are read can be written`() throws {
    let names = [
      "extended.m3u8", "messy.pls", "base.xspf", "bomb.xspf", "shift-jis.m3u", "utf-16le.m3u",
      "shift-jis.pls",
      "windows-1252.xspf", "windows-1252.m3u",
    ]
    let sources = try names.map { name in
      (FilePath(name), try contents(of: Fixture.directory.appending("Playlists").appending(name)))
    }
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 2000)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = sources[Int(seed % UInt64(sources.count))]
      let damaged = mutator.damaged(bytes, other: sources[mutator.number(0...(sources.count - 1))].1)
      guard let playlist = try? PlaylistReader.playlist(in: damaged, of: name) else { return nil }
      for format in PlaylistFormat.allCases {
        let written = PlaylistWriter.bytes(of: playlist, as: format)
        guard let reread = try? PlaylistReader.playlist(in: written, of: FilePath("a.\(format)")) else {
          return "\(name), written as \(format), is not read"
        }
        if reread.entries.count != playlist.entries.count {
          return "\(name), written as \(format), lost entries"
        }
        if reread.entries.map(\.location) != playlist.entries.map(\.location) {
          return "\(name), written as \(format), has other locations"
        }
      }
      return nil
    }
    #expect(failure == nil)
  }
}
