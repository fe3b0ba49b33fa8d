// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SndfileDecoding

@Suite struct BufferedFileTests {
  @Test func `reads in any order return the contents of the file`() throws {
    let path = Fixture.music("The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac")
    let bytes = try contents(of: path)
    let file = BufferedFile(try RegularFile(path))
    #expect(file.length == Int64(bytes.count))
    var random = SeededGenerator(seed: 3)
    var offset = 0
    for _ in 0..<2_000 {
      // The reads are mostly sequential, up to the end and beyond it.
      if Int.random(in: 0..<8, using: &random) == 0 {
        offset = Int.random(in: 0..<(bytes.count + 100), using: &random)
      }
      let count = Int.random(in: 1...100_000, using: &random)
      var buffer = [UInt8](repeating: 0, count: count)
      let filled = buffer.withUnsafeMutableBytes { file.fill($0, at: Int64(offset)) }
      #expect(Array(buffer.prefix(filled)) == Array(bytes.dropFirst(offset).prefix(count)))
      offset += filled
    }
    #expect(file.failure == nil)
  }

  @Test(arguments: [Int64.max, Int64.max - 1, Int64.max / 2, 1 << 40] as [Int64])
  func `there is nothing far beyond the end`(offset: Int64) throws {
    let file = BufferedFile(try RegularFile(Fixture.broken("loud.wav")))
    var buffer = [UInt8](repeating: 0, count: 100)
    #expect(buffer.withUnsafeMutableBytes { file.fill($0, at: offset - 100) } == 0)
    #expect(file.failure == nil)
  }

  @Test(arguments: [[40, 200_000], [60_000, 60_000], [200_000, 40, 200_000]])
  func `an MP3 after several ID3v2 tags is complete and seekable`(sizes: [Int]) throws {
    let plain = Fixture.music("Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3")
    let tags = sizes.flatMap { SoundBytes.id3([("TIT2", [UInt8](repeating: 0x20, count: $0))]) }
    let directory = try TemporaryDirectory()
    let file = try RegularFile(plain)
    var bytes = ByteWindow(file.descriptor)
    let sound = try contents(of: plain).dropFirst(Int(LeadingTags(&bytes, size: file.size).end))
    let decoder = try SndfileDecoder(path: try directory.write(tags + sound, to: "tagged.mp3"))
    let reference = try SndfileDecoder(path: plain)
    let channels = reference.format.channels
    for frame: Int64 in [0, 100_000, 100] {
      try decoder.seek(toFrame: frame)
      try reference.seek(toFrame: frame)
      let (decoded, expected) = (try Decoded.rest(of: decoder), try Decoded.rest(of: reference))
      #expect(!expected.isEmpty)
      #expect(PCM.firstDifference(decoded, expected, channels: channels) == nil)
    }
    #expect(decoder.failure == nil)
  }

  @Test(arguments: [0x10, 0x00] as [UInt8], [0x00, 0x80] as [UInt8])
  func `a WAV after an invalid ID3v2 tag is complete`(flags: UInt8, high: UInt8) throws {
    let wav = try contents(of: Fixture.broken("loud.wav"))
    let tag = "ID3".utf8 + [3, 0, flags, high, high, high, 100 | high] + [UInt8](repeating: 0, count: 100)
    let directory = try TemporaryDirectory()
    let decoded = try Decoded.all(try directory.write(tag + wav, to: "tagged.wav"))
    let expected = try Decoded.all(Fixture.broken("loud.wav"))
    #expect(!expected.isEmpty)
    #expect(PCM.firstDifference(decoded, expected, channels: 1) == nil)
  }

  @Test(arguments: ["flac", "mp3"])
  func `a file that grows after opening is read to its present end`(
    format: String
  ) throws {
    let whole =
      format == "flac"
      ? Fixture.music("The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac")
      : Fixture.music("Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3")
    let bytes = try contents(of: whole)
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes.prefix(bytes.count / 2), to: "a")
    let decoder = try SndfileDecoder(path: path)
    let file = try FileDescriptor.open(path, .writeOnly, options: .append)
    try file.closeAfter { _ = try file.writeAll(bytes.dropFirst(bytes.count / 2)) }
    let expected = try Decoded.all(whole)
    #expect(
      PCM.firstDifference(try Decoded.rest(of: decoder), expected, channels: decoder.format.channels) == nil)
    #expect(decoder.failure == nil)
  }
}

/// An open file stays readable, even if it is renamed or removed.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc"))
struct MovedFileTests {
  /// A change of the directory entry.
  enum Change: CaseIterable { case renamed, removed, replaced }

  /// A FLAC and a WAV, an MP3 that is patched, and an Ogg file in which every seek reads from the beginning.
  @Test(
    arguments: ["tags-hostile.flac", "truncated.wav", "vbr-no-xing.mp3", "junk-tail.ogg"], Change.allCases)
  func `seeking in a renamed, removed or replaced file works as in an unchanged one`(
    name: String, change: Change
  ) throws {
    let original = Fixture.broken(name)
    let directory = try TemporaryDirectory()
    let path = try directory.write(contents(of: original), to: "a")
    let decoder = try SndfileDecoder(path: path)
    let reference = try SndfileDecoder(path: original)
    #expect(Self.read(1000, of: decoder) == Self.read(1000, of: reference))
    switch change {
    case .renamed: try path.rename(to: directory.file("b"))
    case .removed: try path.delete()
    case .replaced:
      try path.delete()
      try directory.write(contents(of: Fixture.broken("loud.wav")), to: "a")
    }
    for frame: Int64 in [3000, 0, 12_000] {
      try decoder.seek(toFrame: frame)
      try reference.seek(toFrame: frame)
      #expect(Self.read(1000, of: decoder) == Self.read(1000, of: reference))
    }
    // After the end, seeking back opens the file once more.
    for frame: Int64 in [500, 7000, 0] {
      _ = try Decoded.rest(of: decoder)
      _ = try Decoded.rest(of: reference)
      try decoder.seek(toFrame: frame)
      try reference.seek(toFrame: frame)
      let decoded = try Decoded.rest(of: decoder)
      #expect(decoded.count > 5000)
      #expect(
        PCM.firstDifference(decoded, try Decoded.rest(of: reference), channels: reference.format.channels) == nil)
    }
    #expect(decoder.failure == nil)
  }

  private static func read(_ frames: Int, of decoder: SndfileDecoder) -> [Float] {
    var buffer = [Float](repeating: 0, count: frames * decoder.format.channels)
    let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
    return Array(buffer.prefix(max(0, count) * decoder.format.channels))
  }
}
