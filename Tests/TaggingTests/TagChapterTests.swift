// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// Tests of the chapters that tags list.
@Suite struct TagChapterTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func chapters(_ bytes: [UInt8], _ name: String) throws -> [String] {
    TagChapter.list(in: try TagReader().comments(at: directory.write(bytes, to: name))).map {
      "\($0.start) \($0.title)"
    }
  }

  /// A chapter frame's contents. A test tag states UTF-8 in front of each frame; here, this is part of the name.
  private static func chapter(_ name: String, start: Int, _ title: String?) -> (String, [UInt8]) {
    let time = withUnsafeBytes(of: UInt32(start).bigEndian) { unsafe Array($0) }
    let text = title.map { SoundBytes.id3([("TIT2", Array($0.utf8))]).dropFirst(10) } ?? []
    return ("CHAP", Array(name.utf8) + [0] + time + time + [UInt8](repeating: 0xFF, count: 8) + text)
  }

  @Test func `Chapters of ID3v2 are in the order of their beginnings`() throws {
    let mp3 = SoundBytes.mp3([
      ("TIT2", Array("Talk".utf8)), Self.chapter("b", start: 62_500, "Zweites – Kapitel"),
      Self.chapter("a", start: 0, "Intro"), Self.chapter("c", start: 3_723_004, nil),
    ])
    #expect(try chapters(mp3, "a.mp3") == ["0 Intro", "62500 Zweites – Kapitel", "3723004 Chapter 3"])
  }

  @Test func `Chapters of Vorbis comments are in the order of their beginnings`() throws {
    let flac = SoundBytes.flac([
      ("CHAPTER002", "00:01:02.500"), ("chapter002name", "Second"), ("CHAPTER001", "00:00:00.000"),
      ("CHAPTER001NAME", "First"), ("CHAPTER001URL", "https://example.com"), ("CHAPTER010", "01:00:00"),
    ])
    #expect(try chapters(flac, "a.flac") == ["0 First", "62500 Second", "3600000 Chapter 10"])
    #expect(try chapters(SoundBytes.flac([("TITLE", "None")]), "b.flac") == [])
  }

  @Test(arguments: [
    "", ":", "::", "1:2:3:4", "-1", "00:-1:00", "1e3", "nan", "99999999999999999999", "1.5:00", "0:00:00.000.000",
  ])
  func `A time that is none is no chapter`(time: String) throws {
    #expect(TagChapter.list(in: [("CHAPTER001", time), ("CHAPTER001NAME", "One")]) == [])
  }

  @Test func `Fields that only look like chapters are none`() {
    let names = ["CHAPTER", "CHAPTERS", "CHAPTER00001", "CHAPTER1X", "CHAPTER-1", "CHAPTER٣"]
    #expect(TagChapter.list(in: names.map { ($0, "00:00:01") }) == [])
    let times = [("62:03", Int64(3_723_000)), ("3723.456", 3_723_456), ("7", 7_000)]
    for (text, start) in times { #expect(TagChapter.list(in: [("CHAPTER01", text)]).map(\.start) == [start]) }
  }
}
