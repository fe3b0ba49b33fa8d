// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
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

    /// A part of a file, in one format.
    private struct Part {
      let format: AudioFormat
      let firstFrame: Int64
      let samples: [Float]
    }

    /// Decodes the rest of a file, in all its formats.
    private func parts(of decoder: any AudioDecoder, from frame: Int64 = 0) throws -> [Part] {
      var (decoder, frame, parts) = (decoder, frame, [Part]())
      while true {
        parts.append(Part(format: decoder.format, firstFrame: frame, samples: try Decoded.rest(of: decoder)))
        #expect(decoder.failure == nil)
        guard let next = try decoder.continuation() else { return parts }
        (decoder, frame) = (next.decoder, next.firstFrame)
      }
    }

    @Test func `a mono stream after a stereo one is decoded as mono`() throws {
      let directory = try TemporaryDirectory()
      let links = [
        try link(0, Self.encoders[0], frames: 20_000, in: directory),
        try link(1, Self.encoders[0], frames: 30_000, channels: 1, in: directory),
      ]
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.frameCount == 50_000)
      let parts = try parts(of: decoder)
      #expect(parts.map(\.format.channels) == [2, 1])
      #expect(parts.map(\.firstFrame) == [0, 20_000])
      for (part, link) in zip(parts, links) {
        #expect(PCM.firstDifference(part.samples, try Decoded.all(link), channels: part.format.channels) == nil)
      }
    }

    @Test func `a stream of another rate is decoded at its own rate, wherever a seek enters it`() throws {
      let directory = try TemporaryDirectory()
      let links = [
        try link(0, Self.encoders[0], frames: 96_000, in: directory),
        try link(1, Self.encoders[0], frames: 66_150, rate: 44_100, in: directory),
        try link(2, Self.encoders[0], frames: 30_000, in: directory),
        try link(3, Self.encoders[0], frames: 20_000, in: directory),
      ]
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.frameCount == 218_000)
      let whole = try parts(of: decoder)
      #expect(whole.map(\.format.sampleRate) == [48_000, 44_100, 48_000])
      #expect(whole.map(\.firstFrame) == [0, 88_200, 168_000])
      let expected = try [
        Decoded.all(links[0]), Decoded.all(links[1]), Decoded.all(links[2]) + Decoded.all(links[3]),
      ]
      for (part, expected) in zip(whole, expected) {
        #expect(PCM.firstDifference(part.samples, expected, channels: 2) == nil)
      }
      // The frame in the file, and the part and the frame in it to which that corresponds.
      let targets: [(frame: Int64, part: Int, offset: Int)] = [
        (0, 0, 0), (95_999, 0, 95_999), (96_000, 1, 0), (96_160, 1, 147), (144_000, 1, 44_100), (168_000, 2, 0),
        (190_000, 2, 22_000), (200_000, 2, 32_000), (100, 0, 100),
      ]
      for target in targets {
        try decoder.seek(toFrame: target.frame)
        let rest = try parts(of: decoder, from: target.frame).filter { !$0.samples.isEmpty }
        #expect(rest.count == 3 - target.part, "from frame \(target.frame)")
        let expected = [Array(expected[target.part][(2 * target.offset)...])] + expected[(target.part + 1)...]
        for (part, expected) in zip(rest, expected) {
          let difference = PCM.firstDifference(part.samples, expected, channels: 2, tolerance: 0.0001)
          #expect(difference == nil, "from frame \(target.frame)")
        }
      }
    }

    @Test func `the rest of a file cannot seek back to another format`() throws {
      let directory = try TemporaryDirectory()
      let links = [
        try link(0, Self.encoders[0], frames: 20_000, in: directory),
        try link(1, Self.encoders[0], frames: 30_000, channels: 1, in: directory),
      ]
      let path = try directory.write(links.flatMap { try contents(of: $0) }, to: "chained.ogg")
      let decoder = try SndfileDecoder(path: path)
      _ = try Decoded.rest(of: decoder)
      let rest = try #require(try decoder.continuation()).decoder
      #expect(throws: DecodingError.self) { try rest.seek(toFrame: 19_999) }
      try rest.seek(toFrame: 30_000)
      #expect(try Decoded.rest(of: rest).count == 20_000)
    }
  }
}

extension ProgramLane {
  @Suite struct VorbisSeekTests {
    @Test func `A seek forward in Vorbis is exact, also from the middle of a block`() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("a.ogg")
      try Tool.run("oggenc", ["-Q", "-o", path.string, try Reference.tone(150_000, in: directory).string])
      let whole = try Decoded.all(path)
      let decoder = try SndfileDecoder(path: path)
      for (start, target) in [(0, 2_000), (7, 9_919), (848, 33_676), (100, 90_000), (60_000, 70_000)] {
        try decoder.seek(toFrame: Int64(start))
        _ = try Decoded.start(of: decoder, frames: 1 + start % 900)
        try decoder.seek(toFrame: Int64(target))
        let difference = PCM.firstDifference(
          try Decoded.start(of: decoder, frames: 10_000), Array(whole[(2 * target)...].prefix(20_000)), channels: 2)
        #expect(difference == nil, "from frame \(start) to \(target)")
      }
    }
  }

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
