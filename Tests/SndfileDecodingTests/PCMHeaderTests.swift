// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// WAV files whose header libsndfile alone does not read as it is meant.
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
}
