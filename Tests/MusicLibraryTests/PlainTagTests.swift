import Foundation
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import MusicLibrary

/// What is read without TagLib is what TagLib reads; `SEGUE_FUZZ_CASES` and `SEGUE_FUZZ_SEED` say how many damaged
/// files, and which.
@Suite struct PlainTagTests {
  private static let suffixes = ["flac", "mp3", "ogg", "opus", "wav"]

  /// What differs, as text; `nil` where nothing does.
  private static func difference(_ path: FilePath) -> String? {
    let ours = describe(TagContents(path))
    let theirs = describe(TagContents(path, byTagLibAlone: true))
    return ours == theirs ? nil : "\(ours)\n--- but TagLib:\n\(theirs)"
  }

  private static func describe(_ contents: TagContents?) -> String {
    guard let contents else { return "nothing" }
    let lines = contents.fields.entries.map { "\($0.name)=\($0.value)" }
    let audio = contents.audio.map { "\($0)" } ?? "no audio"
    return ([audio, "\(contents.isUnplayable)", contents.fields.cueSheet ?? ""] + lines)
      .joined(separator: "\n")
  }

  private static func files(below directory: FilePath) throws -> [FilePath] {
    let names = try #require(FileManager.default.enumerator(atPath: directory.string))
    return names.compactMap { ($0 as? String).map { directory.pushing(FilePath($0)) } }
      .filter { suffixes.contains($0.extension ?? "") }
  }

  /// An ID3v2.3 tag of these frames, in UTF-16.
  private static func id3(_ frames: [(name: String, text: String)]) -> [UInt8] {
    let body = frames.flatMap { name, text in
      let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      return Array(name.utf8) + [0, 0, 0, UInt8(units.count + 3), 0, 0, 1, 0xFF, 0xFE] + units
    }
    return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)] + body
  }

  /// The frames of an MP3 of the fixtures, behind this tag.
  private static func mp3(_ tag: [UInt8]) throws -> [UInt8] {
    let path = try #require(try files(below: Fixture.music("")).first { $0.extension == "mp3" })
    let bytes = try contents(of: path)
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    return tag + bytes.dropFirst(10 + size)
  }

  @Test func `The files of the fixtures give what TagLib alone gives`() throws {
    let files = try Self.files(below: Fixture.directory)
    #expect(Set(files.compactMap(\.extension)) == Set(Self.suffixes))
    for path in files { #expect(Self.difference(path) == nil, "\(path)") }
  }

  @Test func `Tags of every encoding give what TagLib alone gives`() throws {
    let directory = try TemporaryDirectory()
    let names = ["TIT2", "TPE1", "TALB", "TCON", "TYER", "TRCK", "TXXX", "TXXX"]
    let texts = [
      "Ænima 𝄞", "東京事変", "Čas", "Jazz", "1999", "3/12", "replaygain_track_gain\0-3 dB", "Mood\0a\0b",
    ]
    let frames = Array(zip(names, texts))
    let files = try [
      "a.mp3": Self.mp3(Self.id3(frames)),
      "b.mp3": Self.mp3(SoundBytes.id3(frames.map { ($0, Array($1.utf8)) })),
      "c.mp3": Self.mp3(SoundBytes.id3([("TCON", Array("(17)".utf8))])),
      "d.mp3": Self.mp3(SoundBytes.id3([("TDRC", Array("1999-01-02T03:04".utf8))])),
      "e.mp3": Self.mp3([]),
      "a.flac": SoundBytes.flac(
        comments: ["title=a", "Title=b", "ARTIST=Ænima 𝄞", "X="].map { Array($0.utf8) }),
      "b.flac": SoundBytes.flac(comments: [Array("TITLE=".utf8) + [0xFF, 0x41], Array("ARTIST=a\0b".utf8)]),
      "c.flac": SoundBytes.flac(comments: [Array("no separator".utf8), Array("ALBUM=a".utf8)]),
    ]
    for (name, bytes) in files {
      #expect(Self.difference(try directory.write(bytes, to: name)) == nil, "\(name)")
    }
    let first = try #require(TagContents(try directory.write(Self.mp3(Self.id3(frames)), to: "a.mp3")))
    #expect(first.fields.first("TITLE") == "Ænima 𝄞")
    #expect(first.fields.first("DATE") == "1999")
    #expect(first.fields.entries.filter { $0.name == "MOOD" }.map(\.value) == ["a", "b"])
  }

  @Test func `Damaged files give what TagLib alone gives`() throws {
    let directory = try TemporaryDirectory()
    let frames = [("TIT2", "Título"), ("TPE1", "東京"), ("TXXX", "Mood\0a")]
    var sources = try Self.files(below: Fixture.music("")).map {
      ("a.\($0.extension ?? "")", try contents(of: $0))
    }
    sources.append(("b.mp3", try Self.mp3(Self.id3(frames))))
    sources.append(("b.flac", SoundBytes.flac([("TITLE", "T"), ("artist", "Ä"), ("TRACKNUMBER", "3/4")])))
    let files = sources
    let fault = try FuzzRun.firstFault(count: FuzzRun.count(standard: 500)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = files[Int(seed % UInt64(files.count))]
      let other = files[mutator.number(0...(files.count - 1))].1
      guard let path = try? directory.write(mutator.damaged(bytes, other: other), to: name) else {
        return "cannot be written"
      }
      return Self.difference(path)
    }
    #expect(fault == nil)
  }
}
