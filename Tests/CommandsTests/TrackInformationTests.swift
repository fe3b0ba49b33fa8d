// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import TestSupport
import Testing

@testable import Commands

/// The command `info`.
@Suite struct TrackInformationTests {
  private let repl: CommandSession
  private let file: FilePath

  init() throws {
    repl = try CommandSession()
    let tags = [
      ("TITLE", "Low Light"), ("ARTIST", "Ann"), ("ALBUM", "Evening"), ("TRACKNUMBER", "2"), ("TRACKTOTAL", "9"),
      ("DATE", "1999"), ("GENRE", "Jazz"), ("REPLAYGAIN_TRACK_GAIN", "-3.25 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.5"),
      ("MUSICBRAINZ_ALBUMID", "0F2E4A10-7C1B-4F4E-8D7F-3A1C0B1D2E3F"), ("COMMENT", "taped\u{1B}[2J"),
    ]
    try repl.directory.write(SoundBytes.flac(tags), to: "music/a.flac")
    try repl.directory.write(Array("[00:01.00]First light\n".utf8), to: "music/a.lrc")
    try repl.directory.write([0xFF, 0xD8, 0xFF, 0xE0], to: "music/cover.jpg")
    file = repl.directory["music/a.flac"]
  }

  private func values(_ line: String) throws -> [String: String] {
    let lines = try repl.execute(line + " --plain")
    let pairs = lines.compactMap { line in
      line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  @Test func `Everything that is known of a file is printed`() throws {
    let values = try values("info \(file)")
    #expect(values["title"] == "Low Light" && values["artist"] == "Ann" && values["album"] == "Evening")
    #expect(values["track"] == "2 of 9" && values["date"] == "1999" && values["genre"] == "Jazz")
    #expect(values["path"] == file.string && values["format"]?.hasPrefix("FLAC, ") == true)
    #expect(values["track gain"] == "-3.25 dB, peak 0.5")
    #expect(values["MusicBrainz release"] == "0f2e4a10-7c1b-4f4e-8d7f-3a1c0b1d2e3f")
    #expect(values["cover"] == repl.directory["music/cover.jpg"].string)
    #expect(values["lyrics"] == repl.directory["music/a.lrc"].string + ", with times")
    #expect(values["tag GENRE"] == "Jazz" && values["library"] == "not in the library")
    #expect(values["tag COMMENT"]?.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test func `Without an argument, the current track is meant`() throws {
    #expect(repl.error("info")?.status == .nothingPlayable)
    _ = try repl.execute("queue add \(file) \(file)")
    repl.session.services.actions.play(repl.queue.items.id(at: 1))
    repl.session.services.actions.awaitDelivery()
    let values = try values("info")
    #expect(values["title"] == "Low Light" && values["in the queue at"] == "1, 2")
  }

  @Test func `What is missing is said`() throws {
    #expect(repl.error("info nosuch")?.status == .notFound)
    _ = try repl.execute("queue add \(file)")
    try FileManager.default.removeItem(atPath: file.string)
    repl.session.services.actions.play(repl.queue.items.id(at: 0))
    repl.session.services.actions.awaitDelivery()
    let values = try values("info")
    #expect(values["title"] == "Low Light" && values["problem"]?.contains("a.flac") == true)
  }

  @Test func `The JSON object has all values`() throws {
    let lines = try repl.execute("info \(file) --json")
    #expect(lines.count == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data((lines.first ?? "").utf8)) as? [String: Any])
    #expect(object["type"] as? String == "information" && object["version"] as? Int == 1)
    #expect((object["track"] as? [String: Any])?["title"] as? String == "Low Light")
    #expect((object["tags"] as? [String: [String]])?["GENRE"] == ["Jazz"])
    #expect((object["replayGain"] as? [String: Double])?["track"] == -3.25)
    #expect((object["musicBrainz"] as? [String: [String]])?["release"]?.count == 1)
    #expect((object["lyrics"] as? [String: Any])?["synced"] as? Bool == true)
    #expect((object["cover"] as? [String: Any])?["path"] as? String == repl.directory["music/cover.jpg"].string)
  }
}
