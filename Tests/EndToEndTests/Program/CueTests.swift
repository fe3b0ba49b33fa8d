// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Albums in one file, which a cue sheet divides into tracks.
  @Suite(.serialized) struct CueSheets {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Creates `music/Image.SUFFIX` with five seconds of noise at `rate`, and a cue sheet of four tracks, which names
    /// the file `IMAGE.WAV`. Returns the bytes of the noise.
    private func makeAlbum(_ suffix: String, rate: Int, first: String = "00:00:00") throws -> [UInt8] {
      var random = SeededGenerator(seed: UInt64(rate))
      let samples = (0..<(rate * 5 * 2 + 2)).map { _ in Int32.random(in: -9_000...9_000, using: &random) }
      let bytes = WaveFile.bytes(samples, rate: rate, channels: 2, depth: .bits16)
      let wave = try playground.directory.write(bytes, to: suffix == "wav" ? "music/Image.wav" : "in.wav")
      let file = playground["music/Image.\(suffix)"]
      try playground.directory.makeDirectory("music")
      switch suffix {
      case "flac": try Tool.run("flac", ["-s", "-o", file, wave.string])
      case "mp3": try Tool.run("lame", ["--quiet", "-V", "4", wave.string, file])
      case "ogg": try Tool.run("oggenc", ["-Q", "-o", file, wave.string])
      case "opus": try Tool.run("opusenc", ["--quiet", wave.string, file])
      default: break
      }
      let sheet = """
        PERFORMER "Noise"
        TITLE "Four Parts"
        FILE "C:\\Rip\\IMAGE.WAV" WAVE
          TRACK 01 AUDIO
            TITLE "First"
            INDEX 01 \(first)
          TRACK 02 AUDIO
            TITLE "Second"
            INDEX 00 00:01:00
            INDEX 01 00:01:31
          TRACK 03 AUDIO
            TITLE "Third"
            INDEX 01 00:01:32
          TRACK 04 AUDIO
            TITLE "Fourth"
            INDEX 01 00:03:74
        """
      try playground.directory.write(Array(sheet.utf8), to: "music/Image.cue")
      return Array(bytes.suffix(samples.count * 2))
    }

    private func expectSame(
      _ left: [UInt8], _ right: some Collection<UInt8>, _ location: SourceLocation = #_sourceLocation
    ) {
      if left.elementsEqual(right) { return }
      let commonCount = zip(left, right).prefix { $0 == $1 }.count
      Issue.record("\(left.count) and \(right.count) bytes, equal up to \(commonCount)", sourceLocation: location)
    }

    /// Renders `arguments`, and returns the bytes.
    private func render(_ arguments: String...) throws -> [UInt8] {
      let outcome = try playground.run(
        Playground.program.string,
        ["play"] + arguments + ["--output", "raw:out.raw", "--library", playground["music"]])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try playground.bytes("out.raw")
    }

    @Test(arguments: [("wav", 44_100), ("wav", 22_050), ("flac", 44_100), ("flac", 48_000), ("flac", 96_000)])
    func `Together, the tracks of a cue sheet have exactly the samples of its file`(suffix: String, rate: Int) throws {
      let samples = try makeAlbum(suffix, rate: rate)
      expectSame(try render(playground["music/Image.cue"]), samples)
      expectSame(try render(playground["music"]), samples)
      expectSame(try render("Noise/Four Parts"), samples)
      expectSame(try render(playground["music/Image.\(suffix)"]), samples)
      // Start with the third track.
      let start = (75 + 32) * rate / 75
      expectSame(try render("four parts", "third"), samples[(start * 4)...])
    }

    @Test(arguments: ["mp3", "ogg", "opus"])
    func `In lossy formats, too, all tracks together equal the file played alone`(suffix: String) throws {
      _ = try makeAlbum(suffix, rate: 48_000)
      expectSame(
        try render(playground["music/Image.cue"]), try render(playground["music/Image.\(suffix)"]))
    }

    @Test func `Sound before the first track is not played`() throws {
      let samples = try makeAlbum("flac", rate: 44_100, first: "00:00:33")
      expectSame(try render(playground["music/Image.cue"]), samples[(33 * 588 * 4)...])
    }

    @Test(arguments: ["flac", "flac block", "wv"])
    func `The tracks of a sheet in a file are chapters if it plays as a whole`(kind: String) throws {
      let wave = try playground.directory.write(
        WaveFile.bytes([Int32](repeating: 0, count: 48_000 * 40), rate: 48_000, channels: 1, depth: .bits16),
        to: "in.wav")
      let suffix = String(kind.prefix { $0 != " " })
      let file = "other/image.\(suffix)"
      let tracks = (1...3).map { "TRACK 0\($0) AUDIO\nTITLE \"No. \($0)\"\nINDEX 01 00:\($0 - 1)0:00" }
      let sheet = "FILE \"image.wav\" WAVE\n" + tracks.joined(separator: "\n") + "\n"
      try playground.directory.makeDirectory("other")
      if suffix == "flac" {
        try Tool.run("flac", ["-s", "-o", playground[file], wave.string])
        let path = try playground.directory.write(Array(sheet.utf8), to: "sheet.cue").string
        let option = kind == "flac" ? "--set-tag-from-file=CUESHEET=" : "--import-cuesheet-from="
        try Tool.run("metaflac", [option + path, playground[file]])
      } else {
        try Tool.run("ffmpeg", ["-v", "error", "-i", wave.string, "-metadata", "Cuesheet=\(sheet)", playground[file]])
      }
      let outcome = try playground.shell(
        """
        chapter() { $SEGUE status --json | grep -o '"chapter":"[^"]*"'; }
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'
        $SEGUE play ./\(file) >/dev/null; await 'chapter | grep -q 1'; chapter
        $SEGUE seek 15 >/dev/null; await 'chapter | grep -q 2'; chapter
        $SEGUE play ./other 2 >/dev/null
        await '$SEGUE status --json | grep -q "track.:2" && $SEGUE status --json | grep -q "isHeard.:true"'
        await '$SEGUE status --json | grep -q "elapsed.:[1-9]"'; chapter
        kill $s; wait $s; cat log >&2
        """)
      #expect(!outcome.errors.contains("never"), "\(outcome.errors)")
      let name = kind == "flac block" ? "Track " : "No. "
      #expect(outcome.lines == ["\"chapter\":\"\(name)1\"", "\"chapter\":\"\(name)2\""], "\(outcome.errors)")
    }

    @Test func `Listings give the start and end of a track in its file`() throws {
      _ = try makeAlbum("flac", rate: 44_100)
      let outcome = try playground.segue("tracks", "--json", "--library", playground["music"])
      let tracks = try outcome.lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      let titles = tracks.map { $0["title"] as? String }
      #expect(titles == ["First", "Second", "Third", "Fourth"])
      // Times are compared in CD frames.
      let starts = tracks.map { (($0["start"] as? Double ?? -1) * 75).rounded() }
      #expect(starts == [0, 106, 107, 299])
      let ends = tracks.compactMap { $0["end"] as? Double }.map { ($0 * 75).rounded() }
      #expect(ends == [106, 107, 299])
      let names = tracks.map { FilePath($0["path"] as? String ?? "").lastComponent?.string }
      #expect(names == Array(repeating: "Image.flac", count: 4))
    }
  }
}
