// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// Text in tags that do not state its encoding, or state it wrongly.
@Suite struct UndecodedTextTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A title, an artist and an album in a character set.
  static let albums: [(encoding: LegacyText.Encoding, texts: [String])] = [
    (.other(.windows1251), ["Группа крови", "Кино", "Лучшее"]),
    (.other(.koi8R), ["Группа крови", "Кино", "Лучшее"]),
    (.other(.shiftJIS), ["正しい街", "椎名林檎", "無罪モラトリアム"]),
    (.other(.eucJP), ["正しい街", "椎名林檎", "無罪モラトリアム"]),
    (.other(.gb18030), ["月亮代表我的心", "邓丽君", "经典金曲精选集"]),
    (.other(.big5), ["但願人長久", "鄧麗君", "淡淡幽情"]),
    (.windows1252, ["Jóga – “live”", "Björk", "Homogénic"]),
    (.utf8, ["Żółty", "Björk", "夜"]),
  ]

  static let containers = ["id3v1", "id3v2.mp3", "xing.mp3", "ape", "wav", "wave", "flac", "id3.flac", "utf8.mp3"]

  private static func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }

  /// Returns an ID3v2.4 tag whose text frames state this encoding.
  private static func id3(_ frames: [(String, [UInt8])], encoding: UInt8) -> [UInt8] {
    var body: [UInt8] = []
    for (name, text) in frames { body += Array(name.utf8) + size(text.count + 1) + [0, 0, encoding] + text }
    return Array("ID3".utf8) + [4, 0, 0] + size(body.count) + body
  }

  private static func ape(_ items: [(String, [UInt8])]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }
    var body: [UInt8] = []
    for (key, value) in items { body += little(value.count) + little(0) + Array("\(key)\0".utf8) + value }
    func mark(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + little(2_000) + little(body.count + 32) + little(items.count) + little(flags)
        + [UInt8](repeating: 0, count: 8)
    }
    return mark(0xA000_0000) + body + mark(0x8000_0000)
  }

  /// Returns a file with a title, an artist and an album.
  private static func file(_ container: String, _ title: [UInt8], _ artist: [UInt8], _ album: [UInt8]) -> [UInt8] {
    let frames = [("TIT2", title), ("TPE1", artist), ("TALB", album)]
    let comments = [("TITLE", title), ("ARTIST", artist), ("ALBUM", album)].map { Array("\($0.0)=".utf8) + $0.1 }
    switch container {
    case "id3v1":
      let zeros = [UInt8](repeating: 0, count: 30)
      let fields: [UInt8] = [title, artist, album].map { Array(($0 + zeros).prefix(30)) }.reduce([], +)
      return SoundBytes.mp3() + Array("TAG".utf8) + fields + Array("1999".utf8) + [UInt8](repeating: 0, count: 31)
    case "id3v2.mp3": return id3(frames, encoding: 0) + SoundBytes.mp3()
    case "utf8.mp3": return id3(frames, encoding: 3) + SoundBytes.mp3()
    case "xing.mp3":
      var first: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
      first.replaceSubrange(36..<48, with: Array("Info".utf8) + [0, 0, 0, 1, 0, 0, 0, 4])
      return id3(frames, encoding: 0) + first + SoundBytes.mp3()
    case "ape": return SoundBytes.mp3() + ape([("Title", title), ("Artist", artist), ("Album", album)])
    case "wav": return SoundBytes.wav(info: [("INAM", title), ("IART", artist), ("IPRD", album)])
    case "wave":
      return SoundBytes.wav(info: [("INAM", title), ("IART", artist), ("IPRD", album), ("ICMT", Array("x".utf8))])
    case "id3.flac": return id3([("TCOM", Array("x".utf8))], encoding: 3) + SoundBytes.flac(comments: comments) + [0]
    default: return SoundBytes.flac(comments: comments) + [0]
    }
  }

  private func path(_ container: String, _ texts: [[UInt8]]) throws -> FilePath {
    let suffix = ["id3v1", "ape"].contains(container) ? "mp3" : container == "wave" ? "wav" : container
    return try directory.write(Self.file(container, texts[0], texts[1], texts[2]), to: "a.\(suffix)")
  }

  @Test(arguments: containers, 0..<8)
  func `Text in any encoding is read from every kind of tag`(container: String, index: Int) throws {
    let (encoding, texts) = Self.albums[index]
    let bytes = try texts.map { try #require(LegacyText.encode($0, as: encoding)) }
    let path = try path(container, bytes)
    let track = try TagReader().track(at: path)
    #expect([track.title, track.artists.first, track.album] == texts)
    let (fast, slow) = (TagContents(path), TagContents(path, byTagLibAlone: true))
    #expect(fast?.fields.entries == slow?.fields.entries)
  }

  @Test(arguments: containers)
  func `The fields of other files decide`(container: String) throws {
    let bytes = try ["Мы", "Ты", "Я"].map { try #require(LegacyText.encode($0, as: .other(.windows1251))) }
    let path = try path(container, bytes)
    var reader = TagReader()
    let other = try #require(LegacyText.encode("Группа крови", as: .other(.windows1251)))
    reader.fieldDecoder = LegacyText.FieldDecoder([other], assuming: .other(.windows1251))
    let track = try reader.track(at: path)
    #expect([track.title, track.artists.first, track.album] == ["Мы", "Ты", "Я"])
  }

  @Test(arguments: containers)
  func `No field is dropped for an invalid byte`(container: String) throws {
    let bytes: [[UInt8]] = [Array("夜の".utf8) + [0xFF], [0x41, 0x80, 0x81], [0xC3]]
    let track = try TagReader().track(at: path(container, bytes))
    #expect(!track.title.isEmpty && track.title != "a" && !track.artists.isEmpty && track.album?.isEmpty == false)
  }

  @Test func `An APE tag of any length is read, also one whose mark is where that of an ID3v1 tag would be`() throws {
    for count in 1...80 {
      let title = "Группа крови " + String(repeating: "а", count: count)
      let text = try #require(LegacyText.encode(title, as: .other(.windows1251)))
      let path = try directory.write(SoundBytes.mp3() + Self.ape([("Title", text)]), to: "a.mp3")
      #expect(try TagReader().comments(at: path).first?.value == title, "\(count)")
    }
  }

  @Test func `Halves of UTF-16 pairs become replacement characters`() throws {
    let text: [UInt8] = [0xFF, 0xFE, 0x41, 0x00, 0x00, 0xD8, 0x42, 0x00]
    let path = try directory.write(Self.id3([("TIT2", text)], encoding: 1) + SoundBytes.mp3(), to: "a.mp3")
    #expect(try TagReader().track(at: path).title == "A\u{FFFD}B")
  }

  @Test func `Text that a tag says is UTF-16 or UTF-8 is never decoded anew`() throws {
    let mojibake = "Ãðóïïà êðîâè"
    let units = mojibake.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let wide = try directory.write(
      Self.id3([("TIT2", [0xFF, 0xFE] + units)], encoding: 1) + SoundBytes.mp3(), to: "w.mp3")
    let narrow = try directory.write(SoundBytes.flac([("TITLE", mojibake)]) + [0], to: "n.flac")
    #expect(try TagReader().track(at: wide).title == mojibake)
    #expect(try TagReader().track(at: narrow).title == mojibake)
  }

  @Test func `Writing loudness leaves the bytes of other fields`() throws {
    let title = try #require(LegacyText.encode("Группа крови", as: .other(.windows1251)))
    let path = try path("id3v2.mp3", [title, title, title])
    _ = try TagReader().track(at: path)
    try TagWriter.write(ReplayGainTags(trackGain: -3, trackPeak: 0.5), to: path)
    let written = try contents(of: path)
    #expect(written.indices.contains { written[$0...].starts(with: title) })
    #expect(try TagReader().track(at: path).title == "Группа крови")
  }
}
