// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

struct LyricsTests {
  private static func starts(_ lyrics: Lyrics) -> [Duration?] { lyrics.lines.map(\.start) }

  @Test func `Lines have the times in brackets before them, and are sorted by them`() {
    let lyrics = Lyrics("[ar:Somebody]\n[ti:Song]\n\n[00:12.5]Second\r\n[0:01:20] First\n[1:02]\n")
    #expect(lyrics.isSynced)
    #expect(Self.starts(lyrics) == [.milliseconds(1_200), .milliseconds(12_500), .seconds(62)])
    #expect(lyrics.lines.map(\.text) == ["First", "Second", ""])
  }

  @Test func `Several times repeat a line, with its words`() {
    let lyrics = Lyrics("[00:10.00][00:30.00]<00:10.00>One <00:11.00>two")
    #expect(Self.starts(lyrics) == [.seconds(10), .seconds(30)])
    #expect(lyrics.lines.map(\.text) == ["One two", "One two"])
    #expect(lyrics.lines[1].parts == [.init(offset: 0, start: .seconds(30)), .init(offset: 4, start: .seconds(31))])
  }

  @Test(arguments: [
    ("v1:Yeah", "Yeah"), (" v2: <00:01.00>Oh <00:02.00>no", "Oh no"), ("v1000:One", "One"), ("F: She", "She"),
    ("M: He", "He"), ("D: Both", "Both"), ("v1:", ""), ("D:", ""), ("v1:v2:Two", "v2:Two"),
    ("v:a", "v:a"), ("v10000:a", "v10000:a"), ("vx:a", "vx:a"), ("V for v1: a", "V for v1: a"),
    ("D:rum", "D:rum"), ("f: a", "f: a"), ("DM: a", "DM: a"), ("12: a", "12: a"),
  ])
  func `The mark of a voice is no text of a line with a time`(line: String, text: String) {
    #expect(Lyrics("[00:01.00]\(line)").lines.map(\.text) == [text])
    #expect(Lyrics("[00:01.00][00:03.00]\(line)").lines.map(\.text) == [text, text])
    #expect(Lyrics("a\n\(line)\nb").lines.map(\.text).count == 3)
    if !line.contains("<") { #expect(Lyrics("a\n\(line)\nb").lines[1].text == line) }
  }

  private static func shown(_ text: String) -> [String] {
    Lyrics(text).lines.map { "\($0.start.map { Int($0 / .milliseconds(1)) } ?? -1) \($0.text)" }
  }

  @Test func `Background voices are lines in parentheses, at their time`() {
    let song = "[00:02.00]v1:<00:02.00>Yeah\n[bg:<00:03.50>ooh <00:04.00>aah]\n[00:03.00]Main\n[bg:uh]\n"
    #expect(Self.shown(song) == ["2000 Yeah", "3000 Main", "3000 (uh)", "3500 (ooh aah)"])
    #expect(
      Lyrics(song).lines[3].parts == [
        .init(offset: 0, start: .milliseconds(3_500)), .init(offset: 5, start: .seconds(4)),
      ])
    #expect(Self.shown("[offset:+500]\n[00:05.00][bg: hey ]\n") == ["4500 (hey)"])
    #expect(Self.shown("[00:05.00]v2: One [bg:<00:06.00>two] three") == ["5000 One  three", "6000 (two)"])
    #expect(Self.shown("[00:05.00][bg:(so)][bg:<00:07.00>la]") == ["5000 (so)", "7000 (la)"])
    #expect(
      Self.shown("[00:05.00][00:25.00]Go\n[bg:<00:06.00>on]") == ["5000 Go", "6000 (on)", "25000 Go", "26000 (on)"])
    #expect(Self.shown("[bg:<00:01.00>early]\n[00:05.00]Go") == ["1000 (early)", "5000 Go"])
    #expect(Self.shown("[bg:lost]\n[00:05.00]Go") == ["5000 Go"])
    #expect(Self.shown("[ar:A]\nGo\n[bg:on]\nGo [bg:on]") == ["-1 Go", "-1 (on)", "-1 Go [bg:on]"])
  }

  @Test func `Unfinished marks of background voices do no harm`() {
    #expect(Self.shown("[00:01.00]a\n[bg:") == ["1000 a"])
    #expect(Self.shown("[00:01.00]a\n[bg:]\n[bg: ]\n[00:02.00][bg:]") == ["1000 a"])
    #expect(Self.shown("[00:01.00]a\n[bg:<00:02.00>b") == ["1000 a", "2000 (b)"])
    #expect(Self.shown("[00:01.00][bg:<00:02.00") == ["1000 (<00:02.00)"])
    #expect(Self.shown("[00:01.00][bg:[bg:a]]") == ["1000 ]", "1000 ([bg:a)"])
    let times = String(repeating: "[00:01.00]", count: 90) + "[bg:a]\n"
    let many = Lyrics(times + String(repeating: "[bg:a][bg:b]\n", count: 20_000))
    #expect(many.lines.count == Lyrics.lineLimit && many.isCut)
    #expect(Lyrics("[00:01.00]" + String(repeating: "[bg:a]", count: 50_000)).lines.count < 200)
    #expect(Lyrics("[00:01.00]" + String(repeating: "v1:", count: 50_000)).lines.count == 1)
  }

  @Test func `The offset moves all lines, but none before the beginning`() {
    #expect(Self.starts(Lyrics("[offset:+500]\n[00:00.10]a\n[00:02.00]b")) == [.zero, .milliseconds(1_500)])
    #expect(Self.starts(Lyrics("[offset: -500]\n[00:02.00]b")) == [.milliseconds(2_500)])
    #expect(Self.starts(Lyrics("[offset:\(Int.min)]\n[00:02.00]b")) == [.seconds(2)])
  }

  @Test func `Text without times is kept as it is, without empty lines around it`() {
    let lyrics = Lyrics("\n\nOne\n\n [Chorus]\nTwo <3\n\n")
    #expect(!lyrics.isSynced && lyrics.lines.map(\.text) == ["One", "", "[Chorus]", "Two <3"])
    #expect(lyrics.line(at: .seconds(5)) == nil)
    #expect(Lyrics("").lines.isEmpty)
  }

  @Test func `The line that is sung is the last one that has begun`() {
    let lyrics = Lyrics("[00:01.00]a\n[00:02.00]b\n[00:02.00]c\n[00:09.00]d")
    let expected: [(Int, Int?)] = [(0, nil), (999, nil), (1_000, 0), (1_999, 0), (2_000, 2), (8_999, 2), (60_000, 3)]
    for (time, line) in expected { #expect(lyrics.line(at: .milliseconds(time)) == line, "\(time)") }
  }

  @Test(arguments: ["[00:61.00]a", "[99999:00]a", "[-1:00]a", "[00:00.00", "[::]a", "[1:2:3:4]a", "[00.00]a"])
  func `What is no time is text`(line: String) { #expect(!Lyrics(line).isSynced) }

  @Test func `Long lines and files take little time and memory`() {
    let times = String(repeating: "[00:01.00]", count: 5_000) + String(repeating: "<00:01.00>a", count: 5_000)
    #expect(Lyrics(times).lines.count <= 100)
    #expect(Lyrics(String(repeating: "[00:01.00]a\n", count: 50_000)).lines.count == 10_000)
    #expect(Lyrics("[00:01.00]" + String(repeating: "<", count: 100_000)).lines.first?.text.count ?? 0 < 1_000)
  }

  @Test func `Lines that are left out are noticed`() {
    let plain = String(repeating: "a\n", count: Lyrics.lineLimit)
    #expect(!Lyrics(plain).isCut && !Lyrics(plain + "\n \n").isCut && Lyrics(plain + "a").isCut)
    let timed = String(repeating: "[00:01.00]a\n", count: Lyrics.lineLimit)
    #expect(!Lyrics(timed).isCut && Lyrics(timed + "[00:01.00]a").isCut)
    #expect(Lyrics(String(repeating: "[0:01][0:02]a\n", count: 6_000)).isCut)
  }

  @Test func `A file that is too large is reported, unless there are other lyrics`() throws {
    let directory = try TemporaryDirectory()
    let (track, large) = (directory.file("song.flac"), directory.file("song.lrc"))
    try directory.write([UInt8](repeating: 0x61, count: 1 << 20), to: "song.lrc")
    #expect(try Lyrics.find(of: track, reach: .anywhere)?.lyrics.lines.count == 1)
    try directory.write([UInt8](repeating: 0x61, count: 1 << 20 + 1), to: "song.lrc")
    #expect(
      throws: LyricsProblem(description: "\(large) is too large for lyrics: use a file of at most 1 MiB")
    ) { try Lyrics.find(of: track, reach: .anywhere) }
    try directory.write(Array("plain".utf8), to: "song.txt")
    #expect(try Lyrics.find(of: track, reach: .anywhere)?.origin == .file(directory.file("song.txt")))
  }

  @Test func `Any text is read without harm`() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "[", "]", "<", ">", "00:01", ":", ".", "9", "\n", "夜", "e\u{301}", "offset:", "-", " ", "[00:01.00]", "[bg:",
      "v1:", "D:",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let lyrics = Lyrics(text)
      for line in lyrics.lines {
        #expect(line.parts.allSatisfy { $0.offset < line.text.count && $0.start >= .zero }, "\(text)")
      }
      #expect(zip(lyrics.lines, lyrics.lines.dropFirst()).allSatisfy { ($0.start ?? .zero) <= ($1.start ?? .zero) })
    }
  }

  @Test func `A file with times is preferred to tags, tags to plain text, and any encoding is read`() throws {
    let directory = try TemporaryDirectory()
    let track = directory.file("song.flac")
    _ = try directory.write(
      try contents(of: Fixture.music("Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3")), to: "song.mp3")
    #expect(try Lyrics.find(of: track, reach: .anywhere) == nil)
    _ = try directory.write(Array("plain".utf8), to: "song.txt")
    #expect(try Lyrics.find(of: track, reach: .anywhere)?.origin == .file(directory.file("song.txt")))
    _ = try directory.write([0x5B, 0x30, 0x3A, 0x30, 0x31, 0x5D, 0xE9], to: "song.lrc")
    let found = try #require(try Lyrics.find(of: track, reach: .anywhere))
    #expect(found.origin == .file(directory.file("song.lrc")) && found.lyrics.lines.map(\.text) == ["é"])
    for encoding in [LegacyText.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
      let bytes = try #require(LegacyText.encode("[0:01]夜に\n", as: encoding))
      for mark in [encoding.byteOrderMark, []] {
        try directory.write(mark + bytes, to: "song.lrc")
        #expect(try Lyrics.find(of: track, reach: .anywhere)?.lyrics.lines.map(\.text) == ["夜に"], "\(encoding)")
      }
    }
    // A directory or binary data beside the track is no text.
    _ = try directory.write([0, 1, 2, 3], to: "other.lrc")
    #expect(throws: LyricsProblem(description: "\(directory.file("other.lrc")) is not text")) {
      try Lyrics.find(of: directory.file("other.flac"), reach: .anywhere)
    }
  }

  @Test func `For a network client, lyrics are read through no link that leads out of the library`() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("[0:01]secret".utf8), to: "outside/secret.lrc")
    try directory.write(Array("[0:01]line".utf8), to: "music/inside.lrc")
    try directory.link("music/a.lrc", to: directory["outside/secret.lrc"].string)
    try directory.link("music/b.lrc", to: "inside.lrc")
    try directory.link("music/c.lrc", to: "/dev/zero")
    let reach = FileReach.library(LibraryRoots(directory["music"]))
    let lines = { (name: String, reach: FileReach) in
      (try? Lyrics.find(of: directory["music/\(name).flac"], reach: reach))?.lyrics.lines.map(\.text)
    }
    #expect(lines("a", reach) == nil && lines("b", reach) == ["line"] && lines("c", reach) == nil)
    #expect(lines("a", .anywhere) == ["secret"] && lines("c", .anywhere) == nil)
  }

  @Test func `Lyrics in ID3v2 tags are read: plain, by line and by syllable`() throws {
    let directory = try TemporaryDirectory()
    let audio = try contents(of: Fixture.music("Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3"))
    let file = { (frames: [UInt8]) in Self.tag(frames) + audio }
    let plain = Self.frame("USLT", [0] + Array("eng".utf8) + [0] + Array("One\nTwo".utf8))
    _ = try directory.write(file(plain), to: "plain.mp3")
    let first = try #require(try Lyrics.find(of: directory.file("plain.mp3"), reach: .anywhere)?.lyrics)
    #expect(!first.isSynced && first.lines.map(\.text) == ["One", "Two"])

    func synced(_ parts: [(String, UInt8)]) -> [UInt8] {
      let body = parts.flatMap { part -> [UInt8] in Array(part.0.utf8) + [0, 0, 0, part.1, 0] }
      return Self.frame("SYLT", [0] + Array("eng".utf8) + [2, 1, 0] + body)
    }
    _ = try directory.write(file(synced([("One", 4), ("Two", 8)])), to: "lines.mp3")
    let lines = try #require(try Lyrics.find(of: directory.file("lines.mp3"), reach: .anywhere)?.lyrics)
    #expect(
      lines.lines.map(\.text) == ["One", "Two"] && Self.starts(lines) == [.milliseconds(1_020), .milliseconds(2_040)])
    _ = try directory.write(file(synced([("\nSyl", 4), ("lable", 5), ("\nNext", 8)])), to: "words.mp3")
    let words = try #require(try Lyrics.find(of: directory.file("words.mp3"), reach: .anywhere)?.lyrics)
    #expect(words.lines.map(\.text) == ["Syllable", "Next"])
    #expect(words.lines.first?.parts == [.init(offset: 3, start: .milliseconds(1_280))])
  }

  private static func frame(_ id: String, _ body: [UInt8]) -> [UInt8] {
    Array(id.utf8) + [0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF), 0, 0] + body
  }

  private static func tag(_ frames: [UInt8]) -> [UInt8] {
    Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
  }
}
