// SPDX-License-Identifier: GPL-3.0-or-later

import AcousticFingerprinting
import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

@Suite(.enabled(if: AcousticFingerprinter.libraryVersion != nil, "libchromaprint is not installed"))
struct AcousticFingerprinterTests {
  private static let canon = "The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac"
  static let files = [
    canon, "Various Artists/Old Tunes, New Friends/01 Greensleeves.ogg", "時計の楽団/日本のうた/02 荒城の月.flac",
    "時計の楽団/日本のうた/03 ちょうちょう.wav",
  ].map { Fixture.music($0) }

  static func fingerprint(_ path: FilePath) throws -> String {
    try AcousticFingerprinter { path throws(DecodingError) in try SndfileDecoder(path: path) }.fingerprint(of: path)
  }

  @Test func `Each recording has a fingerprint of its own, always the same`() throws {
    let found = try Self.files.map { try Self.fingerprint($0) }
    #expect(Set(found).count == found.count && found.allSatisfy { $0.hasPrefix("AQ") && $0.count > 50 })
    #expect(try Self.fingerprint(Self.files[0]) == found[0])
  }

  @Test func `A file that is missing, or is no sound, has none`() throws {
    let directory = try TemporaryDirectory()
    let text = try directory.write("no sound".utf8, to: "a.flac")
    for path in [text, directory["nowhere.flac"]] {
      #expect(throws: FingerprintError.self) { try Self.fingerprint(path) }
    }
  }

  @Test func `A file without a single frame is no crash`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      SoundBytes.wav().prefix(44), to: "a.wav")
    _ = try? Self.fingerprint(path)
  }
}

extension ProgramLane {
  @Suite(.enabled(if: AcousticFingerprinter.libraryVersion != nil, "libchromaprint is not installed"))
  struct FingerprintPeersTests {
    @Test(arguments: AcousticFingerprinterTests.files)
    func `The fingerprint is the one that FFmpeg calculates`(path: FilePath) throws {
      let directory = try TemporaryDirectory()
      let report = directory.file("report")
      // FFmpeg's own conversion to 16 bits adds dither.
      try Tool.run(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-i", path.string, "-t", "120", "-af", "aresample=dither_method=none",
          "-f", "chromaprint", "-fp_format", "base64", report.string,
        ])
      let expected = String(decoding: try contents(of: report), as: UTF8.self)
      #expect(try AcousticFingerprinterTests.fingerprint(path) == expected)
    }
  }
}
