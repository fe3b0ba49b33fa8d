// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// Tags with flaws that other programs tolerate: all of their fields are read.
@Suite struct FlawedTagTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func track(_ bytes: [UInt8], as name: String) throws -> Track {
    try TagReader().track(at: directory.write(bytes, to: FilePath(name)))
  }

  // MARK: ID3v2

  private static func size(_ count: Int, version: UInt8) -> [UInt8] {
    let bits = version == 4 ? 7 : 8
    return (0...3).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * bits)) & (version == 4 ? 0x7F : 0xFF) }
  }

  private static func frame(_ name: String, _ contents: [UInt8], version: UInt8) -> [UInt8] {
    let header = Array(name.utf8) + size(contents.count, version: version)
    return header + (version == 2 ? [] : [0, 0]) + contents
  }

  /// Returns an MP3 file of silent frames with this body of a tag, which padding follows.
  private static func mp3(_ body: [UInt8], version: UInt8, flags: UInt8 = 0) -> [UInt8] {
    let body = body + [UInt8](repeating: 0, count: 32)
    return Array("ID3".utf8) + [version, 0, flags] + size(body.count, version: 4) + body + SoundBytes.mp3()
  }

  private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      return bigEndian ? [high, low] : [low, high]
    }
  }

  @Test(arguments: [3, 4] as [UInt8])
  func `The fields after a frame of length zero are read`(version: UInt8) throws {
    let body =
      Self.frame("TIT2", [0] + Array("One".utf8), version: version) + Self.frame("TPE2", [], version: version)
      + Self.frame("COMM", Array("\0eng\0x".utf8), version: version)
      + Self.frame("TALB", [0] + Array("Album".utf8), version: version)
    let track = try track(Self.mp3(body, version: version), as: "a.mp3")
    #expect(track.title == "One")
    #expect(track.album == "Album")
  }

  @Test(arguments: [3, 4] as [UInt8], [false, true])
  func `UTF-16 without a byte order mark is read`(version: UInt8, bigEndian: Bool) throws {
    func texts(_ texts: String...) -> [UInt8] {
      [1] + texts.map { Self.utf16($0, bigEndian: bigEndian) }.joined(separator: [0, 0])
    }
    let body =
      Self.frame("TIT2", texts("Čas One"), version: version) + Self.frame("TPE1", texts("東京事変"), version: version)
      + Self.frame("TXXX", texts("Mood", "blue"), version: version)
      + Self.frame("TALB", texts("Album") + [0, 0], version: version)
    let track = try track(Self.mp3(body, version: version), as: "a.mp3")
    #expect(track.title == "Čas One")
    #expect(track.artists == ["東京事変"])
    #expect(track.album == "Album")
    #expect(TagContents(directory["a.mp3"])?.fields.entries.contains { $0.value == "blue" } == true)
  }

  @Test func `A byte order mark that only the description has applies to the text, too`() throws {
    let text = [1, 0, 0, 0] + [0xFF, 0xFE, 0, 0] + Self.utf16("a comment", bigEndian: false)
    let body = Self.frame("COMM", text, version: 3)
    let path = try directory.write(Self.mp3(body, version: 3), to: "a.mp3")
    #expect(TagContents(path)?.fields.entries.contains { $0.value == "a comment" } == true)
  }

  @Test(
    arguments: [
      (3, [0, 0, 0, 6, 0, 0, 0, 0, 0, 32]), (3, [0, 0, 0, 10, 0, 0, 0, 0, 0, 32]), (4, [0, 0, 0, 6, 1, 0]), (4, []),
    ] as [(UInt8, [UInt8])])
  func `The fields after an extended header are read`(version: UInt8, header: [UInt8]) throws {
    let body =
      header + Self.frame("TIT2", [0] + Array("One".utf8), version: version)
      + Self.frame("TALB", [0] + Array("Album".utf8), version: version)
    let track = try track(Self.mp3(body, version: version, flags: 0x40), as: "a.mp3")
    #expect(track.title == "One")
    #expect(track.album == "Album")
  }

  @Test func `All fields of a flawed unsynchronised tag are read`() throws {
    let body =
      Self.frame("TIT2", [1, 0xFF, 0xFE] + Self.utf16("One", bigEndian: false), version: 3)
      + Self.frame("TPE2", [], version: 3) + Self.frame("TALB", [0] + Array("Album".utf8), version: 3)
    let unsynchronised = body.flatMap { $0 == 0xFF ? [$0, 0] : [$0] }
    let track = try track(Self.mp3(unsynchronised, version: 3, flags: 0x80), as: "a.mp3")
    #expect(track.title == "One")
    #expect(track.album == "Album")
  }

  @Test func `A picture after a frame of length zero is found`() throws {
    let picture = Array("\0image/png\0".utf8) + [3, 0] + Array("picture".utf8)
    let body = Self.frame("TPE2", [], version: 3) + Self.frame("APIC", picture, version: 3)
    let path = try directory.write(Self.mp3(body, version: 3), to: "a.mp3")
    #expect(EmbeddedPicture(of: path, limit: 100)?.bytes == Array("picture".utf8))
  }

  @Test func `Loudness is not written if fields would be lost`() throws {
    let body =
      Self.frame("TIT2", [0] + Array("One".utf8), version: 3) + Self.frame("TPE2", [], version: 3)
      + Self.frame("TALB", [0] + Array("Album".utf8), version: 3)
    let path = try directory.write(Self.mp3(body, version: 3), to: "a.mp3")
    #expect(throws: TagWriterError.wouldLoseFields) {
      try TagWriter.write(ReplayGainTags(trackGain: -3), to: path)
    }
    #expect(try TagReader().track(at: path).album == "Album")
  }

  // MARK: FLAC

  private static let streamInfo = Array(SoundBytes.flac()[8..<42])

  private static func comments(_ fields: [String]) -> [UInt8] {
    func number(_ count: Int) -> [UInt8] { [UInt8(count), 0, 0, 0] }
    return number(4) + Array("test".utf8) + number(fields.count)
      + fields.flatMap { number($0.utf8.count) + Array($0.utf8) }
  }

  private static let fields = comments(["TITLE=One", "ALBUM=Album"])

  /// Returns a FLAC file of these blocks, whose stated lengths may be wrong, and the beginning of a frame.
  private static func flac(_ blocks: [(kind: UInt8, contents: [UInt8], length: Int)]) -> [UInt8] {
    var bytes = Array("fLaC".utf8)
    for (index, block) in blocks.enumerated() {
      bytes += [block.kind | (index + 1 == blocks.count ? 0x80 : 0)]
      bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: block.length >> $0) } + block.contents
    }
    return bytes + [0xFF, 0xF8, 0xC9, 0x18] + [UInt8](repeating: 0x55, count: 400)
  }

  private static func block(
    _ kind: UInt8, _ contents: [UInt8], length: Int? = nil
  ) -> (kind: UInt8, contents: [UInt8], length: Int) {
    (kind, contents, length ?? contents.count)
  }

  private static let padding = [UInt8](repeating: 0, count: 100)
  private static let picture =
    [0, 0, 0, 3, 0, 0, 0, 9] + Array("image/png".utf8) + [UInt8](repeating: 0, count: 20) + [0, 0, 0, 7]
    + Array("picture".utf8)

  static let flawedFiles: [(String, [UInt8])] = [
    ("an empty application block", flac([block(0, streamInfo), block(2, []), block(4, fields), block(1, padding)])),
    ("an empty picture", flac([block(0, streamInfo), block(6, []), block(4, fields)])),
    ("comments first", flac([block(4, fields), block(0, streamInfo), block(1, padding)])),
    ("padding first", flac([block(1, padding), block(0, streamInfo), block(4, fields)])),
    (
      "comments with a length that is too short",
      flac([block(0, streamInfo), block(4, fields, length: 20), block(1, padding)])
    ),
    (
      "comments with a length that is too long",
      flac([block(0, streamInfo), block(4, fields, length: 3_000), block(1, padding)])
    ),
    (
      "padding with a length that is too long",
      flac([block(0, streamInfo), block(1, padding, length: 150), block(4, fields)])
    ),
    (
      "padding that is longer than the file",
      flac([block(0, streamInfo), block(1, padding, length: 90_000), block(4, fields)])
    ),
    (
      "padding with a length that is too short",
      flac([block(0, streamInfo), block(1, padding, length: 7), block(4, fields)])
    ),
    (
      "stream information of length zero",
      flac([block(0, streamInfo, length: 0), block(4, fields), block(1, padding)])
    ),
    (
      "a picture with a length that is too long",
      flac([block(0, streamInfo), block(6, picture, length: 5_000), block(4, fields)])
    ),
  ]

  /// Depending on the difference, the next block seems to begin with different bytes of the following one.
  @Test(arguments: 1...12)
  func `The blocks after padding of a wrong length are read`(difference: Int) throws {
    for length in [Self.padding.count + difference, Self.padding.count - difference] {
      for following in [Self.fields, Self.comments(["TITLE=One", "ALBUM=" + String(repeating: "x", count: 200)])] {
        let path = try directory.write(
          Self.flac([
            Self.block(0, Self.streamInfo), Self.block(1, Self.padding, length: length), Self.block(4, following),
            Self.block(6, Self.picture), Self.block(1, Self.padding),
          ]), to: "a.flac")
        #expect(try TagReader().track(at: path).title == "One", "\(length)")
        #expect(EmbeddedPicture(of: path, limit: 100)?.bytes == Array("picture".utf8), "\(length)")
      }
    }
  }

  @Test(arguments: flawedFiles)
  func `The comments of a FLAC file with a flawed block are read`(flaw: String, bytes: [UInt8]) throws {
    let track = try track(bytes, as: "a.flac")
    #expect(track.title == "One")
    #expect(track.album == "Album")
    // Only a decoder can tell whether the audio after the flaw is readable.
    #expect(track.audio == nil)
  }

  @Test func `The comments after a flawed ID3v2 tag and flawed FLAC blocks are read`() throws {
    let frames = Self.frame("TPE2", [], version: 3) + Self.frame("TIT2", [0] + Array("Other".utf8), version: 3)
    let tag = Self.mp3(frames, version: 3).dropLast(SoundBytes.mp3().count)
    let flac = Self.flac([Self.block(0, Self.streamInfo), Self.block(2, []), Self.block(4, Self.fields)])
    #expect(try track(tag + flac, as: "a.flac").title == "One")
  }

  @Test func `A picture after a flawed block is found`() throws {
    let blocks = [Self.block(0, Self.streamInfo), Self.block(2, []), Self.block(6, Self.picture)]
    let path = try directory.write(Self.flac(blocks), to: "a.flac")
    #expect(EmbeddedPicture(of: path, limit: 100)?.bytes == Array("picture".utf8))
  }
}

/// Reading the tags of damaged files is safe. `SEGUE_FUZZ_CASES` and `SEGUE_FUZZ_SEED` set how many, and which.
@Suite struct TagFuzzTests {
  private static let sources: [(String, [UInt8])] = [
    ("a.flac", SoundBytes.flac([("TITLE", "T"), ("ARTIST", "A"), ("TRACKNUMBER", "3/4")])),
    ("a.mp3", SoundBytes.mp3([("TIT2", [0x54]), ("TPE1", [0x41]), ("TRCK", [0x33])])),
    ("b.mp3", SoundBytes.mp3() + SoundBytes.ape([("Title", "T"), ("REPLAYGAIN_TRACK_GAIN", "-3 dB")])),
    ("a.wav", SoundBytes.wav(info: [("INAM", [0x54])])),
    ("a.aiff", SoundBytes.aiff(name: [0x54], author: [0x41])),
  ]

  @Test func `Thousands of damaged files do no harm`() throws {
    let directory = try TemporaryDirectory()
    let broken = [
      "chained.ogg", "tags-hostile.flac", "tags-hostile.mp3", "alac.m4a", "wavpack.wv", "huge-promise.w64",
      "truncated.ogg",
    ]
    let files = try broken.map { ($0, try contents(of: Fixture.broken($0))) }
    let sources = Self.sources + files
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 1000)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = sources[Int(seed % UInt64(sources.count))]
      let other = sources[mutator.number(0...(sources.count - 1))].1
      let damaged = mutator.damaged(bytes, other: other)
      guard let path = try? directory.write(damaged, to: name) else { return "cannot be written" }
      guard let track = try? TagReader().track(at: path) else { return nil }
      return track.title.isEmpty ? "\(name): no title" : nil
    }
    #expect(failure == nil)
  }
}
