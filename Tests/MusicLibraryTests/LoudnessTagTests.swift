import MusicLibrary
import MusicModel
import SystemPackage
import TestSupport
import Testing

@Suite struct LoudnessTagTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func gain(_ bytes: [UInt8], _ name: String) throws -> ReplayGainTags {
    try TagReader().track(at: directory.write(bytes, to: name)).replayGain
  }

  @Test(
    arguments: [
      ("0", 5), ("-1280", 0), ("256", 6), ("-2560", -5), ("-32768", nil), ("32767", nil), ("11776", 51),
      ("1.5", nil),
      ("", nil), ("99999", nil), ("-1280 dB", nil), ("+256", 6),
    ] as [(String, Double?)])
  func `R128 gains are 256ths of a decibel below ReplayGain's reference`(text: String, expected: Double?)
    throws
  {
    let tags = try gain(
      SoundBytes.flac([("R128_TRACK_GAIN", text), ("r128_album_gain", text)]), "a.flac")
    #expect(tags == ReplayGainTags(trackGain: expected, albumGain: expected))
  }

  @Test func `R128 gains come before ReplayGain's`() throws {
    let tags = try gain(
      SoundBytes.flac([
        ("REPLAYGAIN_TRACK_GAIN", "-3 dB"), ("R128_TRACK_GAIN", "-2560"), ("REPLAYGAIN_ALBUM_GAIN", "-4 dB"),
        ("REPLAYGAIN_TRACK_PEAK", "0.5"),
      ]), "a.flac")
    #expect(tags == ReplayGainTags(trackGain: -5, trackPeak: 0.5, albumGain: -4))
  }

  @Test func `Names in lower case count, in comments, ID3 and APE`() throws {
    let expected = ReplayGainTags(trackGain: -3.5, trackPeak: 0.75)
    let comments = [("replaygain_track_gain", "-3.50 dB"), ("replaygain_track_peak", "0.75")]
    #expect(try gain(SoundBytes.flac(comments), "a.flac") == expected)
    let texts = comments.map { ("TXXX", Array("\($0.0)\0\($0.1)".utf8)) }
    #expect(try gain(SoundBytes.mp3(texts), "a.mp3") == expected)
    #expect(try gain(SoundBytes.mp3() + SoundBytes.ape(comments), "b.mp3") == expected)
  }

  @Test func `RVA2 frames stand in for ReplayGain`() throws {
    let track = rva2("track", gain: -3.5, peak: [16, 0x40, 0x00])
    let album = rva2("Album", gain: 2.25, peak: [0])
    let other = rva2("loud", gain: 20, peak: [])
    #expect(
      try gain(id3(other + track + album) + SoundBytes.mp3(), "a.mp3")
        == ReplayGainTags(trackGain: -3.5, trackPeak: 0.5, albumGain: 2.25))
    let both = SoundBytes.mp3() + SoundBytes.ape([("REPLAYGAIN_TRACK_GAIN", "-1 dB")])
    #expect(try gain(id3(track + album) + both, "b.mp3").trackGain == -1)
    #expect(
      try gain(id3(rva2("track", gain: -3.5, peak: [64, 1])) + SoundBytes.mp3(), "c.mp3").trackPeak == nil)
  }

  /// Identification, channel 1 (all), 512ths of a decibel, bits of the peak, peak.
  private func rva2(_ name: String, gain: Double, peak: [UInt8]) -> [UInt8] {
    let value = UInt16(bitPattern: Int16(gain * 512))
    let body =
      Array(name.utf8) + [0, 1, UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] + peak
    return Array("RVA2".utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
  }

  private func id3(_ frames: [UInt8]) -> [UInt8] {
    Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
  }
}
