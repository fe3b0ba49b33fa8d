// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Ratings that are written into the tags of files.
  @Suite struct RatingWritingTests {
    private let playground: Playground
    private var library: [String: String] { ["SEGUE_LIBRARY": playground["music"]] }

    /// Formats whose tags can hold a rating, by the suffix of a file.
    private static let formats = ["flac", "ogg", "opus", "mp3", "wav", "aiff", "m4a", "wma", "wv"]

    init() throws {
      playground = try Playground(isScanned: false)
      try playground.directory.makeDirectory("music")
    }

    /// Creates a file with two seconds of noise and some tags in the library.
    private func makeFile(_ name: String, _ options: [String] = []) throws {
      let source = playground["noise.wav"]
      if !FileManager.default.fileExists(atPath: source) {
        let format = ["-r", "44100", "-c", "2", "-b", "16"]
        try Tool.run("sox", ["-R", "-n"] + format + [source, "synth", "2", "pinknoise", "gain", "-6"])
      }
      let tags = ["title=\(name)", "album=Noise", "artist=Ann", "mood=calm"].flatMap { ["-metadata", $0] }
      let special = name.hasSuffix("aiff") ? ["-write_id3v2", "1"] : []
      try Tool.run(
        "ffmpeg",
        ["-nostdin", "-v", "error", "-i", source] + tags + options + special + [playground["music/\(name)"]])
    }

    private func rate(_ stars: String, _ name: String) throws {
      let outcome = try playground.segue("rate", stars, playground["music/\(name)"], with: library)
      #expect(outcome.status == 0, "\(outcome)")
    }

    private func write(_ arguments: String...) throws -> Playground.Outcome {
      try playground.run(Playground.program.string, ["ratings", "write"] + arguments, with: library)
    }

    /// Returns the tags that FFmpeg reads.
    private func tags(_ name: String) throws -> String {
      let entries = "format_tags:stream_tags"
      return try playground.run(
        "ffprobe", ["-v", "error", "-show_entries", entries, "-of", "flat", playground["music/\(name)"]]
      ).output.lowercased()
    }

    /// Returns the decoded audio of a file.
    private func sound(_ name: String) throws -> String {
      try playground.run(
        "ffmpeg", ["-nostdin", "-v", "error", "-i", playground["music/\(name)"], "-map", "0:a", "-f", "md5", "-"]
      ).output
    }

    @Test(arguments: formats)
    func `A rating is written, and another library reads it`(format: String) throws {
      let name = "a.\(format)"
      try makeFile(name)
      #expect(try playground.segue("scan", with: library).status == 0)
      try rate("4.5", name)
      let (before, sound) = (try playground.bytes("music/\(name)"), try sound(name))
      let announced = try write("--dry-run")
      #expect(announced.status == 0 && announced.output.contains("4.5 ") && announced.output.contains(name))
      #expect(try playground.bytes("music/\(name)") == before)
      let written = try write()
      #expect(written.status == 0 && written.errors == "", "\(written)")
      #expect(try self.sound(name) == sound)
      // FFmpeg does not read ID3v2 in WAV.
      let isRead = format != "wav"
      let found = try tags(name)
      #expect(found.contains("0.9") && found.contains("noise") || !isRead, "\(found)")
      let other = try playground.run(
        Playground.program.string, ["tracks", "--json", "rating:4.5", "--data-dir", playground["other"]], with: library)
      #expect(other.output.contains("\"rating\":9") && other.output.contains("\"album\":\"Noise\""), "\(other)")
      // What is written already is not written again.
      let complete = try playground.bytes("music/\(name)")
      #expect(try write().status == 0)
      #expect(try playground.bytes("music/\(name)") == complete)
      try rate("2", name)
      #expect(try write("title:a").status == 0)
      #expect(try self.sound(name) == sound && (tags(name).contains("0.4") || !isRead))
      #expect(try !tags(name).contains("0.9"))
      let reread = try playground.run(
        Playground.program.string, ["tracks", "--json", "rating:2", "--data-dir", playground["third"]], with: library)
      #expect(reread.output.contains("\"rating\":4"), "\(reread)")
    }

    @Test func `Ratings of other programs get the new value in their own scale`() throws {
      try makeFile("a.flac", ["-metadata", "RATING=60"])
      try makeFile("b.flac", ["-metadata", "RATING=explicit"])
      try makeFile("c.mp3")
      let counted = ("POPM", Array("x@y".utf8) + [0, 64, 0, 0, 0, 7])
      let sound = try playground.bytes("music/c.mp3")
      let title = ("TIT2", [3] + Array("c.mp3".utf8))
      let rest = sound.dropFirst(10 + sound[6..<10].reduce(0) { $0 << 7 | Int($1) })
      try playground.directory.write(SoundBytes.id3([title, counted]) + rest, to: "music/c.mp3")
      #expect(try playground.segue("scan", with: library).status == 0)
      for name in ["a.flac", "b.flac", "c.mp3"] { try rate("4", name) }
      let written = try write()
      #expect(written.status == 0, "\(written)")
      #expect(try tags("a.flac").contains("rating=\"80\"") && tags("b.flac").contains("rating=\"explicit\""))
      let bytes = try playground.bytes("music/c.mp3")
      let frame = Array("x@y".utf8) + [0, 196, 0, 0, 0, 7]
      #expect(bytes.indices.contains { bytes[$0...].starts(with: frame) })
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: Array("Windows Media Player".utf8)) })
    }

    @Test func `A file that the player reads or is about to read is left out`() throws {
      for name in ["a.flac", "b.flac", "c.flac", "d.flac"] { try makeFile(name) }
      #expect(try playground.segue("scan", with: library).status == 0)
      for name in ["a.flac", "d.flac"] { try rate("3", name) }
      let before = try playground.bytes("music/a.flac")
      let outcome = try playground.shell(
        """
        export SEGUE_LIBRARY="$PWD/music"
        "$SEGUE" serve --output silent > log 2>&1 & player=$!
        await 'grep -q listening log'
        "$SEGUE" play Noise && "$SEGUE" pause && "$SEGUE" ratings write
        kill $player; wait $player
        """)
      #expect(outcome.errors.contains("left out 1 file"), "\(outcome)")
      #expect(try playground.bytes("music/a.flac") == before && tags("d.flac").contains("0.6"))
      #expect(try write().status == 0)
      #expect(try tags("a.flac").contains("0.6"))
    }

    @Test func `A file that cannot hold a rating is named, and the others are written`() throws {
      try Tool.run("sox", ["-n", "-r", "44100", "-c", "2", playground["music/a.caf"], "synth", "1", "sine"])
      try makeFile("b.flac")
      #expect(try playground.segue("scan", with: library).status == 0)
      for name in ["a.caf", "b.flac"] { try rate("5", name) }
      let outcome = try write()
      #expect(outcome.status == 1 && outcome.errors.contains("a.caf: this format"), "\(outcome)")
      #expect(try tags("b.flac").contains("1.0"))
    }

    @Test func `A query that is wrong, or a library that is missing, is an error in one line`() throws {
      let wrong = try write("rating:7")
      #expect(wrong.status == 2 && wrong.errors.contains("invalid rating"), "\(wrong)")
      let none = try playground.segue("ratings", "write", "--library", playground["nowhere"])
      #expect(none.status != 0 && none.errors.hasPrefix("segue: ") && none.errors.split(separator: "\n").count == 1)
    }
  }
}
