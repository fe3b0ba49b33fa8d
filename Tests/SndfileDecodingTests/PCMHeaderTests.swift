// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Files of uncompressed audio whose header libsndfile alone does not read as it is meant.
@Suite struct PCMHeaderTests {
  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Returns a WAV file of stereo samples with `bits` bits in the upper part of `width` bytes.
  private func wav(
    _ samples: [Int32], bits: Int, width: Int, isExtensible: Bool, statedSize: Int? = nil
  ) -> [UInt8] {
    let data = samples.flatMap { little(Int($0) << (8 * width - bits), width) }
    var format = little(isExtensible ? 0xFFFE : 1, 2) + little(2, 2) + little(44_100, 4)
    format += little(44_100 * 2 * width, 4) + little(2 * width, 2) + little(bits, 2)
    if isExtensible {
      let identifier: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
      format += little(22, 2) + little(bits, 2) + little(3, 4) + identifier
    }
    let size = statedSize ?? data.count
    return Array("RIFF".utf8) + little(20 + format.count + size, 4) + Array("WAVEfmt ".utf8)
      + little(format.count, 4) + format + Array("data".utf8) + little(size, 4) + data
  }

  @Test(arguments: [(24, 4, true), (24, 4, false), (20, 4, true), (16, 3, true), (24, 3, true), (16, 2, true)])
  func `Samples may have more bytes than their bits need`(bits: Int, width: Int, isExtensible: Bool) throws {
    var random = SeededGenerator(seed: 5)
    let limit = Int32(1) << (bits - 1)
    let samples = (0..<20_000).map { _ in Int32.random(in: -limit..<limit, using: &random) }
    let directory = try TemporaryDirectory()
    let path = try directory.write(wav(samples, bits: bits, width: width, isExtensible: isExtensible), to: "a.wav")
    let decoder = try SndfileDecoder(path: path)
    #expect(decoder.frameCount == 10_000)
    let expected = samples.map { Float($0) / Float(limit) }
    #expect(PCM.firstDifference(try Decoded.rest(of: decoder), expected, channels: 2) == nil)
  }

  @Test(arguments: [(441_000, "ends at 0:01 of 0:10: the file is truncated"), (132_300, nil)] as [(Int, String?)])
  func `A WAV file that is shorter than its header says is truncated`(frames: Int, reason: String?) throws {
    let samples = [Int32](repeating: 7, count: 2 * 88_000)
    let directory = try TemporaryDirectory()
    for isExtensible in [false, true] {
      let file = wav(samples, bits: 16, width: 2, isExtensible: isExtensible, statedSize: frames * 4)
      let decoder = try SndfileDecoder(path: directory.write(file, to: "a.wav"))
      #expect(try Decoded.rest(of: decoder).count == samples.count)
      let isLacking = frames - 88_000 > 44_100
      #expect(decoder.failure?.reason == (isLacking ? reason ?? "ends at 0:01 of 0:03: the file is truncated" : nil))
    }
    // Programs that write to a pipe do not know the size.
    for size in [0x7FFF_FFFF, 0xFFFF_FFFF, 0x7FFF_F000] {
      let file = wav(samples, bits: 16, width: 2, isExtensible: false, statedSize: size)
      let decoder = try SndfileDecoder(path: directory.write(file, to: "a.wav"))
      #expect(try Decoded.rest(of: decoder).count == samples.count)
      #expect(decoder.failure == nil)
    }
  }

  /// A format of uncompressed audio.
  enum Format: String, CaseIterable {
    case aiff, aifc, au, littleAU, caf, w64, rf64, rifx, aLaw
  }

  private func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  /// Returns a stereo file of 16 bits (8 bits in A-law) at 44.1 kHz with this many frames of data, whose header states
  /// `size` bytes of it.
  private func file(_ format: Format, frames: Int, size: Int) -> [UInt8] {
    let width = format == .aLaw ? 1 : 2
    let data = [UInt8](repeating: 0x55, count: frames * 2 * width)
    func text(_ string: String) -> [UInt8] { Array(string.utf8) }
    /// Returns the fields of a WAV format.
    func wav(_ number: (Int, Int) -> [UInt8]) -> [UInt8] {
      number(format == .aLaw ? 6 : 1, 2) + number(2, 2) + number(44_100, 4) + number(44_100 * 2 * width, 4)
        + number(2 * width, 2) + number(8 * width, 2)
    }
    func aiff(_ type: String, _ end: [UInt8]) -> [UInt8] {
      let common = big(2, 2) + big(size / 4, 4) + big(16, 2) + [0x40, 0x0E, 0xAC, 0x44] + big(0, 6) + end
      return text("FORM") + big(size &+ 46 + end.count, 4) + text("\(type)COMM") + big(common.count, 4) + common
        + text("SSND") + big(size &+ 8, 4) + big(0, 8)
    }
    func au(_ mark: String, _ number: (Int, Int) -> [UInt8]) -> [UInt8] {
      text(mark) + number(28, 4) + number(size, 4) + number(3, 4) + number(44_100, 4) + number(2, 4) + number(0, 4)
    }
    let long = { (value: Int) in self.little(value, 8) }
    let header: [UInt8] =
      switch format {
      case .aiff: aiff("AIFF", [])
      case .aifc: aiff("AIFC", text("sowt") + [3] + text("raw"))
      case .au: au(".snd", big)
      case .littleAU: au("dns.", little)
      case .caf:
        text("caff") + big(1 << 16, 4) + text("desc") + big(32, 8) + [0x40, 0xE5, 0x88, 0x80] + big(0, 4)
          + text("lpcm") + big(0, 4) + big(4, 4) + big(1, 4) + big(2, 4) + big(16, 4) + text("free") + big(3, 8)
          + [0, 0, 0] + text("data") + big(size &+ 4, 8) + big(0, 4)
      case .w64:
        text("riff") + Self.identifierEnds[0] + long(size &+ 128) + text("wave") + Self.identifierEnds[1] + text("fmt ")
          + Self.identifierEnds[1] + long(40) + wav(little) + text("data") + Self.identifierEnds[1] + long(size &+ 24)
      case .rf64:
        text("RF64") + little(-1, 4) + text("WAVEds64") + little(28, 4) + long(size &+ 72) + long(size)
          + long(size / 4) + little(0, 4) + text("fmt ") + little(16, 4) + wav(little) + text("data") + little(-1, 4)
      case .rifx:
        text("RIFX") + big(size &+ 36, 4) + text("WAVEfmt ") + big(16, 4) + wav(big) + text("data") + big(size, 4)
      case .aLaw:
        text("RIFF") + little(size &+ 36, 4) + text("WAVEfmt ") + little(16, 4) + wav(little) + text("data")
          + little(size, 4)
      }
    return header + data
  }

  /// The last twelve bytes of the identifiers of W64: of the file, and of its chunks.
  private static let identifierEnds: [[UInt8]] = [
    [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0],
    [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A],
  ]

  @Test(arguments: Format.allCases)
  func `A file of any format that is shorter than its header says is truncated`(format: Format) throws {
    let directory = try TemporaryDirectory()
    func failure(_ size: Int) throws -> String? {
      let decoder = try SndfileDecoder(path: directory.write(file(format, frames: 88_200, size: size), to: "a"))
      #expect(try Decoded.rest(of: decoder).count == 2 * 88_200, "\(size)")
      return decoder.failure?.reason
    }
    let frameLength = format == .aLaw ? 2 : 4
    #expect(try failure(441_000 * frameLength) == "ends at 0:02 of 0:10: the file is truncated")
    #expect(try failure(132_301 * frameLength) == "ends at 0:02 of 0:03: the file is truncated")
    // A little less than stated is usual.
    for frames in [132_300, 88_201, 88_200] { #expect(try failure(frames * frameLength) == nil) }
  }

  @Test(
    arguments: [
      (.aiff, 0x7F00_0000), (.aiff, 0xFFFF_FFF7), (.aifc, 0x7F00_0000), (.au, 0xFFFF_FFFF), (.au, 0x7F00_0000),
      (.littleAU, 0xFFFF_FFFF), (.caf, -5), (.caf, .max - 4), (.w64, -25), (.w64, .max - 24), (.rf64, .max), (.rf64, 0),
      (.rifx, 0xFFFF_FFFF), (.aLaw, 0x7FFF_F000),
    ] as [(Format, Int)])
  func `A file whose header does not know the length is not truncated`(format: Format, size: Int) throws {
    let directory = try TemporaryDirectory()
    let decoder = try SndfileDecoder(path: directory.write(file(format, frames: 88_200, size: size), to: "a"))
    let count = try Decoded.rest(of: decoder).count
    #expect(decoder.failure == nil)
    // libsndfile reads no audio from an RF64 file whose size is 0.
    #expect(count == (size == 0 ? 0 : 2 * 88_200))
  }
}
