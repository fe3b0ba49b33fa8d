// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import SndfileDecoding

@Suite struct SampleCodingTests {
  /// The codings, by their numbers in `sndfile.h`.
  private static let codings: [(Int32, SampleCoding)] = [
    (0x0001, .integer(bits: 8)), (0x0002, .integer(bits: 16)), (0x0003, .integer(bits: 24)),
    (0x0004, .integer(bits: 32)), (0x0005, .integer(bits: 8)), (0x0006, .float(bits: 32)),
    (0x0007, .float(bits: 64)), (0x0040, .integer(bits: 12)), (0x0041, .integer(bits: 16)),
    (0x0042, .integer(bits: 24)), (0x0043, .integer(bits: 24)), (0x0050, .integer(bits: 8)),
    (0x0051, .integer(bits: 16)), (0x0070, .integer(bits: 16)), (0x0071, .integer(bits: 20)),
    (0x0072, .integer(bits: 24)), (0x0073, .integer(bits: 32)),
  ]

  @Test(arguments: codings)
  func `a lossless coding has this many bits`(number: Int32, coding: SampleCoding) {
    #expect(SampleCoding(ofSndfileFormat: 0x010000 | number) == coding)
  }

  @Test(
    arguments: [
      0x0010, 0x0011, 0x0012, 0x0013, 0x0020, 0x0021, 0x0022, 0x0023, 0x0024, 0x0030, 0x0031, 0x0032,
      0x0060, 0x0064, 0x0080, 0x0081, 0x0082, 0x7FFF,
    ] as [Int32])
  func `µ-law, A-law, ADPCM, GSM, Vorbis, Opus, MPEG and unknown codings are lossy`(number: Int32) {
    #expect(SampleCoding(ofSndfileFormat: 0x010000 | number) == .lossy)
  }
}

/// Every sample is a finite number of reasonable size.
@Suite struct SampleGuardTests {
  @Test func `NaN and infinities become silence, and excessive samples are limited`() throws {
    let input: [Float] = [
      0, -0.5, 1, -1, 3.999, -31.6, 511.9, 512, -512, 512.1, 1e30, -1e30, .greatestFiniteMagnitude, .infinity,
      -.infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude, -0.25,
    ]
    let expected: [Float] = [
      0, -0.5, 1, -1, 3.999, -31.6, 511.9, 512, -512, 512, 512, -512, 512, 0, 0, 0, 0, 0,
      .leastNonzeroMagnitude, -0.25,
    ]
    for count in [1, 3, 4, 5, 16, 17, 20] {
      for start in 0...(input.count - count) {
        let samples = Array(input[start..<(start + count)])
        let directory = try TemporaryDirectory()
        let path = try directory.write(FloatWave.bytes(samples), to: "a.wav")
        #expect(try Decoded.all(path) == Array(expected[start..<(start + count)]))
      }
    }
  }

  @Test func `peaks of a legal float file pass unchanged`() throws {
    #expect(try Decoded.all(Fixture.broken("loud.wav")).contains { $0 > 3.9 })
    let samples = (0..<10_000).map { Float($0 % 100 - 50) }
    let directory = try TemporaryDirectory()
    let path = try directory.write(FloatWave.bytes(samples), to: "a.wav")
    #expect(PCM.firstDifference(try Decoded.all(path), samples, channels: 1) == nil)
  }

  @Test func `a file of NaN samples is silent`() throws {
    let decoded = try Decoded.all(Fixture.broken("nan.wav"))
    #expect(decoded.count == 8820)
    #expect(decoded[1000..<1300].allSatisfy { $0 == 0 })
    #expect(decoded.allSatisfy { abs($0) <= 0.25 })
  }
}

/// Creates mono WAV files of 32-bit float samples (Multimedia Programming Interface and Data Specifications 1.0, format
/// 3).
enum FloatWave {
  static func bytes(_ samples: [Float], rate: UInt32 = 44_100) -> [UInt8] {
    let data = samples.flatMap { little($0.bitPattern) }
    let format: [UInt8] = [3, 0, 1, 0] + little(rate) + little(rate * 4) + [4, 0, 32, 0]
    return Array("RIFF".utf8) + little(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + little(16) + format
      + Array("data".utf8) + little(UInt32(data.count)) + data
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
