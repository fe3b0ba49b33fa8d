// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// FLAC files that are damaged, differ from their headers, or are unusual.
  @Suite struct FLACTests {
    private static let frames = 200_000

    /// Returns the encoded samples and the bytes of the file.
    private func encoded(_ options: [String] = [], in directory: TemporaryDirectory) throws -> ([Int32], [UInt8]) {
      let samples = testSignal(Self.frames, channels: 2, .bits16)
      let original = try Reference.tone(Self.frames, in: directory)
      let path = directory.file("encoded")
      try Tool.run("flac", ["--silent", "-f"] + options + ["-o", path.string, original.string])
      return (samples, try contents(of: path))
    }

    /// Returns the samples that are decoded from `bytes`, and the decoder.
    private func decode(_ bytes: [UInt8], in directory: TemporaryDirectory) throws -> ([Int32], SndfileDecoder) {
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "a.flac"))
      return (Decoded.integers(try Decoded.rest(of: decoder), .bits16), decoder)
    }

    /// Returns the offset of each frame in `bytes`.
    private func frameStarts(_ bytes: [UInt8]) -> [Int] {
      // All frames start alike, except for their numbers.
      let start = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xF8 && bytes[$0 + 4] == 0 } ?? 0
      let frameHeader = Array(bytes[start..<(start + 4)])
      return bytes.indices.dropLast(4).filter { bytes[$0] == 0xFF && bytes[$0..<($0 + 4)].elementsEqual(frameHeader) }
    }

    @Test(arguments: [1, 2, 500])
    func `after damage the audio continues at its position, and the damage is reported once`(count: Int) throws {
      let directory = try TemporaryDirectory()
      var (samples, bytes) = try encoded(in: directory)
      let damageStart = frameStarts(bytes)[20] + 1000
      for offset in 0..<count { bytes[damageStart + offset] ^= 0x55 }
      let (decoded, decoder) = try decode(bytes, in: directory)
      #expect(decoder.failure?.reason == "is damaged at 0:01: the lost part is silent")
      #expect(PCM.firstDifference(decoded, try reference(in: directory), channels: 2) == nil)
      // libFLAC also loses the frame after a damaged one.
      let silent = 20 * 8192..<22 * 8192
      samples.replaceSubrange(silent, with: decoded[silent])
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
    }

    @Test func `missing frames, and frames with damaged headers, are silent`() throws {
      let directory = try TemporaryDirectory()
      var (samples, bytes) = try encoded(in: directory)
      let frames = frameStarts(bytes)
      bytes[frames[30] + 2] ^= 0xFF
      bytes.removeSubrange(frames[10]..<frames[13])
      let (decoded, decoder) = try decode(bytes, in: directory)
      #expect(PCM.firstDifference(decoded, try reference(in: directory), channels: 2) == nil)
      for silent in [10 * 8192..<14 * 8192, 30 * 8192..<32 * 8192] {
        samples.replaceSubrange(silent, with: decoded[silent])
      }
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      #expect(decoder.failure?.reason.hasSuffix(": the lost part is silent") == true)
    }

    /// Returns what `flac` itself decodes from a damaged file.
    private func reference(in directory: TemporaryDirectory) throws -> [Int32] {
      let path = directory.file("reference.wav")
      try Tool.run("flac", ["--silent", "-d", "-F", "-f", "-o", path.string, directory.file("a.flac").string])
      return Decoded.integers(try Decoded.all(path), .bits16)
    }

    @Test func `bytes inserted between frames cause no loss`() throws {
      let directory = try TemporaryDirectory()
      var (samples, bytes) = try encoded(in: directory)
      bytes.insert(contentsOf: repeatElement(0x41, count: 700), at: frameStarts(bytes)[15])
      #expect(PCM.firstDifference(try decode(bytes, in: directory).0, samples, channels: 2) == nil)
    }

    @Test(arguments: [1, 50_000, 199_999])
    func `audio after a stated length that is too small is played`(stated: Int) throws {
      let directory = try TemporaryDirectory()
      var (samples, bytes) = try encoded(in: directory)
      bytes.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: stated >> (24 - 8 * $0)) })
      let (decoded, decoder) = try decode(bytes, in: directory)
      // A length that is far too small is recognised, and counted instead.
      let isCounted = stated < Self.frames / 2
      #expect(decoder.frameCount == Int64(isCounted ? Self.frames : stated))
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      #expect(decoder.failure == nil)
      if isCounted { try expectExactSeeks(directory.file("a.flac"), channels: 2) }
    }

    @Test(arguments: [[], ["--ogg"]])
    func `an unknown length is the number of the last frame`(options: [String]) throws {
      let directory = try TemporaryDirectory()
      var (samples, bytes) = try encoded(options, in: directory)
      let info = try #require(bytes.indices.first { bytes[$0...].starts(with: "fLaC".utf8) }) + 8
      bytes.replaceSubrange((info + 14)..<(info + 18), with: [0, 0, 0, 0])
      OggChecksums.renew(in: &bytes)
      let (decoded, decoder) = try decode(bytes, in: directory)
      #expect(decoder.frameCount == Int64(Self.frames))
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      #expect(decoder.failure == nil)
      try expectExactSeeks(directory.file("a.flac"), channels: 2)
    }

    @Test func `two concatenated files are played one after the other, and a tag after them is skipped`() throws {
      let directory = try TemporaryDirectory()
      let (samples, bytes) = try encoded(in: directory)
      let tag = Array("TAG".utf8) + [UInt8](repeating: 0xFF, count: 125)
      let (decoded, decoder) = try decode(bytes + bytes + tag, in: directory)
      #expect(PCM.firstDifference(decoded, samples + samples, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    /// Returns a padding block that states this length, but has 100 bytes.
    private static func padding(length: UInt8) -> [UInt8] { [1, 0, 0, length] + [UInt8](repeating: 0, count: 100) }

    @Test(
      arguments: [[2, 0, 0, 0], [6, 0, 0, 0]]
        + [1, 2, 3, 4, 5, 9, 30, 153].map { padding(length: 100 + $0) } + [padding(length: 93), padding(length: 0)])
    func `the audio after a flawed metadata block is played`(block: [UInt8]) throws {
      let directory = try TemporaryDirectory()
      var (samples, bytes) = try encoded(in: directory)
      // After the stream information.
      bytes.insert(contentsOf: block, at: 42)
      let (decoded, decoder) = try decode(bytes, in: directory)
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      #expect(decoder.failure == nil)
      try expectExactSeeks(directory.file("a.flac"), channels: 2)
    }

    @Test func `frames without a stream header are played`() throws {
      let directory = try TemporaryDirectory()
      let (samples, bytes) = try encoded(in: directory)
      let (decoded, decoder) = try decode(Array(bytes[frameStarts(bytes)[0]...]), in: directory)
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    @Test(arguments: [
      [13, 10], [0xEF, 0xBB, 0xBF], [UInt8](repeating: 0, count: 1000), Array("<html> fLaC OggS </html>".utf8),
    ])
    func `FLAC and Ogg are complete whatever precedes them`(prefix: [UInt8]) throws {
      let directory = try TemporaryDirectory()
      let (samples, bytes) = try encoded(in: directory)
      let (decoded, decoder) = try decode(prefix + bytes, in: directory)
      #expect(decoder.frameCount == Int64(Self.frames))
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      let vorbis = directory.file("a.ogg")
      try Tool.run("oggenc", ["-Q", "-o", vorbis.string, directory.file("in.wav").string])
      let expected = try Decoded.all(vorbis)
      let path = try directory.write(prefix + contents(of: vorbis), to: "b.ogg")
      #expect(PCM.firstDifference(try Decoded.all(path), expected, channels: 2) == nil)
      try expectExactSeeks(path, channels: 2)
    }

    @Test func `FLAC in an Ogg container is playable and seekable`() throws {
      let directory = try TemporaryDirectory()
      let (samples, bytes) = try encoded(["--ogg"], in: directory)
      let path = try directory.write(bytes, to: "a.oga")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(44_100, channels: 2, coding: .integer(bits: 16)))
      #expect(decoder.frameCount == Int64(Self.frames))
      #expect(
        PCM.firstDifference(
          Decoded.integers(try Decoded.rest(of: decoder), .bits16), samples, channels: 2) == nil)
      try expectExactSeeks(path, channels: 2)
    }

    @Test(arguments: [12, 20])
    func `FLAC of a depth that is not a whole number of bytes is played`(depth: Int) throws {
      let directory = try TemporaryDirectory()
      let container: SampleDepth = depth > 16 ? .bits24 : .bits16
      let unused = Int32(container.rawValue - depth)
      let samples = testSignal(50_000, channels: 2, container).map { ($0 >> unused) << unused }
      var wave = WaveFile.bytes(samples, rate: 48_000, channels: 2, depth: container)
      // `WAVE_FORMAT_EXTENSIBLE`, which states how many bits are used: its format chunk is longer by 24 bytes.
      let subformat: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
      wave.insert(contentsOf: [22, 0, UInt8(depth), 0, 3, 0, 0, 0] + subformat, at: 36)
      wave[16] = 40
      wave.replaceSubrange(20..<22, with: [0xFE, 0xFF])
      let original = try directory.write(wave, to: "in.wav")
      let path = directory.file("a.flac")
      try Tool.run("flac", ["--silent", "--lax", "-o", path.string, original.string])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(48_000, channels: 2, coding: .integer(bits: depth)))
      let decoded = Decoded.integers(try Decoded.rest(of: decoder), container)
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
      try expectExactSeeks(path, channels: 2)
    }

    @Test func `FLAC of 32 bits is played with 24`() throws {
      let directory = try TemporaryDirectory()
      let samples = testSignal(50_000, channels: 2, .bits24)
      let wave = WaveFile.bytes(samples.map { $0 << 8 }, rate: 48_000, channels: 2, depth: .bits32)
      let original = try directory.write(wave, to: "in.wav")
      let path = directory.file("a.flac")
      try Tool.run("flac", ["--silent", "-o", path.string, original.string])
      let decoder = try SndfileDecoder(path: path)
      let decoded = Decoded.integers(try Decoded.rest(of: decoder), .bits24)
      #expect(PCM.firstDifference(decoded, samples, channels: 2) == nil)
    }
  }
}
