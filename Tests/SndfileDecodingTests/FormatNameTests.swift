// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FormatSniffing
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Files that cannot be decoded are named by their contents.
@Suite struct FormatNameTests {
  /// Returns the error text for a format of this name, which FFmpeg decodes.
  static func text(_ name: String) -> String { "is \(name), which libsndfile does not decode" }

  @Test(arguments: [
    ("unsupported.m4a", "AAC in an MP4 container"), ("alac.m4a", "ALAC in an MP4 container"),
    ("wavpack.wv", "WavPack"),
  ])
  func `a fixture of another format is named`(file: String, name: String) throws {
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: Fixture.broken(file)) }
    #expect(error?.kind == .otherDecoder)
    #expect(error?.reason == Self.text(name))
  }

  @Test(arguments: [
    ("text.mp3", "is not an audio file, but text"), ("png.ogg", "is not an audio file, but a PNG picture"),
    ("empty.mp3", "is not an audio file, but an empty file"),
    ("empty.flac", "is not an audio file, but an empty file"),
    ("tag-only.mp3", "is not an audio file, but tags without audio"),
    ("noise.flac", "is not a playable audio file"),
    ("255-channels.wav", "has 255 channels at 44100 Hz, which is not supported"),
  ])
  func `a file that is not audio is named`(file: String, reason: String) throws {
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: Fixture.broken(file)) }
    #expect(error?.reason == reason)
  }

  @Test(
    arguments: [
      ("MP+\u{17}", .musepack7), ("MPCK", .musepack8), ("MAC \u{3E}", .monkeysAudio), ("DSD ", .dsf),
      ("FRM8\0\0\0\0\0\0\0\0DSD ", .dff), ("MThd", .midi), ("Extended Module: a", .tracker),
      ("IMPM", .tracker), ("NESM\u{1A}", .gameMusic), ("SNES-SPC700 Sound File Data v0.30", .gameMusic),
      ("Vgm ", .gameMusic), ("GBS\u{1}", .gameMusic), ("SAP\r\n", .gameMusic),
      ("ajkg", .shorten), ("tBaK", .tak), ("OFR ", .optimFROG), ("#!AMR\n", .amr), ("GIF89a", .gif),
      ("%PDF-1.4", .pdf), ("RIFF\0\0\0\0AVI ", .avi), ("RIFF\0\0\0\0RMID", .midi),
      ("ID3\u{4}\0\0\0\0\0\0MAC ", .monkeysAudio),
      ("\n <!DOCTYPE html><p>Not found", .webPage), ("\u{FEFF}<HTML>", .webPage), ("<?xml version", .xml),
      ("#EXTM3U\na.mp3", .playlist), ("[playlist]\r\n", .playlist), ("FILE \"a.wav\" WAVE", .cueSheet),
      ("REM GENRE Jazz", .cueSheet), ("Hello, 夜", .text), (String(repeating: "\0", count: 100), .zeros),
      ("", .empty),
    ] as [(String, AudioFileFormat)])
  func `a file that begins like this is of that format`(beginning: String, format: AudioFileFormat) {
    #expect(FormatSignature(Array(beginning.utf8))?.format == format)
  }

  @Test(arguments: [0x40: AudioFileFormat.aacInMP4, 0x69: .mp3InMP4, 0x6B: .mp3InMP4])
  func `MPEG audio in an MP4 file is named by its object type`(objectType: UInt8, format: AudioFileFormat) throws {
    var bytes = try contents(of: Fixture.broken("unsupported.m4a"))
    // The decoder configuration begins with its tag, and its length in four bytes.
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: "esds".utf8) })
    let descriptor = try #require(bytes[offset...].dropFirst(13).firstIndex(of: 4))
    bytes[descriptor + 5] = objectType
    #expect(FormatSignature(bytes)?.format == format)
  }

  @Test func `FLAC frames without a stream header are not AAC, and UTF-16 text is not MPEG`() {
    let frame: [UInt8] = [0xFF, 0xF8, 0xC9, 0x18, 0, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(FormatSignature(frame)?.format == .rawFLAC)
    #expect(FormatSignature(frame.map { $0 == 0xC2 ? 0 : $0 })?.format == .aac)
    let text: [UInt8] = [0xFF, 0xFE] + Array("Hello, this is a text.\r\n".utf8).flatMap { [$0, 0] }
    #expect(FormatSignature(text)?.format == .text)
  }

  @Test func `tracker modules are recognised by bytes in their middle`() {
    var bytes = [UInt8](repeating: 7, count: 2000)
    bytes.replaceSubrange(1080..<1084, with: Array("M.K.".utf8))
    #expect(FormatSignature(bytes)?.format == .tracker)
    bytes = [UInt8](repeating: 200, count: 200)
    bytes.replaceSubrange(44..<48, with: Array("SCRM".utf8))
    #expect(FormatSignature(bytes)?.format == .tracker)
  }

  @Test(arguments: [
    ("drms", AudioFileFormat.protectedMP4), ("enca", .encryptedMP4), ("Opus", .opusInMP4), ("mp4v", .mp4),
    (".mp3", .mp3InMP4),
  ])
  func `an MP4 file is named by the contents of its tracks`(code: String, format: AudioFileFormat) throws {
    var bytes = try contents(of: Fixture.broken("alac.m4a"))
    let offsets = bytes.indices.filter { bytes[$0...].starts(with: "alac".utf8) }
    for offset in offsets { bytes.replaceSubrange(offset..<(offset + 4), with: Array(code.utf8)) }
    let expected = code == "mp4v" ? AudioFileFormat.mp4Video : format
    #expect(FormatSignature(bytes)?.format == expected)
  }

  @Test func `no truncated or damaged file causes a crash`() throws {
    var random = SeededGenerator(seed: 10)
    for name in ["alac.m4a", "unsupported.m4a", "wavpack.wv", "png.ogg", "chained.ogg", "tags-hostile.mp3"] {
      let bytes = try contents(of: Fixture.broken(name))
      for length in stride(from: 0, to: min(bytes.count, 2000), by: 13) {
        _ = FormatSignature(Array(bytes.prefix(length)))
      }
      for _ in 0..<100 {
        var damaged = bytes
        for _ in 0..<20 {
          damaged[Int.random(in: damaged.indices, using: &random)] =
            [0, 1, 0x7F, 0xFF].randomElement(using: &random) ?? 0
        }
        _ = FormatSignature(damaged)
      }
    }
  }

  @Test func `a WAV in a coding that libsndfile does not read is named with it`() throws {
    var bytes = SoundBytes.wav()
    bytes[20] = 0x61
    bytes[21] = 0x01
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: "a.wav")
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
    #expect(error?.kind == .otherDecoder)
    #expect(error?.reason == Self.text("WAV with codec 0x161"))
  }

  @Test func `a file of a known container in an unknown coding says so`() throws {
    var bytes = [UInt8]("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 32]
    bytes += [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0] + Array("aac ".utf8) + [UInt8](repeating: 0, count: 20)
    bytes += Array("data".utf8) + [0, 0, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 256)
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: "a.caf")
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
    #expect(error?.kind == .otherDecoder)
    #expect(error?.reason == "is CAF with a codec that libsndfile does not decode")
  }
}

extension FormatSignature {
  /// Creates the signature of a file with these bytes.
  init?(_ bytes: [UInt8]) {
    self.init(size: Int64(bytes.count)) { offset, count in
      guard offset >= 0, offset < bytes.count else { return [] }
      return Array(bytes[Int(offset)...].prefix(count))
    }
  }
}

extension ProgramLane {
  /// Encoder output that libsndfile does not decode is named by its contents.
  @Suite struct EncodedFormatNameTests {
    /// The arguments are the suffix of a file, ffmpeg's options to create it, and the name of its format.
    @Test(arguments: [
      ("aac", ["-c:a", "aac", "-f", "adts"], "AAC"),
      ("tta", ["-c:a", "tta"], "True Audio"), ("wma", ["-c:a", "wmav2"], "Windows Media Audio"),
      ("mka", ["-c:a", "flac"], "Matroska"), ("webm", ["-c:a", "libopus"], "WebM"),
      ("ac3", ["-c:a", "ac3"], "AC-3"), ("thd", ["-c:a", "truehd", "-strict", "-2"], "TrueHD or MLP"),
      ("spx", ["-c:a", "libspeex", "-ar", "16000", "-f", "ogg"], "Speex"),
      ("rm", ["-c:a", "real_144", "-ar", "8000", "-ac", "1"], "RealMedia"),
      ("m4a", ["-c:a", "aac", "-movflags", "+faststart"], "AAC in an MP4 container"),
      ("mov", ["-c:a", "alac"], "ALAC in an MP4 container"),
      ("mov", ["-c:a", "pcm_s24le"], "PCM in an MP4 container"),
      ("mov", ["-c:a", "pcm_s16be"], "PCM in an MP4 container"), ("latm", ["-c:a", "aac"], "AAC in a LOAS stream"),
      ("mp4", ["-c:a", "flac", "-strict", "-2"], "FLAC in an MP4 container"),
      ("mp4", ["-c:a", "ac3"], "AC-3 in an MP4 container"),
      ("mp4", ["-c:a", "libmp3lame"], "MP3 in an MP4 container"),
      ("asf", ["-c:a", "wmav2"], "Windows Media Audio"), ("mkv", ["-c:a", "aac"], "Matroska"),
    ])
    func `the output of an encoder is named`(suffix: String, options: [String], name: String) throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("a.\(suffix)")
      try Tool.run(
        "ffmpeg",
        ["-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=0.5:sample_rate=48000"] + options
          + [path.string])
      let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
      #expect(error?.kind == .otherDecoder)
      #expect(error?.reason == FormatNameTests.text(name))
    }
  }
}
