// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import LoudnessMeasuring
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  @Suite struct LoudnessPeersTests {
    private static let files = [
      "The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac",
      "Various Artists/Old Tunes, New Friends/01 Greensleeves.ogg", "時計の楽団/日本のうた/02 荒城の月.flac",
      "時計の楽団/日本のうた/03 ちょうちょう.wav",
    ].map { Fixture.music($0) }

    @Test(arguments: files)
    func `loudness, range and peak match ffmpeg's ebur128`(path: FilePath) throws {
      let measurer = LoudnessMeasurer { path throws(DecodingError) in try SndfileDecoder(path: path) }
      let loudness = try measurer.measure(path, silenceBelow: -60).loudness
      let peer = try Peer(path)
      #expect(abs(try #require(loudness.integrated) - peer.integrated) <= 0.1)
      // ffmpeg computes the short-term loudness ten times as often; EBU Tech 3342 allows 1 LU.
      #expect(abs(try #require(loudness.range) - peer.range) <= 1)
      #expect(abs(20 * log10(loudness.truePeak) - peer.peak) <= 0.3)
    }

    /// The values that ffmpeg measures in a file.
    private struct Peer {
      let integrated: Double
      let range: Double
      let peak: Double

      init(_ path: FilePath) throws {
        let directory = try TemporaryDirectory()
        let report = directory.file("report")
        try Tool.run(
          "bash",
          [
            "-c",
            "ffmpeg -nostdin -hide_banner -i \"$1\" -af ebur128=peak=true:dualmono=true -f null - 2> \"$2\"",
            "peer",
            path.string, report.string,
          ])
        let text = String(decoding: try contents(of: report), as: UTF8.self)
        let summary = text.components(separatedBy: "Summary:").last ?? ""
        func number(_ label: String) throws -> Double {
          let line = try #require(summary.split(separator: "\n").first { $0.contains(label) })
          return try #require(line.split(separator: " ").lazy.compactMap { Double($0) }.first)
        }
        integrated = try number("I:")
        range = try number("LRA:")
        peak = try number("Peak:")
      }
    }
  }
}
