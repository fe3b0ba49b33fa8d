// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DSDDecoding
import SystemPackage
import TestSupport
import Testing

@Suite struct DSDFileDecoderTests {
  private let directory: TemporaryDirectory
  private static let rate = 176_400

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ bytes: [UInt8]) throws -> DSDFileDecoder? {
    let path = try directory.write(bytes, to: "file")
    return DSDFileDecoder(path: path) { path throws(DecodingError) in
      throw DecodingError(path: path, kind: .unsupported, reason: "is only to be read as DSD")
    }
  }

  private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Returns the samples that consist of the bytes of the channels.
  private func samples(_ channels: [[UInt8]]) -> [Float] {
    stride(from: 0, to: channels[0].count, by: 2).flatMap { index in
      channels.map { channel in
        DirectStreamDigital.sample(
          first: channel[index], second: index + 1 < channel.count ? channel[index + 1] : 0x69)
      }
    }
  }

  private func read(_ decoder: DSDFileDecoder, pieces: Int = 1_000) -> [Float] {
    var samples: [Float] = []
    var piece = [Float](repeating: 0, count: pieces)
    while case let count = piece.withUnsafeMutableBufferPointer({ decoder.read(into: $0) }), count > 0 {
      samples += piece.prefix(count * decoder.format.channels)
    }
    return samples
  }

  @Test(arguments: [1, 2, 4_095, 4_096, 4_097, 20_001], [1, 2])
  func `every bit of a DSF file is read`(count: Int, channelCount: Int) throws {
    let channels = (0..<channelCount).map { bytes(count, seed: UInt64($0)) }
    let decoder = try #require(try open(DSDFiles.dsf(channels)))
    #expect(decoder.format == AudioFormat(sampleRate: Self.rate, channels: channelCount, coding: .dsd))
    #expect(decoder.frameCount == Int64((count + 1) / 2))
    #expect(decoder.bitRate == 2_822_400 * channelCount)
    #expect(read(decoder) == samples(channels))
    #expect(decoder.failure == nil)
  }

  @Test(arguments: [1, 2, 4_097, 20_001], [1, 2])
  func `every bit of a DFF file is read`(count: Int, channelCount: Int) throws {
    let channels = (0..<channelCount).map { bytes(count, seed: UInt64($0)) }
    let decoder = try #require(try open(DSDFiles.dff(channels, bitRate: 5_644_800)))
    #expect(decoder.format.sampleRate == 2 * Self.rate)
    #expect(read(decoder, pieces: 777) == samples(channels))
    #expect(decoder.failure == nil)
  }

  @Test(arguments: [0, 1, 2_047, 2_048, 9_999, 10_000, 1 << 40] as [Int64])
  func `a seek continues with the same frames as reading from the beginning`(frame: Int64) throws {
    let channels = [bytes(20_000, seed: 1), bytes(20_000, seed: 2)]
    let all = samples(channels)
    for file in [DSDFiles.dsf(channels), DSDFiles.dff(channels)] {
      let decoder = try #require(try open(file))
      _ = read(decoder)
      decoder.seek(toFrame: frame)
      #expect(read(decoder) == Array(all.dropFirst(Int(min(frame, 10_000)) * 2)))
    }
  }

  @Test func `a file that is shorter than it says ends with an error`() throws {
    let channels = [bytes(20_000, seed: 1), bytes(20_000, seed: 2)]
    let decoder = try #require(try open(Array(DSDFiles.dff(channels).dropLast(30_000))))
    let read = read(decoder)
    #expect(read.count == 2 * 2_500 && read == Array(samples(channels).prefix(5_000)))
    #expect(decoder.failure?.reason == "ends at 0:00 of 0:00")
  }

  @Test func `a file that cannot be played as DSD is left to other decoders`() throws {
    let channel = bytes(100, seed: 1)
    #expect(try open(DSDFiles.dff([channel], compression: "DST ")) == nil)
    #expect(try open(DSDFiles.dsf([channel, channel, channel])) == nil)
    #expect(try open(DSDFiles.dsf([channel], bitRate: 44_100)) == nil)
    #expect(try open(DSDFiles.dsf([channel], blockSize: 4_095)) == nil)
    #expect(try open(DSDFiles.dsf([[]])) == nil)
    #expect(try open(Array("RIFF".utf8) + bytes(200, seed: 1)) == nil)
    #expect(try open([]) == nil)
  }

  @Test func `no damaged file does harm`() throws {
    let channels = [bytes(2_000, seed: 1), bytes(2_000, seed: 2)]
    var random = SeededGenerator(seed: 3)
    for file in [DSDFiles.dsf(channels), DSDFiles.dff(channels)] {
      for _ in 0..<400 {
        var damaged = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          damaged[Int.random(in: 0..<160, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random) / 2)
        guard let decoder = try open(damaged) else { continue }
        decoder.seek(toFrame: Int64.random(in: 0...3_000, using: &random))
        #expect(read(decoder).count <= damaged.count)
      }
    }
  }
}
