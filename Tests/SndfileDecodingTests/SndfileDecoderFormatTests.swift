// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Expects that after a seek in the file at `path`, the same samples are read as without one, except for the first
/// `settling` frames.
func expectExactSeeks(
  _ path: FilePath, channels: Int, tolerance: Float = 0, settling: Int = 0,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let all = try Decoded.all(path)
  let count = all.count / channels
  let decoder = try SndfileDecoder(path: path)
  let frames = [count / 2, 0, 1, count - 1, count / 3, count, 5, count + 1000, count - 2, 2000]
  for frame in frames {
    try decoder.seek(toFrame: Int64(frame))
    let rest = try Decoded.rest(of: decoder)
    #expect(rest.count == max(0, all.count - frame * channels), sourceLocation: sourceLocation)
    let difference = PCM.firstDifference(
      Array(rest.dropFirst(settling * channels)),
      Array(all.dropFirst((min(frame, count) + settling) * channels)), channels: channels,
      tolerance: tolerance)
    #expect(difference == nil, "after a seek to \(frame)", sourceLocation: sourceLocation)
  }
  try decoder.seek(toFrame: -5)
  #expect(try Decoded.rest(of: decoder).count == all.count, sourceLocation: sourceLocation)
}

extension ProgramLane {
  /// Every format returns the samples that were encoded.
  @Suite struct SndfileDecoderFormatTests {
    /// An integer or float format: its suffix, sox's options to write it, its coding, and a depth whose samples it
    /// preserves.
    struct Coding: Sendable, CustomTestStringConvertible {
      var suffix: String
      var options: [String]
      var preservedDepth: SampleDepth
      var coding: SampleCoding
      var channels = 2
      var rate = 44_100

      var testDescription: String { "\(suffix) \(options.joined(separator: " ")), \(channels) at \(rate) Hz" }
    }

    /// Codings of more than 24 bits.
    private static let highDepthCodings: [(String, [String], SampleCoding)] = [
      ("wav", ["-b", "32", "-e", "signed"], .integer(bits: 32)),
      ("wav", ["-b", "32", "-e", "float"], .float(bits: 32)),
      ("wav", ["-b", "64", "-e", "float"], .float(bits: 64)),
      ("aiff", ["-b", "32", "-e", "signed"], .integer(bits: 32)),
      ("au", ["-b", "32", "-e", "float"], .float(bits: 32)),
    ]

    private static var codings: [Coding] {
      var all = highDepthCodings.map { Coding(suffix: $0.0, options: $0.1, preservedDepth: .bits24, coding: $0.2) }
      func add(_ suffix: String, _ depth: SampleDepth, channels: Int = 2, rate: Int = 44_100) {
        all.append(
          Coding(
            suffix: suffix, options: ["-b", "\(depth.rawValue)"], preservedDepth: depth,
            coding: .integer(bits: depth.rawValue), channels: channels, rate: rate))
      }
      for suffix in ["wav", "aiff", "au", "caf", "w64", "flac"] {
        add(suffix, .bits16)
        add(suffix, .bits24)
      }
      for channels in [1, 3, 4, 5, 6, 7, 8] {
        for suffix in ["wav", "flac", "aiff", "caf"] { add(suffix, .bits24, channels: channels) }
      }
      for rate in [8000, 11_025, 22_050, 48_000, 88_200, 96_000, 192_000] {
        for suffix in ["wav", "flac", "au"] { add(suffix, .bits16, rate: rate) }
      }
      return all
    }

    @Test(arguments: codings)
    func `an integer or float coding returns every sample, and seeks to every frame`(coding: Coding) throws {
      let directory = try TemporaryDirectory()
      let samples = testSignal(6007, channels: coding.channels, coding.preservedDepth)
      let original = try directory.write(
        WaveFile.bytes(samples, rate: coding.rate, channels: coding.channels, depth: coding.preservedDepth),
        to: "in.wav")
      let path = directory.file("out.\(coding.suffix)")
      try Tool.run("sox", ["-D", original.string] + coding.options + [path.string])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(coding.rate, channels: coding.channels, coding: coding.coding))
      #expect(decoder.frameCount == 6007)
      let decoded = Decoded.integers(try Decoded.rest(of: decoder, frames: 1000), coding.preservedDepth)
      #expect(PCM.firstDifference(decoded, samples, channels: coding.channels) == nil)
      try expectExactSeeks(path, channels: coding.channels)
    }

    @Test(
      arguments: [
        (["-b", "8", "-e", "unsigned"], .integer(bits: 8)), (["-e", "a-law"], .lossy),
        (["-e", "mu-law"], .lossy), (["-e", "ima-adpcm"], .lossy), (["-e", "ms-adpcm"], .lossy),
      ] as [([String], SampleCoding)])
    func `a small coding decodes as with sox`(options: [String], coding: SampleCoding) throws {
      let directory = try TemporaryDirectory()
      let original = try directory.write(
        WaveFile.bytes(testSignal(6007, channels: 2, .bits16), rate: 44_100, channels: 2, depth: .bits16),
        to: "in.wav")
      let path = directory.file("out.wav")
      try Tool.run("sox", ["-D", original.string] + options + [path.string])
      let raw = try Tool.run("sox", ["-D", path.string, "-t", "raw", "-b", "16", "-e", "signed", "-"])
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format.coding == coding)
      let decoded = Decoded.integers(try Decoded.rest(of: decoder), .bits16)
      let expected = PCM.samples(raw, depth: .bits16)
      #expect(
        PCM.firstDifference(Array(decoded.prefix(2 * 6007)), Array(expected.prefix(2 * 6007)), channels: 2) == nil
      )
    }

    @Test func `GSM in a WAV file is lossy`() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("out.wav")
      let options = ["-D", "-n", "-r", "8000", "-c", "1", "-e", "gsm-full-rate", path.string]
      try Tool.run("sox", options + ["synth", "0.2", "sine", "440"])
      #expect(try SndfileDecoder(path: path).format == .of(8000, channels: 1, coding: .lossy))
    }

    @Test func `RF64 is read`() throws {
      let directory = try TemporaryDirectory()
      let samples = testSignal(6007, channels: 2, .bits16)
      let original = try directory.write(
        WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "in.wav")
      let path = directory.file("out.wav")
      try Tool.run("ffmpeg", ["-loglevel", "error", "-i", original.string, "-rf64", "always", path.string])
      #expect(try contents(of: path).prefix(4) == ArraySlice("RF64".utf8))
      #expect(Decoded.integers(try Decoded.all(path), .bits16) == samples)
    }

    /// A lossy coding: its suffix, and the command that creates a file `OUT` from the WAV file `IN`.
    struct Lossy: Sendable, CustomTestStringConvertible {
      var suffix: String
      var command: [String]
      var channels = 2
      var rate = 44_100
      /// The rate of the decoded audio.
      var decodedRate = 44_100

      var testDescription: String { "\(command.joined(separator: " ")), \(channels) at \(rate) Hz" }
    }

    private static let lossy: [Lossy] = [
      Lossy(suffix: "mp3", command: ["lame", "--quiet", "-b", "128", "IN", "OUT"]),
      Lossy(suffix: "mp3", command: ["lame", "--quiet", "-V", "4", "IN", "OUT"]),
      Lossy(suffix: "mp3", command: ["lame", "--quiet", "-V", "4", "IN", "OUT"], channels: 1),
      Lossy(suffix: "mp3", command: ["lame", "--quiet", "-p", "-b", "128", "IN", "OUT"]),
      Lossy(
        suffix: "mp3", command: ["lame", "--quiet", "-b", "64", "IN", "OUT"], rate: 22_050, decodedRate: 22_050),
      Lossy(
        suffix: "mp3", command: ["lame", "--quiet", "-b", "32", "IN", "OUT"], rate: 11_025, decodedRate: 11_025),
      Lossy(suffix: "ogg", command: ["oggenc", "-Q", "-q", "3", "-o", "OUT", "IN"]),
      Lossy(
        suffix: "ogg", command: ["oggenc", "-Q", "-q", "3", "-o", "OUT", "IN"], channels: 6, rate: 48_000,
        decodedRate: 48_000),
      Lossy(suffix: "opus", command: ["opusenc", "--quiet", "IN", "OUT"], rate: 48_000, decodedRate: 48_000),
      Lossy(
        suffix: "opus", command: ["opusenc", "--quiet", "IN", "OUT"], channels: 1, rate: 48_000,
        decodedRate: 48_000),
    ]

    @Test(arguments: lossy)
    func `a lossy coding returns as many frames as were encoded, and what ffmpeg decodes`(coding: Lossy) throws {
      let directory = try TemporaryDirectory()
      let original = try directory.write(
        WaveFile.bytes(
          testSignal(30_011, channels: coding.channels, .bits16), rate: coding.rate, channels: coding.channels,
          depth: .bits16), to: "in.wav")
      let path = directory.file("out.\(coding.suffix)")
      let command = coding.command.map { $0 == "IN" ? original.string : $0 == "OUT" ? path.string : $0 }
      try Tool.run(command[0], Array(command.dropFirst()))
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.format == .of(coding.decodedRate, channels: coding.channels, nil))
      #expect(decoder.frameCount == 30_011)
      let decoded = try Decoded.rest(of: decoder)
      #expect(decoded.count == 30_011 * coding.channels)
      let reference = try Tool.run(
        "ffmpeg", ["-loglevel", "error", "-i", path.string, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
      let expected = PCM.samples(reference, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
      // Decoders round differently, and ffmpeg has another order of six channels, and returns the padding at the end of
      // an MP3.
      if coding.channels <= 2 {
        let count = min(decoded.count, expected.count)
        #expect(count > 29_000 * coding.channels)
        #expect(
          PCM.firstDifference(
            Array(decoded.prefix(count)), Array(expected.prefix(count)), channels: coding.channels,
            tolerance: coding.suffix == "opus" ? 0.01 : 0.0005) == nil)
      }
      try expectExactSeeks(path, channels: coding.channels, tolerance: coding.suffix == "opus" ? 0.02 : 0.0001)
    }
  }
}

extension ProgramLane {
  /// Audio after tags, in every format that sox writes.
  @Suite struct TaggedFormatTests {
    /// libsndfile itself skips a tag only before an MP3, or if it opens the file by itself.
    @Test(arguments: ["wav", "aiff", "au", "caf", "flac", "w64", "ogg"], [40, 200_000])
    func `audio after an ID3v2 tag is complete and seekable`(format: String, padding: Int) throws {
      let directory = try TemporaryDirectory()
      let samples = testSignal(30_000, channels: 2, .bits16)
      try directory.write(WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav")
      let plain = directory.file("plain.\(format)")
      _ = try Tool.run("sox", ["-D", directory.file("a.wav").string, plain.string])
      let tag = SoundBytes.id3([("TIT2", [UInt8](repeating: 0x20, count: padding))])
      let tagged = try directory.write(tag + contents(of: plain), to: "tagged.\(format)")
      let (decoder, reference) = (try SndfileDecoder(path: tagged), try SndfileDecoder(path: plain))
      #expect(decoder.frameCount == reference.frameCount)
      #expect(
        PCM.firstDifference(try Decoded.rest(of: decoder), try Decoded.rest(of: reference), channels: 2) == nil)
      for frame: Int64 in [20_000, 100, 29_999] {
        try decoder.seek(toFrame: frame)
        try reference.seek(toFrame: frame)
        let (decoded, expected) = (try Decoded.rest(of: decoder), try Decoded.rest(of: reference))
        #expect(!expected.isEmpty)
        #expect(PCM.firstDifference(decoded, expected, channels: 2) == nil)
      }
      #expect(decoder.failure == nil)
    }
  }
}
