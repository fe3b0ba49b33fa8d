// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import LoudnessMeasuring
import MusicModel
import SndfileDecoding
import SystemPackage
import Tagging
import TestSupport
import Testing

/// A decoder that multiplies the output of another one by a factor, as playback does.
private final class GainedDecoder: AudioDecoder {
  private let decoder: any AudioDecoder
  private let factor: Float

  var format: AudioFormat { decoder.format }
  var frameCount: Int64? { decoder.frameCount }
  var failure: DecodingError? { decoder.failure }

  init(_ decoder: any AudioDecoder, factor: Float) {
    self.decoder = decoder
    self.factor = factor
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let count = decoder.read(into: buffer)
    if factor != 1 { for index in 0..<(count * format.channels) { buffer[index] *= factor } }
    return count
  }

  func seek(toFrame frame: Int64) throws(DecodingError) { try decoder.seek(toFrame: frame) }
}

/// Changes the first page of an Ogg file (RFC 3533), which contains only an Opus header.
enum OggPage {
  /// Sets the output gain, in 256ths of a decibel.
  static func setOpusGain(_ gain: Int16, in bytes: inout [UInt8]) {
    let segments = Int(bytes[26])
    let body = 27 + segments
    let size = body + bytes[27..<body].reduce(0) { $0 + Int($1) }
    let value = UInt16(bitPattern: gain)
    bytes[body + 16] = UInt8(truncatingIfNeeded: value)
    bytes[body + 17] = UInt8(value >> 8)
    for index in 22..<26 { bytes[index] = 0 }
    let checksum = checksum(bytes[..<size])
    for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { sum, byte in
      var sum = sum ^ UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
      return sum
    }
  }
}

extension ProgramLane {
  /// Opus files have two gains, one in their header and one in their tags (RFC 7845, sections 5.1 and 5.2.1). With both
  /// applied, the loudness must be ReplayGain's reference.
  @Suite struct OpusLevelTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Creates an Opus file of noise, with these comments and this gain in its header, in dB.
    private func opus(_ name: String = "a.opus", comments: [String] = [], headerGain: Double = 0) throws
      -> FilePath
    {
      let source = directory["noise.wav"]
      try Tool.run(
        "sox",
        [
          "-R", "-n", "-r", "48000", "-c", "2", "-b", "16", source.string, "synth", "4", "pinknoise", "vol",
          "0.2",
        ])
      let path = directory[name]
      try Tool.run(
        "opusenc", ["--quiet"] + comments.flatMap { ["--comment", $0] } + [source.string, path.string])
      guard headerGain != 0 else { return path }
      var bytes = try contents(of: path)
      OggPage.setOpusGain(Int16(headerGain * 256), in: &bytes)
      return try directory.write(bytes, to: name)
    }

    private func loudness(_ path: FilePath, factor: Float = 1) throws -> Double {
      let measurer = LoudnessMeasurer { path throws(DecodingError) in
        GainedDecoder(try SndfileDecoder(path: path), factor: factor)
      }
      return try #require(try measurer.measure(path, silenceBelow: -60).loudness.integrated)
    }

    /// Returns the loudness of the file when played with ReplayGain.
    private func playedLoudness(_ path: FilePath, mode: ReplayGainSettings.Mode) throws -> Double {
      let tags = try TagReader().track(at: path).replayGain
      let settings = ReplayGainSettings(mode: mode, clipping: .none)
      return try loudness(path, factor: settings.decision(for: tags, albumPlaysInOrder: true).factor)
    }

    @Test(arguments: [-6, 4.5, -20.25])
    func `the gain of the header is applied when decoding`(gain: Double) throws {
      let plain = try loudness(opus())
      let amplified = try loudness(opus(headerGain: gain))
      #expect(abs(amplified - plain - gain) < 0.05, "\(amplified) LUFS after \(plain) LUFS")
    }

    @Test(arguments: [0, -6, 4.5])
    func `tags of other programs give the reference loudness, whatever the gain of the header`(gain: Double)
      throws
    {
      let decoded = try loudness(opus(headerGain: gain))
      // What RFC 7845 requires: the gain from the decoded level, with the header's gain, to -23 LUFS.
      let value = Int(((-23 - decoded) * 256).rounded())
      let path = try opus(
        "b.opus", comments: ["R128_TRACK_GAIN=\(value)", "R128_ALBUM_GAIN=\(value - 512)"], headerGain: gain)
      #expect(abs(try playedLoudness(path, mode: .track) + 18) < 0.1)
      #expect(abs(try playedLoudness(path, mode: .album) + 20) < 0.1)
    }

    @Test(arguments: [0, -6, 4.5])
    func `tags that Segue writes give the reference loudness, whatever the gain of the header`(gain: Double)
      throws
    {
      let path = try opus(comments: ["REPLAYGAIN_TRACK_GAIN=+20 dB"], headerGain: gain)
      let decoded = try loudness(path)
      let tags = ReplayGainTags(
        trackGain: ReplayGainTags.referenceLoudness - decoded, trackPeak: 0.5,
        albumGain: ReplayGainTags.referenceLoudness - decoded + 3)
      try TagWriter.write(tags, to: path)
      #expect(abs(try loudness(path) - decoded) < 0.001)
      #expect(abs(try playedLoudness(path, mode: .track) + 18) < 0.1)
      #expect(abs(try playedLoudness(path, mode: .album) + 15) < 0.1)
    }

    @Test func `tags that opusenc makes from ReplayGain give the reference loudness`() throws {
      let source = directory["noise.flac"]
      let target = directory["c.opus"]
      _ = try opus()
      try Tool.run("sox", [directory["noise.wav"].string, source.string])
      let gain = ReplayGainTags.referenceLoudness - (try loudness(source))
      // opusenc puts the album gain, to -23 LUFS, into the header, and the track's difference from it into a tag.
      try TagWriter.write(
        ReplayGainTags(trackGain: gain, trackPeak: 0.5, albumGain: gain - 2), to: source)
      try Tool.run("opusenc", ["--quiet", source.string, target.string])
      #expect(abs(try playedLoudness(target, mode: .track) + 18) < 0.2)
    }
  }
}
