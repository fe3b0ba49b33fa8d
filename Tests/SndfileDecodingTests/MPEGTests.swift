// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// MPEG audio in all its layers and versions, with tags of every kind before and after it.
  @Suite struct MPEGTests {
    private static let lame = ["lame", "--quiet"]
    private static let ffmpeg = ["ffmpeg", "-loglevel", "error", "-i"]

    @Test(arguments: [
      (lame + ["-b", "64", "--resample", "22.05", "IN", "OUT"], 22_050),
      (lame + ["-b", "32", "--resample", "8", "IN", "OUT"], 8000),
      (lame + ["-t", "-b", "64", "--resample", "24", "IN", "OUT"], 24_000),
      (lame + ["-t", "-b", "32", "--resample", "11.025", "IN", "OUT"], 11_025),
      (lame + ["-t", "-V", "5", "IN", "OUT"], 48_000),
      (lame + ["--freeformat", "-b", "400", "IN", "OUT"], 48_000),
      (lame + ["-t", "--freeformat", "-b", "400", "IN", "OUT"], 48_000),
      (ffmpeg + ["IN", "-c:a", "mp2", "-f", "mp2", "OUT"], 48_000),
      (ffmpeg + ["IN", "-c:a", "mp2", "-ar", "22050", "-f", "mp2", "OUT"], 22_050),
    ])
    func `every layer and version is complete, and the same after its tags`(command: [String], rate: Int)
      throws
    {
      let directory = try TemporaryDirectory()
      let original = directory.file("in.wav")
      try Tool.run(
        "sox", ["-R", "-n", "-r", "48000", "-c", "2", "-b", "16", original.string, "synth", "1", "sine", "440"])
      let path = directory.file("out")
      let words = command.map { $0 == "IN" ? original.string : $0 == "OUT" ? path.string : $0 }
      try Tool.run(words[0], Array(words.dropFirst()))
      let decoded = try Decoded.all(path)
      #expect(abs(decoded.count / 2 - rate) < 3000)
      let bytes = try contents(of: path)
      for (name, tagged) in Self.tagged(bytes) {
        let decoder = try SndfileDecoder(path: directory.write(tagged, to: "tagged"))
        #expect(decoder.format.sampleRate == rate)
        #expect(abs((decoder.frameCount ?? 0) - Int64(decoded.count / 2)) < 3000, "\(name)")
        let samples = try Decoded.rest(of: decoder)
        // Bytes of a tag after the audio may look like the beginning of another frame.
        #expect(abs(samples.count - decoded.count) <= 2 * 1152, "\(name)")
        let count = min(samples.count, decoded.count)
        #expect(
          PCM.firstDifference(
            Array(samples.prefix(count)), Array(decoded.prefix(count)), channels: 2, tolerance: 0.0001) == nil,
          "\(name)")
        #expect(decoder.failure == nil, "\(name)")
      }
    }

    /// A tag of 16 MB.
    private static let cover = SoundBytes.id3([
      ("APIC", [UInt8](repeating: 0xFF, count: 16_000_000))
    ])

    /// Returns the stream with different tags before or after it, each with a description.
    private static func tagged(_ bytes: [UInt8]) -> [(String, [UInt8])] {
      let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
      let words = "LYRICSBEGININD00002LYR00005Hello"
      let lyrics = Array("\(words)\(String(1_000_000 + words.utf8.count).dropFirst())LYRICS200".utf8)
      let ape = SoundBytes.ape([("Title", "T"), ("REPLAYGAIN_TRACK_GAIN", "-3 dB")])
      return [
        ("a large cover", cover + bytes), ("APEv2", bytes + ape),
        ("ID3v1", bytes + id3v1), ("Lyrics3 and ID3v1", bytes + lyrics + id3v1),
        ("APEv2 and ID3v1", bytes + ape + id3v1),
      ]
    }
  }
}

extension ProgramLane {
  /// MP3 files that do not state their length, compared with mpg123's output.
  @Suite struct UnstatedLengthTests {
    @Test func `an MP3 of variable rate that does not state its length is complete`() throws {
      let path = Fixture.broken("vbr-no-xing.mp3")
      let decoder = try SndfileDecoder(path: path)
      #expect(decoder.frameCount == 266_112)
      let decoded = try Decoded.rest(of: decoder)
      let raw = try Tool.run("mpg123", ["-q", "--no-gapless", "-e", "f32", "-s", path.string])
      let expected = PCM.samples(raw, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
      #expect(PCM.firstDifference(decoded, expected, channels: decoder.format.channels, tolerance: 0.0001) == nil)
      // Frames this small take their bits from more earlier frames than mpg123 reads again after a seek.
      try expectExactSeeks(
        path, channels: decoder.format.channels, tolerance: 0.0001, settling: 8 * 1152)
    }

    @Test func `an MP3 of constant rate that does not state its length is complete`() throws {
      let directory = try TemporaryDirectory()
      let original = try directory.write(
        WaveFile.bytes(testSignal(30_011, channels: 2, .bits16), rate: 44_100, channels: 2, depth: .bits16),
        to: "in.wav")
      let path = directory.file("out.mp3")
      try Tool.run("lame", ["--quiet", "-t", "-b", "128", original.string, path.string])
      let raw = try Tool.run("mpg123", ["-q", "--no-gapless", "-e", "f32", "-s", path.string])
      let expected = PCM.samples(raw, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
      #expect(PCM.firstDifference(try Decoded.all(path), expected, channels: 2, tolerance: 0.0001) == nil)
    }
  }
}
