// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// MP3 files as found in practice: with other data before the audio, cut, joined, or damaged.
  @Suite struct MPEGStartTests {
    private func encoded(
      _ options: [String], frames: Int = 60_000, rate: Int = 44_100, channels: Int = 2,
      in directory: TemporaryDirectory
    ) throws -> [UInt8] {
      let original = try Reference.tone(frames, rate: rate, channels: channels, in: directory)
      let path = directory.file("encoded.mp3")
      try Tool.run("lame", ["--quiet"] + options + [original.string, path.string])
      return try contents(of: path)
    }

    private static let tag = SoundBytes.id3([("TIT2", [UInt8](repeating: 0x20, count: 3000))])

    /// Returns a tag whose stated length is too great by this many bytes, or too small if the number is negative.
    private static func tag(excessLength count: Int) -> [UInt8] {
      var tag = tag
      let size = tag.count - 10 + count
      tag.replaceSubrange(6..<10, with: [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0) & 0x7F })
      return tag
    }

    /// A tag with a footer.
    private static var tagWithFooter: [UInt8] {
      var tag = tag
      tag[5] |= 0x10
      return tag + Array("3DI".utf8) + tag[3..<10]
    }

    /// A tag that claims to have a footer, but has none.
    private static var tagWithMissingFooter: [UInt8] {
      var tag = tag
      tag[5] |= 0x10
      return tag
    }

    /// An APEv2 tag with a header. Such a tag belongs after the audio.
    private static var ape: [UInt8] {
      let tag = SoundBytes.ape([("Title", "T"), ("Artist", "A")])
      var header = Array(tag.suffix(32))
      header[23] = 0xA0
      return header + tag
    }

    private static let noise: [UInt8] = {
      var random = SeededGenerator(seed: 20)
      return random.bytes(5000)
    }()

    /// Data that may precede the audio, with descriptions.
    private static let prefixes: [(String, [UInt8])] = [
      ("a zero byte", [0]), ("a zero byte behind a tag", tag + [0]), ("a line end", [13, 10]),
      ("the mark of UTF-8", [0xEF, 0xBB, 0xBF]), ("the mark of UTF-16", [0xFF, 0xFE]),
      ("noise", noise), ("noise behind a tag", tag + noise), ("a tag that says too little", tag(excessLength: -1000)),
      ("a tag that says too much", tag(excessLength: 1000)),
      ("a tag that says by far too much", tag(excessLength: 1 << 27)),
      ("a footer", tagWithFooter), ("a footer that is not there", tagWithMissingFooter),
      ("two tags with zeros between them", tag + [UInt8](repeating: 0, count: 2000) + tag),
      ("ID3v1", Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)), ("APEv2", ape),
      ("APEv2 and ID3v2", ape + tag),
      ("zeros", [UInt8](repeating: 0, count: 100_000)),
      ("a web page", Array("<html>".utf8) + [UInt8](repeating: 0x20, count: 2000)),
      ("a web page behind a tag", tag + Array("<html>".utf8) + [UInt8](repeating: 0x20, count: 2000)),
      ("a playlist", Array("#EXTM3U\n".utf8) + [UInt8](repeating: 0x41, count: 2000)),
      ("a picture", [0x89, 0x50, 0x4E, 0x47] + noise),
    ]

    @Test(arguments: [["-b", "128"], ["-V", "4"], ["-t", "-b", "128"], ["-t", "-V", "4"]])
    func `an MP3 is complete whatever precedes it`(options: [String]) throws {
      let directory = try TemporaryDirectory()
      let bytes = try encoded(options, in: directory)
      let expected = try Decoded.all(directory.write(bytes, to: "plain.mp3"))
      #expect(
        PCM.firstDifference(
          expected, try Reference.mpg123(directory.file("plain.mp3")), channels: 2, tolerance: 0.0001) == nil)
      for (name, prefix) in Self.prefixes {
        let path = try directory.write(prefix + bytes, to: "a.mp3")
        let decoder = try SndfileDecoder(path: path)
        #expect(decoder.frameCount == Int64(expected.count / 2), "\(name)")
        #expect(PCM.firstDifference(try Decoded.rest(of: decoder), expected, channels: 2) == nil, "\(name)")
        #expect(decoder.failure == nil, "\(name)")
        try decoder.seek(toFrame: 30_000)
        let rest = try Decoded.rest(of: decoder)
        #expect(
          PCM.firstDifference(rest, Array(expected[60_000...]), channels: 2, tolerance: 0.0001) == nil, "\(name)")
      }
    }

    @Test func `a stream that begins in the middle of a frame decodes as with mpg123`() throws {
      let directory = try TemporaryDirectory()
      let bytes = try encoded(["-t", "-b", "128"], in: directory)
      let path = try directory.write(Array(bytes[5000...]), to: "a.mp3")
      let expected = try Reference.mpg123(path)
      #expect(expected.count > 80_000)
      #expect(PCM.firstDifference(try Decoded.all(path), expected, channels: 2) == nil)
    }

    /// The second file may be as short as a tag.
    @Test(arguments: [["-V", "2"], ["-b", "128"]], [20_000, 300_000])
    func `joined files are played to their end`(options: [String], frames: Int) throws {
      let directory = try TemporaryDirectory()
      let bytes = try encoded(options, frames: frames, in: directory)
      for middle in [[], Self.tag] {
        let path = try directory.write(bytes + middle + bytes, to: "a.mp3")
        let decoder = try SndfileDecoder(path: path)
        let decoded = try Decoded.rest(of: decoder)
        #expect(decoded.count > 2 * 2 * frames)
        #expect(decoder.frameCount == Int64(decoded.count / 2))
        #expect(PCM.firstDifference(decoded, try Reference.mpg123(path), channels: 2) == nil)
        #expect(decoder.failure == nil)
      }
    }

    @Test func `a stream that changes from stereo to mono, or back, is played to its end`() throws {
      let directory = try TemporaryDirectory()
      let stereo = try encoded(["-t", "-V", "4"], in: directory)
      let mono = try encoded(["-t", "-V", "4"], channels: 1, in: directory)
      let path = try directory.write(stereo + mono, to: "a.mp3")
      let decoder = try SndfileDecoder(path: path)
      let decoded = try Decoded.rest(of: decoder)
      #expect(PCM.firstDifference(decoded, try Reference.mpg123(path, ["--stereo"]), channels: 2) == nil)
      #expect(decoder.failure == nil)
      let other = try SndfileDecoder(path: directory.write(mono + stereo, to: "b.mp3"))
      #expect(other.format.channels == 1)
      #expect(try Decoded.rest(of: other).count == decoded.count / 2)
      #expect(other.failure == nil)
    }

    @Test func `a stream that changes its rate is converted, and reports that`() throws {
      let directory = try TemporaryDirectory()
      let first = try encoded(["-t", "-V", "4"], frames: 88_200, in: directory)
      let second = try encoded(["-t", "-V", "4"], frames: 96_000, rate: 48_000, in: directory)
      let decoder = try SndfileDecoder(path: directory.write(first + second, to: "a.mp3"))
      let decoded = try Decoded.rest(of: decoder).count / 2
      #expect(abs(decoded - 2 * 88_200) < 5_000)
      #expect(
        decoder.failure?.reason == "changes to 48000 Hz at 0:02; the rest was converted to 44100 Hz")
    }

    @Test func `bytes inserted into a stream cost no frame, and are reported`() throws {
      let directory = try TemporaryDirectory()
      var bytes = try encoded(["-t", "-b", "128"], frames: 200_000, in: directory)
      let plain = try Decoded.all(directory.write(bytes, to: "plain.mp3"))
      bytes.insert(contentsOf: Self.noise.prefix(700), at: 20_000)
      let path = try directory.write(bytes, to: "a.mp3")
      let decoder = try SndfileDecoder(path: path)
      let decoded = try Decoded.rest(of: decoder)
      #expect(decoded.count == plain.count)
      // The frame that contains them, and some later ones that take bits from it, are damaged.
      let (start, end) = (2 * 47 * 1152, 2 * 53 * 1152)
      #expect(PCM.firstDifference(Array(decoded[..<start]), Array(plain[..<start]), channels: 2) == nil)
      #expect(PCM.firstDifference(Array(decoded[end...]), Array(plain[end...]), channels: 2) == nil)
      #expect(decoder.failure?.reason == "is damaged at 0:01: 700 bytes that are not audio were skipped")
    }

    /// Streams of constant and of variable rate that state their length, and one that does not.
    private static let streams = [["-b", "128"], ["-V", "2"], ["-t", "-b", "128"]]

    @Test(arguments: streams)
    func `silence replaces lost frames, and the rest keeps its position`(
      options: [String]
    ) throws {
      let directory = try TemporaryDirectory()
      var bytes = try encoded(options, frames: 200_000, in: directory)
      let plain = try Decoded.all(directory.write(bytes, to: "plain.mp3"))
      bytes.replaceSubrange(20_000..<23_000, with: Self.noise.prefix(3_000))
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "a.mp3"))
      let decoded = try Decoded.rest(of: decoder)
      #expect(decoded.count == plain.count)
      #expect(
        PCM.firstDifference(Array(decoded.prefix(2 * 30_000)), Array(plain.prefix(2 * 30_000)), channels: 2) == nil)
      let end = 2 * 120_000
      #expect(PCM.firstDifference(Array(decoded[end...]), Array(plain[end...]), channels: 2) == nil)
      #expect(decoder.failure?.reason.hasSuffix(": the lost part is silent") == true)

      for frame in [120_000, 30_000, 150_000] as [Int64] {
        try decoder.seek(toFrame: frame)
        let rest = try Decoded.rest(of: decoder)
        #expect(
          PCM.firstDifference(rest, Array(decoded[(2 * Int(frame))...]), channels: 2, tolerance: 0.0001) == nil,
          "from \(frame)")
      }
    }

    @Test(arguments: streams)
    func `a seek counts silence that has not been reached yet`(options: [String]) throws {
      let directory = try TemporaryDirectory()
      var bytes = try encoded(options, frames: 400_000, in: directory)
      for offset in [20_000, 60_000] {
        bytes.replaceSubrange(offset..<(offset + 3_000), with: Self.noise.prefix(3_000))
      }
      let path = try directory.write(bytes, to: "a.mp3")
      let decoded = try Decoded.all(path)
      #expect(abs(decoded.count / 2 - 400_000) < 3 * 1152)
      for frame in stride(from: 30_000 as Int64, to: 300_000, by: 4_111) {
        let decoder = try SndfileDecoder(path: path)
        try decoder.seek(toFrame: frame)
        let rest = try Decoded.rest(of: decoder)
        #expect(
          PCM.firstDifference(rest, Array(decoded[(2 * Int(frame))...]), channels: 2, tolerance: 0.0001) == nil,
          "from \(frame)")
      }
    }

    @Test func `the missing end of a cut file adds no silence to a damaged place`() throws {
      let directory = try TemporaryDirectory()
      var bytes = try encoded(["-V", "2"], frames: 400_000, in: directory)
      bytes.removeSubrange((bytes.count / 2)...)
      let plain = try Decoded.all(directory.write(bytes, to: "cut.mp3"))
      bytes.replaceSubrange(20_000..<20_100, with: Self.noise.prefix(100))
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "a.mp3"))
      #expect(abs(try Decoded.rest(of: decoder).count - plain.count) <= 4 * 1152)
      #expect(decoder.failure?.reason.hasSuffix("the file is truncated") == true)
    }

    @Test(arguments: streams.prefix(2))
    func `silence replaces frames whose bytes are missing`(options: [String]) throws {
      let directory = try TemporaryDirectory()
      var bytes = try encoded(options, frames: 200_000, in: directory)
      let plain = try Decoded.all(directory.write(bytes, to: "plain.mp3"))
      bytes.removeSubrange(20_000..<24_000)
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "a.mp3"))
      let decoded = try Decoded.rest(of: decoder)
      #expect(decoded.count == plain.count)
      let end = 2 * 120_000
      #expect(PCM.firstDifference(Array(decoded[end...]), Array(plain[end...]), channels: 2) == nil)
      #expect(decoder.failure?.reason.hasSuffix(": the lost part is silent") == true)
    }

    @Test(arguments: streams)
    func `bytes inserted between frames are not counted as lost frames`(options: [String]) throws {
      let directory = try TemporaryDirectory()
      var bytes = try encoded(options, frames: 200_000, in: directory)
      let plain = try Decoded.all(directory.write(bytes, to: "plain.mp3"))
      bytes.insert(contentsOf: Self.noise.prefix(3_000), at: 20_000)
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "a.mp3"))
      #expect(try Decoded.rest(of: decoder).count == plain.count)
      #expect(decoder.failure?.reason.contains("bytes that are not audio were skipped") == true)
    }

    @Test func `missing bytes are not a change of the rate`() throws {
      let directory = try TemporaryDirectory()
      let whole = try encoded(["-V", "2"], frames: 220_500, in: directory)
      for offset in stride(from: 8_000, to: whole.count - 8_000, by: 307) {
        var bytes = whole
        bytes.replaceSubrange(offset..<(offset + 700), with: repeatElement(0x55, count: offset % 3 * 250))
        let decoder = try SndfileDecoder(path: directory.write(bytes, to: "cut.mp3"))
        _ = try Decoded.rest(of: decoder)
        let reason = decoder.failure?.reason ?? ""
        #expect(!reason.contains("changes to"), "from \(offset): \(reason)")
      }
    }

    @Test func `MPEG layer I is played`() throws {
      let directory = try TemporaryDirectory()
      let frame: [UInt8] = [0xFF, 0xFF, 0xC4, 0x00] + [UInt8](repeating: 0, count: 380)
      let path = try directory.write(Array((0..<100).map { _ in frame }.joined()), to: "a.mp1")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(48_000, channels: 2, nil))
      #expect(try Decoded.rest(of: decoder).count == 2 * 384 * 100)
    }

    @Test(arguments: [1 << 20, 3 << 20])
    func `the search in a file without matching frames is bounded`(size: Int) throws {
      let directory = try TemporaryDirectory()
      var random = SeededGenerator(seed: 21)
      let path = try directory.write([0] + random.bytes(size), to: "a.mp3")
      #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
    }
  }
}
