// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Resampling
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Consecutive streams in one Ogg file are played one after the other.
  @Suite struct LinkedStreamTests {
    /// Encodes a tone of this many frames, and returns the path of the file.
    private func link(
      _ number: Int, _ command: [String], frames: Int, rate: Int = 48_000, channels: Int = 2,
      in directory: TemporaryDirectory
    ) throws -> FilePath {
      let original = try Reference.tone(frames, rate: rate, channels: channels, in: directory, "in\(number).wav")
      let path = directory.file("link\(number)")
      let words = command.map {
        switch $0 {
        case "IN": original.string
        case "OUT": path.string
        case "SERIAL": "\(1000 + number)"
        default: $0
        }
      }
      try Tool.run(words[0], Array(words.dropFirst()))
      return path
    }

    private static let encoders = [
      ["oggenc", "-Q", "-s", "SERIAL", "-o", "OUT", "IN"],
      ["opusenc", "--quiet", "--serial", "SERIAL", "IN", "OUT"],
      ["flac", "--silent", "--ogg", "--serial-number", "SERIAL", "-o", "OUT", "IN"],
    ]

    @Test(arguments: encoders)
    func `every stream is playable and seekable`(command: [String]) throws {
      let directory = try TemporaryDirectory()
      let links = try [30_011, 20_000, 48_123].enumerated().map {
        try link($0, command, frames: $1, in: directory)
      }
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.frameCount == 98_134)
      let decoded = try Decoded.rest(of: decoder)
      let expected = try links.flatMap { try Decoded.all($0) }
      #expect(decoded.count == 2 * 98_134)
      #expect(PCM.firstDifference(decoded, expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
      try expectExactSeeks(path, channels: 2, tolerance: command[0] == "opusenc" ? 0.02 : 0.0001)
    }

    @Test func `a chain of Opus streams decodes as with opusdec`() throws {
      let directory = try TemporaryDirectory()
      let links = try [10_000, 20_000].enumerated().map {
        try link($0, Self.encoders[1], frames: $1, rate: 16_000, in: directory)
      }
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.opus")
      #expect(PCM.firstDifference(try Decoded.all(path), try Reference.opusdec(path), channels: 2) == nil)
    }

    @Test func `a mono stream after a stereo one is played on both channels`() throws {
      let directory = try TemporaryDirectory()
      let links = [
        try link(0, Self.encoders[0], frames: 20_000, in: directory),
        try link(1, Self.encoders[0], frames: 30_000, channels: 1, in: directory),
      ]
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.frameCount == 50_000)
      let decoded = try Decoded.rest(of: decoder)
      let expected = try Decoded.all(links[0]) + Decoded.all(links[1]).flatMap { [$0, $0] }
      #expect(PCM.firstDifference(decoded, expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `a stream of another rate is converted to that of the first, wherever a seek enters it`() throws {
      let directory = try TemporaryDirectory()
      let links = [
        try link(0, Self.encoders[0], frames: 96_000, in: directory),
        try link(1, Self.encoders[0], frames: 66_150, rate: 44_100, in: directory),
        try link(2, Self.encoders[0], frames: 30_000, in: directory),
      ]
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path, resamplers: SoxrResampler.make)
      #expect(decoder.frameCount == 198_000)
      let decoded = try Decoded.rest(of: decoder)
      let converted = try converted(Decoded.all(links[1]), from: 44_100, to: 48_000)
      #expect(converted.count == 2 * 72_000)
      let expected = try Decoded.all(links[0]) + converted + Decoded.all(links[2])
      #expect(PCM.firstDifference(decoded, expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
      for frame in [0, 95_999, 96_000, 96_007, 130_000, 144_000, 167_999, 168_000, 190_000] {
        try decoder.seek(toFrame: Int64(frame))
        let rest = try Decoded.rest(of: decoder)
        let expectedRest = expected[(2 * frame)...]
        #expect(rest.count == expectedRest.count, "from frame \(frame)")
        let distance = zip(rest, expectedRest).map { abs($0 - $1) }.max() ?? 0
        #expect(distance < 0.0001, "from frame \(frame)")
      }
    }

    private func converted(_ samples: [Float], from: Int, to: Int) throws -> [Float] {
      let resampler = try #require(SoxrResampler.make(from: from, to: to, channels: 2))
      var (result, pending) = ([Float](), samples[...])
      var block = [Float](repeating: 0, count: 8192)
      while true {
        let (consumed, produced) = pending.withUnsafeBufferPointer { input in
          block.withUnsafeMutableBufferPointer {
            pending.isEmpty ? (0, resampler.finish(into: $0)) : resampler.process(input, into: $0)
          }
        }
        pending = pending.dropFirst(2 * consumed)
        result += block[..<(2 * produced)]
        if consumed == 0, produced == 0 { return result }
      }
    }

    @Test func `without resamplers, a stream of another rate ends the file, and reports that`() throws {
      let directory = try TemporaryDirectory()
      let links = [
        try link(0, Self.encoders[0], frames: 96_000, in: directory),
        try link(1, Self.encoders[0], frames: 30_000, rate: 44_100, in: directory),
      ]
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path)
      #expect(try Decoded.rest(of: decoder).count == 2 * 96_000)
      #expect(
        decoder.failure?.reason
          == "ends at 0:02: the rest of the file is in another format, and cannot be played")
    }
  }
}

extension ProgramLane {
  /// Opus is decoded at 48 kHz, whatever the rate of the original was.
  @Suite struct OpusRateTests {
    @Test(arguments: [8000, 16_000, 24_000, 44_100, 48_000], [1, 2])
    func `Opus decodes as with opusdec, bit for bit`(rate: Int, channels: Int) throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(rate, rate: rate, channels: channels, in: directory)
      let path = directory.file("a.opus")
      try Tool.run("opusenc", ["--quiet", "--bitrate", "256", original.string, path.string])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(48_000, channels: channels, nil))
      #expect(decoder.frameCount == 48_000)
      let decoded = try Decoded.rest(of: decoder)
      #expect(PCM.firstDifference(decoded, try Reference.opusdec(path), channels: channels) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `six channels of Opus at 16 kHz are complete, too`() throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(16_000, rate: 16_000, channels: 6, in: directory)
      let path = directory.file("a.opus")
      try Tool.run("opusenc", ["--quiet", original.string, path.string])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(48_000, channels: 6, nil))
      #expect(
        PCM.firstDifference(try Decoded.rest(of: decoder), try Reference.opusdec(path), channels: 6) == nil)
    }
  }
}
