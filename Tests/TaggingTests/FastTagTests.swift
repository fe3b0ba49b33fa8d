// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// Compares the tags that are read without TagLib with those that TagLib reads. `SEGUE_FUZZ_CASES` and
/// `SEGUE_FUZZ_SEED` set how many damaged files are compared, and which.
@Suite struct FastTagTests {
  private static let suffixes = ["flac", "mp3", "ogg", "opus", "wav"]

  /// Returns a description of the difference, or `nil` if there is none.
  private static func difference(_ path: FilePath) -> String? {
    let (ours, theirs) = (TagContents(path), TagContents(path, byTagLibAlone: true))
    return ours == theirs ? nil : "\(String(describing: ours))\n--- but TagLib:\n\(String(describing: theirs))"
  }

  private static func files(below directory: FilePath) throws -> [FilePath] {
    let names = try #require(FileManager.default.enumerator(atPath: directory.string))
    return names.compactMap { ($0 as? String).map { directory.pushing(FilePath($0)) } }
      .filter { suffixes.contains($0.extension ?? "") }
  }

  /// Returns an ID3v2.3 tag of these frames, in UTF-16.
  private static func id3(_ frames: [(name: String, text: String)]) -> [UInt8] {
    let body = frames.flatMap { name, text in
      let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      return Array(name.utf8) + [0, 0, 0, UInt8(units.count + 3), 0, 0, 1, 0xFF, 0xFE] + units
    }
    return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)] + body
  }

  /// Returns this tag, followed by the audio frames of a fixture.
  private static func mp3(_ tag: [UInt8]) throws -> [UInt8] {
    let path = try #require(try files(below: Fixture.music("")).first { $0.extension == "mp3" })
    let bytes = try contents(of: path)
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    return tag + bytes.dropFirst(10 + size)
  }

  @Test func `The rating of a program is read without TagLib`() throws {
    let directory = try TemporaryDirectory()
    let frames: [(String, [UInt8])] = [
      ("TIT2", [3] + Array("T".utf8)), ("POPM", Array("a@b".utf8) + [0, 196]), ("POPM", [0, 7, 0]),
    ]
    let path = try directory.write(try Self.mp3(TagRatingTests.tag(frames)), to: "a.mp3")
    guard var file = TagFile(path) else { throw UnusualFileError() }
    let names = try FastTags(of: &file, at: path).values.map(\.name)
    #expect(names == ["TITLE", "POPM"])
    #expect(TagContents(path)?.fields.rating == 8 && Self.difference(path) == nil)
  }

  @Test func `Fixtures give the same tags as TagLib alone`() throws {
    let files = try Self.files(below: Fixture.directory)
    #expect(Set(files.compactMap(\.extension)) == Set(Self.suffixes))
    for path in files { #expect(Self.difference(path) == nil, "\(path)") }
  }

  @Test func `Text in every encoding gives the same tags as TagLib alone`() throws {
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

  @Test func `Reserved blocks, and comments that do not fill their block, are left to TagLib`() throws {
    let directory = try TemporaryDirectory()
    let ordinary = SoundBytes.flac([("TITLE", "T")]) + [0xFF, 0xF8]
    // The comments are the second block, at offset 42.
    let reserved = ordinary[..<42] + [7, 0, 0, 1, 0] + ordinary[42...]
    var padded = ordinary[..<(ordinary.count - 2)] + [0, 0, 0, 0] + ordinary.suffix(2)
    padded[45] += 4
    for (name, bytes, isFast) in [
      ("a.flac", ordinary, true), ("b.flac", Array(reserved), false), ("c.flac", Array(padded), false),
    ] {
      let path = try directory.write(bytes, to: name)
      var hasTags = false
      if var file = TagFile(path) { hasTags = (try? FastTags(of: &file, at: path)) != nil }
      #expect(hasTags == isFast, "\(name)")
      #expect(Self.difference(path) == nil, "\(name)")
    }
  }

  @Test(arguments: [0, 1, 3] as [UInt32])
  func `A FLAC length is a guess if it is too small for the file, with TagLib or without`(seconds: UInt32) throws {
    let directory = try TemporaryDirectory()
    let audio = [0xFF, 0xF8] + [UInt8](repeating: 0, count: 400_000)
    let path = try directory.write(SoundBytes.flac([("TITLE", "T")], seconds: seconds) + audio, to: "a.flac")
    #expect(TagContents(path)?.isLengthGuessed == (seconds == 1))
    #expect(Self.difference(path) == nil)
  }

  @Test func `A length is recognised as a guess, also after a tag that is repaired`() throws {
    let directory = try TemporaryDirectory()
    let frames =
      Array("TALB".utf8) + [0, 0, 0, 0, 0, 0] + Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 0] + Array("T".utf8)
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
    let first: [UInt8] = [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 413)
    let other: [UInt8] = [0xFF, 0xFB, 0x50, 0] + [UInt8](repeating: 0, count: 204)
    let audio = first + first + first + [[UInt8]](repeating: other, count: 200).joined()
    for (name, bytes) in [("a.mp3", audio), ("b.mp3", tag + audio)] {
      #expect(TagContents(try directory.write(bytes, to: name))?.isLengthGuessed == true, "\(name)")
    }
  }

  @Test func `Damaged files give the same tags as TagLib alone`() throws {
    let directory = try TemporaryDirectory()
    let frames = [("TIT2", "Título"), ("TPE1", "東京"), ("TXXX", "Mood\0a")]
    var sources = try Self.files(below: Fixture.music("")).map {
      ("a.\($0.extension ?? "")", try contents(of: $0))
    }
    sources.append(("b.mp3", try Self.mp3(Self.id3(frames))))
    sources.append(("b.flac", SoundBytes.flac([("TITLE", "T"), ("artist", "Ä"), ("TRACKNUMBER", "3/4")])))
    let files = sources
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 500)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = files[Int(seed % UInt64(files.count))]
      let other = files[mutator.number(0...(files.count - 1))].1
      guard let path = try? directory.write(mutator.damaged(bytes, other: other), to: name) else {
        return "cannot be written"
      }
      return Self.difference(path)
    }
    #expect(failure == nil)
  }
}

@Suite struct LoudnessTagTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func gain(_ bytes: [UInt8], _ name: String) throws -> ReplayGainTags {
    try TagReader().track(at: directory.write(bytes, to: name)).replayGain
  }

  @Test(
    arguments: [
      ("0", 5), ("-1280", 0), ("256", 6), ("-2560", -5), ("-32768", nil), ("32767", nil), ("11776", 51),
      ("1.5", nil),
      ("", nil), ("99999", nil), ("-1280 dB", nil), ("+256", 6),
    ] as [(String, Double?)])
  func `R128 gains are in 256ths of a decibel, and their reference is 5 dB below ReplayGain's`(
    text: String, expected: Double?
  ) throws {
    let tags = try gain(
      SoundBytes.flac([("R128_TRACK_GAIN", text), ("r128_album_gain", text)]), "a.flac")
    #expect(tags == ReplayGainTags(trackGain: expected, albumGain: expected))
  }

  @Test func `R128 gains take precedence over ReplayGain's`() throws {
    let tags = try gain(
      SoundBytes.flac([
        ("REPLAYGAIN_TRACK_GAIN", "-3 dB"), ("R128_TRACK_GAIN", "-2560"), ("REPLAYGAIN_ALBUM_GAIN", "-4 dB"),
        ("REPLAYGAIN_TRACK_PEAK", "0.5"),
      ]), "a.flac")
    #expect(tags == ReplayGainTags(trackGain: -5, trackPeak: 0.5, albumGain: -4))
  }

  @Test func `Names in lower case are recognised, in comments, ID3 and APE`() throws {
    let expected = ReplayGainTags(trackGain: -3.5, trackPeak: 0.75)
    let comments = [("replaygain_track_gain", "-3.50 dB"), ("replaygain_track_peak", "0.75")]
    #expect(try gain(SoundBytes.flac(comments), "a.flac") == expected)
    let texts = comments.map { ("TXXX", Array("\($0.0)\0\($0.1)".utf8)) }
    #expect(try gain(SoundBytes.mp3(texts), "a.mp3") == expected)
    #expect(try gain(SoundBytes.mp3() + SoundBytes.ape(comments), "b.mp3") == expected)
  }

  @Test func `RVA2 frames are used if there are no ReplayGain tags`() throws {
    let track = rva2("track", gain: -3.5, peak: [16, 0x40, 0x00])
    let album = rva2("Album", gain: 2.25, peak: [0])
    let other = rva2("loud", gain: 20, peak: [])
    #expect(
      try gain(id3(other + track + album) + SoundBytes.mp3(), "a.mp3")
        == ReplayGainTags(trackGain: -3.5, trackPeak: 0.5, albumGain: 2.25))
    let withAPE = SoundBytes.mp3() + SoundBytes.ape([("REPLAYGAIN_TRACK_GAIN", "-1 dB")])
    #expect(try gain(id3(track + album) + withAPE, "b.mp3").trackGain == -1)
    #expect(
      try gain(id3(rva2("track", gain: -3.5, peak: [64, 1])) + SoundBytes.mp3(), "c.mp3").trackPeak == nil)
  }

  /// Returns an RVA2 frame: identification, channel 1 (master volume), gain in 1/512 dB, bits of the peak, peak.
  private func rva2(_ name: String, gain: Double, peak: [UInt8]) -> [UInt8] {
    let value = UInt16(bitPattern: Int16(gain * 512))
    let body =
      Array(name.utf8) + [0, 1, UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] + peak
    return Array("RVA2".utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
  }

  private func id3(_ frames: [UInt8]) -> [UInt8] {
    Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
  }
}

struct TagFieldTests {
  @Test func `A field is found by its exact name only`() {
    for field in TagField.allCases {
      // The Kelvin sign is canonically equivalent to the letter K.
      let other = field.name.replacingOccurrences(of: "K", with: "\u{212A}")
      for (name, expected) in [
        (field.name, field), (field.name + "X", nil), (field.name.lowercased(), nil),
        (other, field.name.contains("K") ? nil : field),
      ] {
        #expect(TagField(name: name) == expected)
      }
    }
    #expect(TagField(name: "") == nil)
  }

  @Test func `A decimal that the fast path parses is the nearest number`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let integerDigits = String(
        UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 1...45, using: &generator), using: &generator))
      let fractionDigits = String(
        UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 1...45, using: &generator), using: &generator))
      let text = (Bool.random(using: &generator) ? "-" : "") + integerDigits + "." + fractionDigits
      if let value = (text + " dB").plainDecimal { #expect(value == Double(text), "\(text)") }
    }
  }

  @Test(arguments: [
    ("-7.32 dB", -7.32), ("+1.5", 1.5), ("0.988553", 0.988553), ("5", 5), ("-0.00 dB", 0), (" 5", nil),
    ("", nil),
    ("1e3", nil), ("1,5", nil), (".5", nil), ("5.", nil), ("--5", nil), ("1.2.3", nil),
    ("1234567890123456", nil),
  ]) func `The fast path parses plain decimals, and leaves others alone`(text: String, value: Double?) {
    #expect(text.plainDecimal == value)
  }
}
