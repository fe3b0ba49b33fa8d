// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// What identifies a sound: the same whatever is tagged, and different for another sound.
struct SoundFingerprintTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func fingerprint(_ bytes: [UInt8], _ suffix: String) throws -> SoundFingerprint? {
    try directory.write(bytes, to: "file.\(suffix)")
    guard var file = TagFile(directory["file.\(suffix)"]) else { throw Errno.ioError }
    return SoundFingerprint(of: &file)
  }

  /// Checks that files with the same sound have the same fingerprint, and that each of `others` has one of its own.
  private func check(
    _ same: [[UInt8]], others: [[UInt8]], _ suffix: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try same.map { try fingerprint($0, suffix) }
    #expect(found.allSatisfy { $0 != nil && $0 == found[0] }, "\(found)", sourceLocation: location)
    let all = try Set(([same[0]] + others).map { try fingerprint($0, suffix) })
    #expect(all.count == others.count + 1 && !all.contains(nil), "\(all)", sourceLocation: location)
  }

  /// Returns `count` bytes that depend on `seed`.
  private func noise(_ count: Int, _ seed: UInt8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) &+ seed &* 37 }
  }

  private func flac(_ tags: [(String, String)], sum: UInt8) -> [UInt8] {
    var bytes = SoundBytes.flac(tags)
    bytes.replaceSubrange(26..<42, with: [UInt8](repeating: sum, count: 16))
    return bytes + noise(100, 1)
  }

  @Test func `The MD5 of a FLAC file, or else its frames`() throws {
    let long = [("TITLE", String(repeating: "x", count: 20_000))]
    try check(
      [flac([], sum: 1), flac(long, sum: 1), SoundBytes.id3([("TIT2", Array("x".utf8))]) + flac([], sum: 1)],
      others: [flac([], sum: 2)], "flac")
    let plain = { (tags: [(String, String)], seed: UInt8) in SoundBytes.flac(tags) + noise(9_000, seed) }
    try check([plain([], 1), plain(long, 1)], others: [plain([], 2), plain([], 1) + [0]], "flac")
  }

  @Test func `The frames of an MP3 file, whatever tags are around them`() throws {
    let frame = { (seed: UInt8) in [0xFF, 0xFB, 0x90, 0x00] + noise(413, seed) }
    let sound = { (seeds: [UInt8]) in seeds.flatMap(frame) }
    let id3 = SoundBytes.id3([("TIT2", Array(String(repeating: "x", count: 9_000).utf8))])
    let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    let one = sound([1, 2, 3, 4])
    try check(
      [
        one, id3 + one, id3 + [UInt8](repeating: 0, count: 3_000) + one, one + id3v1,
        one + SoundBytes.ape([("A", "B")]),
        id3 + one + SoundBytes.ape([("A", "B")]) + id3v1,
      ],
      others: [sound([1, 2, 3]), sound([2, 2, 3, 4]), sound([1, 2, 3, 4, 5])], "mp3")
  }

  @Test func `The data of WAV and AIFF files`() throws {
    let info = SoundBytes.wav(info: [("INAM", Array("Title".utf8))])
    var other = info
    other[other.count - 8_000] ^= 1
    try check([SoundBytes.wav(), info], others: [Array(SoundBytes.wav().dropLast(2))], "wav")
    try check(
      [SoundBytes.aiff(name: [], author: []), SoundBytes.aiff(name: Array("Name".utf8), author: [0x41])], others: [],
      "aiff")
  }

  @Test func `The media data of MP4 files, wherever it is`() throws {
    func atom(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      let size = UInt32(contents.count + 8)
      return withUnsafeBytes(of: size.bigEndian) { Array($0) } + Array(name.utf8) + contents
    }
    let start = atom("ftyp", Array("M4A \0\0\0\0".utf8))
    let data = { (seed: UInt8) in atom("mdat", noise(5_000, seed)) }
    let movie = { (count: Int) in atom("moov", noise(count, 9)) }
    try check(
      [start + movie(100) + data(1), start + movie(40_000) + data(1), start + data(1) + movie(100)],
      others: [start + movie(100) + data(2), start + movie(100) + data(1) + data(1)], "m4a")
  }

  @Test func `The packets of Ogg files, whatever the numbers of their pages are`() throws {
    func page(_ sequence: UInt8, position: UInt8, _ contents: [UInt8], isLast: Bool = false) -> [UInt8] {
      var segments = [UInt8](repeating: 255, count: contents.count / 255)
      segments.append(UInt8(contents.count % 255))
      var page = Array("OggS".utf8)
      page += [0, isLast ? 4 : 0] as [UInt8]
      page += [position, 0, 0, 0, 0, 0, 0, 0] as [UInt8]
      page += [7, 0, 0, 0, sequence, 0, 0, 0] as [UInt8]
      page += noise(4, sequence)
      page.append(UInt8(segments.count))
      page += segments
      return page + contents
    }
    func file(_ commentCount: UInt8, _ seed: UInt8) -> [UInt8] {
      var file = page(0, position: 0, noise(30, 3))
      for index in 0..<commentCount { file += page(index + 1, position: 0, noise(3_000, 9)) }
      for index in UInt8(0)..<20 {
        let contents = noise(3_000, seed &+ index)
        file += page(commentCount + 1 + index, position: index + 1, contents, isLast: index == 19)
      }
      return file
    }
    try check([file(1, 1), file(2, 1), file(40, 1)], others: [file(1, 2), file(40, 3)], "ogg")
  }

  /// Returns an element of a Matroska file, with a size of four bytes, or one of unknown size.
  private func element(_ id: [UInt8], _ contents: [UInt8], hasSize: Bool = true) -> [UInt8] {
    let size = UInt32(contents.count) | 0x1000_0000
    return id + (hasSize ? withUnsafeBytes(of: size.bigEndian) { Array($0) } : [0xFF]) + contents
  }

  /// Returns a Matroska file with a track of pictures and one of sound.
  private func matroska(
    _ seed: UInt8, tagCount: Int = 0, duration: [UInt8]? = [0x40, 0x59, 0, 0, 0, 0, 0, 0], blockCount: Int = 100,
    clusterSize: Int = 10, isLive: Bool = false
  ) -> [UInt8] {
    let tags = tagCount == 0 ? [] : element([0x12, 0x54, 0xC3, 0x67], noise(tagCount, 9))
    let track = { (number: UInt8, type: UInt8) in
      element([0xAE], element([0xD7], [number]) + element([0x83], [type]) + element([0xE1], [0]))
    }
    var segment = element([0x15, 0x49, 0xA9, 0x66], duration.map { element([0x44, 0x89], $0) } ?? [])
    segment += tags + element([0x16, 0x54, 0xAE, 0x6B], track(1, 1) + track(2, 2))
    for start in stride(from: 0, to: blockCount, by: clusterSize) {
      var cluster = element([0xE7], [UInt8(truncatingIfNeeded: start)])
      for index in start..<min(start + clusterSize, blockCount) {
        cluster += element([0xA3], [0x81, 0, 0, 0] + noise(50, 200))
        let block = [0x82, 0, UInt8(truncatingIfNeeded: index), 0] + noise(1_500, seed &+ UInt8(index))
        cluster += index % 2 == 0 ? element([0xA3], block) : element([0xA0], element([0xA1], block))
      }
      segment += element([0x1F, 0x43, 0xB6, 0x75], cluster, hasSize: !isLive)
    }
    return element([0x1A, 0x45, 0xDF, 0xA3], [0x42, 0x86, 0x81, 1])
      + element([0x18, 0x53, 0x80, 0x67], segment + tags, hasSize: !isLive)
  }

  @Test func `The blocks of sound in Matroska files, whatever clusters they are in`() throws {
    let other: [UInt8] = [0x40, 0x59, 0, 0, 0, 0, 0, 1]
    try check(
      [
        matroska(1), matroska(1, tagCount: 20_000), matroska(1, clusterSize: 7), matroska(1, isLive: true),
        Array(matroska(1).dropLast(100)),
      ],
      others: [
        matroska(2), matroska(1, duration: other), matroska(1, duration: nil, blockCount: 5),
        matroska(1, blockCount: 5),
      ],
      "mka")
    // What is longer, and says not how long, may be another recording that begins in the same way.
    #expect(try fingerprint(matroska(1, duration: nil), "webm") == nil)
  }

  @Test func `The sound of a DFF file, whatever chunks are around it`() throws {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      let size = withUnsafeBytes(of: UInt64(contents.count).bigEndian) { Array($0) }
      return Array(name.utf8) + size + contents + (contents.count % 2 == 0 ? [] : [0])
    }
    func file(_ name: String, _ sound: [UInt8], before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
      chunk("FRM8", Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + before + chunk(name, sound) + after)
    }
    let sound = noise(9_001, 1)
    try check(
      [
        file("DSD ", sound), file("DSD ", sound, after: chunk("ID3 ", noise(5_000, 4))),
        file("DSD ", sound, before: chunk("COMT", noise(5_001, 4))),
      ],
      others: [file("DSD ", noise(9_001, 2)), file("DSD ", sound + [0, 0]), file("DST ", noise(300, 1))], "dff")
  }

  @Test func `Nothing is said of files whose sound cannot be found, and no input is a trap`() throws {
    #expect(try fingerprint(Array("<html>".utf8), "mp3") == nil)
    #expect(try fingerprint([0x1A, 0x45, 0xDF, 0xA3] + noise(100, 1), "mka") == nil)
    let samples: [[UInt8]] = [
      flac([], sum: 0), SoundBytes.mp3(), SoundBytes.wav(),
      Array("RF64\0\0\0\0WAVEdata".utf8) + [255, 255, 255, 255, 1],
      [0, 0, 0, 1] + Array("ftyp".utf8) + [UInt8](repeating: 255, count: 40),
      Array("DSD ".utf8) + [UInt8](repeating: 255, count: 60),
      [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + [UInt8](repeating: 255, count: 60),
      Array("FRM8\0\0\0\0\0\0\0\0DSD PROP".utf8) + [UInt8](repeating: 255, count: 60),
      Array("FRM8\0\0\0\0\0\0\0\0DSD DSD ".utf8) + [UInt8](repeating: 255, count: 60),
      matroska(1, blockCount: 2), [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 255, count: 60),
      Array("wvpk".utf8) + noise(20, 1), SoundBytes.ape([("A", "B")]) + SoundBytes.ape([("A", "B")]),
    ]
    for sample in samples {
      for length in 0...min(sample.count, 200) { _ = try? fingerprint(Array(sample.prefix(length)), "bin") }
      for index in 0..<min(sample.count, 60) {
        var damaged = sample
        damaged[index] ^= 0xFF
        _ = try fingerprint(damaged, "bin")
      }
    }
  }
}
