// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Tests of `segue gain`.
  @Suite(.serialized) struct Gain {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// A line of the output of `segue gain --json`.
    private struct Line: Decodable, Equatable {
      let path: String
      let title: String
      let album: String
      let loudness: Double?
      let range: Double?
      let truePeak: Double
      let trackGain: Double?
      let albumLoudness: Double?
      let albumPeak: Double?
      let albumGain: Double?
    }

    private func measure(_ arguments: String...) throws -> [Line] {
      let outcome = try playground.run(Playground.program.string, ["gain", "--json"] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try outcome.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// Creates the file `name` with pink noise.
    @discardableResult
    private func makeNoise(_ name: String, seconds: Double = 3, volume: Double = 0.3, _ options: String...) throws
      -> FilePath
    {
      let path = playground.directory[name]
      try playground.directory.makeDirectory(FilePath(name).removingLastComponent().string)
      try Tool.run(
        "sox",
        [
          "-R", "-n", "-r", "48000", "-c", "2", "-b", "16", path.string, "synth", "\(seconds)", "pinknoise",
          "vol", "\(volume)",
        ]
          + options)
      return path
    }

    @Test func `An album is shown as a table, or as one JSON object per track`() throws {
      let table = try playground.segue("gain", "ground and air")
      #expect(table.status == 0 && table.errors.isEmpty, "\(table.errors)")
      #expect(table.lines.count == 7)
      #expect(table.lines[0] == "The Clockwork Consort/Ground and Air")
      let columns = table.lines[1].split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(columns == ["Track", "Loudness", "Range", "True peak", "Track gain", "Album gain"])
      #expect(table.lines[2].hasPrefix("01 Canon in D, Part One"))
      #expect(table.lines[2].contains(" LUFS ") && table.lines[2].contains(" LU "))
      #expect(table.lines[6].hasPrefix("Album"))
      let lines = try measure("ground and air")
      #expect(lines.map(\.title).first == "Canon in D, Part One" && lines.count == 4)
      for line in lines {
        let gain = try #require(line.trackGain)
        #expect(abs(gain - (-18 - (try #require(line.loudness)))) < 1e-9)
        #expect(line.albumGain == lines[0].albumGain && line.albumPeak == lines.map(\.truePeak).max())
      }
      #expect(Set(lines.compactMap(\.trackGain)).count == 4)
    }

    /// Returns the samples of a WAV file with 16 bits.
    private func samples(_ name: String) throws -> [Int16] {
      let outcome = try playground.shell("sox \(name) -t raw - > samples.raw")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try PCM.samples(playground.bytes("samples.raw"), depth: .bits16).map { Int16(truncatingIfNeeded: $0) }
    }

    /// Runs the program with these settings in its environment.
    private func segue(_ settings: [String: String], _ arguments: String...) throws -> Playground.Outcome {
      try Playground(playground, with: settings).run(Playground.program.string, arguments)
    }

    @Test func `Silence at the ends of a track is skipped to the frame, and the gap is left`() throws {
      let file = try makeNoise("single/a.wav", seconds: 2, "pad", "3", "4")
      let settings = ["SEGUE_SKIP_SILENCE": "true", "SEGUE_SILENCE_GAP": "0.25", "SEGUE_SILENCE_THRESHOLD": "-80"]
      func played() throws -> [Int16] {
        let outcome = try segue(settings, "play", file.string, "--output", "wav:\(playground["out.wav"])")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try samples("out.wav")
      }
      let whole = try samples("single/a.wav")
      // It was not measured, or with another threshold.
      #expect(try played() == whole)
      #expect(try measure(file.string).count == 1)
      #expect(try played() == whole)
      #expect(try segue(settings, "gain", file.string).status == 0)
      let isLoud = { (sample: Int16) in abs(Float(sample)) >= 32_768 * 0.000_1 }
      let first = try #require(whole.firstIndex(where: isLoud)) / 2 * 2
      let last = try #require(whole.lastIndex(where: isLoud)) / 2 * 2
      #expect(try played() == Array(whole[(first - 2 * 12_000)..<(last + 2 + 2 * 12_000)]))
    }

    @Test func `A track without ReplayGain values is measured as it is first played, if the user wants it`() throws {
      // Longer than it plays here.
      try playground.directory.makeDirectory("single")
      let file = playground.directory["single/a.wav"]
      let noise = ["synth", "300", "pinknoise", "vol", "0.3"]
      try Tool.run("sox", ["-R", "-n", "-r", "8000", "-c", "1", "-b", "16", file.string] + noise)
      let settings = ["SEGUE_MEASURE_LOUDNESS": "true", "SEGUE_REPLAY_GAIN": "track"]
      func gain(_ settings: [String: String], until isReached: (String) -> Bool) throws {
        let player = try TerminalSession(
          Playground(playground, with: settings), ["play", file.string, "--output", "silent", "--plain"])
        try waitFor("the gain") { try isReached(playground.segue("status").output) }
        player.send(SIGTERM)
        _ = player.exitStatus()
      }
      let script = """
        from sqlite3 import connect
        print(connect('data/index.sqlite').execute('SELECT path FROM loudness').fetchall())
        """
      func isMeasured() throws -> Bool {
        let outcome = try playground.shell("python3 -c \"\(script)\"")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.contains("/a.wav")
      }
      try gain(["SEGUE_REPLAY_GAIN": "track"]) { $0.contains("fallback") }
      #expect(try !isMeasured())
      try gain(settings) { status in (try? isMeasured()) == true && status.contains("fallback") }
      try gain(settings) { $0.contains("track gain") }
    }

    @Test func `Unchanged files are measured again only on request`() throws {
      let file = try makeNoise("album/a.wav")
      try makeNoise("album/b.wav", volume: 0.1)
      let first = try measure("album")
      #expect(first.count == 2 && first[0].albumGain != nil)
      // Replace the noise with silence of the same size, and keep the modification time.
      let script =
        "touch -r '\(file)' old && size=$(stat -c %s '\(file)') && truncate -s 44 '\(file)' && truncate -s $size '\(file)' && touch -r old '\(file)'"
      #expect(try playground.shell(script).status == 0)
      #expect(try measure("album") == first)
      let remeasured = try measure("album", "--again")
      #expect(remeasured[0].loudness == nil && remeasured[0].trackGain == nil)
      #expect(remeasured[1].loudness == first[1].loudness && remeasured[1].albumGain != first[1].albumGain)
      // Change one file, and add another.
      try makeNoise("album/a.wav", volume: 0.2)
      #expect(try measure("album")[0].loudness != nil)
      try makeNoise("album/c.wav", volume: 0.2)
      let measured = try measure("album")
      #expect(measured.count == 3 && Set(measured.compactMap(\.albumGain)).count == 1)
    }

    @Test func `Tags are written to a file that was changed in place since the last scan`() throws {
      let file = try makeNoise("music/album/a.flac").string
      try makeNoise("music/album/b.flac")
      let library = ["--library", playground["music"]]
      let program = Playground.program.string
      #expect(try playground.shell("cp '\(file)' untagged.flac").status == 0)
      #expect(try playground.run(program, ["scan"] + library).status == 0)
      #expect(try playground.run(program, ["gain", "--all", "--write"] + library).status == 0)
      #expect(try playground.run(program, ["scan"] + library).status == 0)
      let gain = try tags(file)["REPLAYGAIN_TRACK_GAIN"]
      #expect(gain != nil)
      #expect(try playground.shell("cat untagged.flac > '\(file)'").status == 0)
      #expect(try tags(file)["REPLAYGAIN_TRACK_GAIN"] == nil)
      let again = try playground.run(program, ["gain", "--all", "--write"] + library)
      #expect(again.status == 0 && again.errors.isEmpty)
      #expect(try tags(file)["REPLAYGAIN_TRACK_GAIN"] == gain)
    }

    @Test func `A temporary file left by a killed process is tolerated and removed`() throws {
      let file = try makeNoise("album/a.flac").string
      try playground.directory.write([1, 2, 3], to: "album/.segue-17-42.flac")
      #expect(try playground.segue("gain", "./album", "--write").status == 0)
      #expect(try tags(file)["REPLAYGAIN_TRACK_GAIN"] != nil)
      #expect(try DirectoryListing(of: playground.directory["album"]).entries.map(\.name.string) == ["a.flac"])
    }

    @Test func `A single file has no album gain`() throws {
      let path = try makeNoise("album/a.wav").string
      try makeNoise("album/b.wav", volume: 0.1)
      #expect(try measure(path)[0].albumGain == nil)
      #expect(try measure("./album").allSatisfy { $0.albumGain != nil })
      #expect(try measure("./album", "./album").count == 2)
    }

    private static let encoders = [
      "flac": ["-c:a", "flac"], "ogg": ["-c:a", "libvorbis"], "opus": ["-c:a", "libopus"],
      "mp3": ["-c:a", "libmp3lame"], "wav": ["-c:a", "pcm_s16le"],
      "aiff": ["-c:a", "pcm_s16be", "-write_id3v2", "1"],
    ]

    /// Returns the tags of a file as ffprobe shows them, with names in upper case.
    private func tags(_ path: String) throws -> [String: String] {
      struct Probe: Decodable {
        struct Section: Decodable { let tags: [String: String]? }
        let format: Section
        let streams: [Section]
      }
      let json = try Tool.run(
        "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", path])
      let probe = try JSONDecoder().decode(Probe.self, from: Data(json))
      let allTags = ([probe.format] + probe.streams).flatMap { $0.tags ?? [:] }
      return Dictionary(allTags.map { ($0.key.uppercased(), $0.value) }) { first, _ in first }
    }

    @Test(arguments: encoders.keys.sorted())
    func `Tags are written, and the sound stays unchanged`(suffix: String) throws {
      let source = try makeNoise("source.wav", seconds: 1).string
      try playground.directory.makeDirectory("album")
      let files = try ["a", "b"].map { name in
        let path = playground["album/\(name).\(suffix)"]
        try Tool.run(
          "ffmpeg",
          ["-nostdin", "-v", "error", "-i", source, "-af", "volume=\(name == "a" ? 1 : 0.5)"]
            + (Self.encoders[suffix] ?? [])
            + [
              "-metadata", "title=Tïtle \(name)", "-metadata", "artist=Artist", "-metadata", "album=Album",
              path,
            ])
        return path
      }
      func frames() throws -> [UInt8] {
        #expect(try playground.segue("play", "./album", "--output", "raw:out.raw").status == 0)
        return try playground.bytes("out.raw")
      }
      let before = try frames()
      let tagsBefore = try tags(files[0])
      let measured = try measure("./album", "--write")
      #expect(measured.count == 2)
      #expect(try frames() == before)
      for (index, path) in files.enumerated() {
        let tags = try tags(path)
        let line = measured[index]
        let trackGain = try #require(line.trackGain)
        let albumGain = try #require(line.albumGain)
        if suffix == "opus" {
          #expect(tags["R128_TRACK_GAIN"] == "\(Int(((trackGain - 5) * 256).rounded()))")
          #expect(tags["R128_ALBUM_GAIN"] == "\(Int(((albumGain - 5) * 256).rounded()))")
          #expect(tags["REPLAYGAIN_TRACK_GAIN"] == nil)
        } else if suffix == "wav" {
          // ffprobe does not show a WAV file's ID3 tag.
          let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
          #expect(text.contains(String(format: "REPLAYGAIN_TRACK_GAIN\0%.2f dB", trackGain)))
          #expect(text.contains(String(format: "REPLAYGAIN_TRACK_PEAK\0%.6f", line.truePeak)))
          #expect(text.contains(String(format: "REPLAYGAIN_ALBUM_GAIN\0%.2f dB", albumGain)))
        } else {
          #expect(tags["REPLAYGAIN_TRACK_GAIN"] == String(format: "%.2f dB", trackGain))
          #expect(tags["REPLAYGAIN_TRACK_PEAK"] == String(format: "%.6f", line.truePeak))
          #expect(tags["REPLAYGAIN_ALBUM_GAIN"] == String(format: "%.2f dB", albumGain))
          #expect(tags["REPLAYGAIN_ALBUM_PEAK"] == String(format: "%.6f", try #require(line.albumPeak)))
        }
        for (name, value) in tagsBefore where name != "TITLE" { #expect(tags[name] == value, "\(name)") }
        if suffix != "wav" { #expect(tags["TITLE"] == "Tïtle \(index == 0 ? "a" : "b")") }
      }
      #expect(abs(try #require(measured[0].trackGain) - (try #require(measured[1].trackGain)) + 6) < 0.2)
      // The files are neither measured nor written again, and no temporary files are left.
      guard suffix == "flac" else { return }
      let times = try playground.shell("stat -c '%n %i %Y' album/*").output
      #expect(try measure("./album", "--write") == measured)
      #expect(try playground.shell("stat -c '%n %i %Y' album/*").output == times)
      #expect(try playground.shell("ls -A album | wc -l").output == "2\n")
    }

    @Test func `Contradictory tags are removed, and other tags stay`() throws {
      let path = playground["a.mp3"]
      let source = try makeNoise("source.wav").string
      try Tool.run(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-i", source, "-id3v2_version", "3", "-metadata", "title=A", "-metadata",
          "replaygain_track_gain=+9.99 dB", "-metadata", "mood=calm", path,
        ])
      let ape = SoundBytes.ape([("REPLAYGAIN_TRACK_GAIN", "+9.99 dB"), ("Mood", "calm")])
      try playground.directory.write(playground.bytes("a.mp3") + ape, to: "a.mp3")
      #expect(try measure(path, "--write").count == 1)
      let text = String(decoding: try playground.bytes("a.mp3"), as: UTF8.self)
      #expect(!text.contains("9.99"))
      #expect(text.components(separatedBy: "REPLAYGAIN_TRACK_GAIN").count == 2)
      #expect(text.contains("APETAGEX") && text.contains("Mood\0calm"))
      #expect(try playground.bytes("a.mp3").prefix(4) == [0x49, 0x44, 0x33, 3])
      #expect(try tags(path)["MOOD"] == "calm")
    }

    @Test func `A file that cannot hold tags is measured, and reported`() throws {
      let path = try makeNoise("a.caf").string
      let outcome = try playground.segue("gain", path, "--write")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("a.caf: this format does not support such tags"))
      #expect(outcome.output.contains("LUFS"))
    }

    @Test(arguments: [
      "actually-flac.mp3", "actually-mp3.flac", "vbr-no-xing.mp3", "chained.ogg", "junk-tail.ogg",
    ])
    func `The sound of an unusual file does not change`(name: String) throws {
      _ = try playground.shell("cp '\(Playground.broken)/\(name)' '\(name)'")
      let before = try playground.segue("play", playground[name], "--output", "raw:before.raw")
      let outcome = try playground.segue("gain", playground[name], "--write")
      #expect(outcome.status == before.status || outcome.status == 1, "\(outcome.errors)")
      guard before.status == 0 else { return }
      #expect(try playground.segue("play", playground[name], "--output", "raw:after.raw").status == 0)
      #expect(try playground.bytes("before.raw") == playground.bytes("after.raw"))
    }

    @Test func `A link stays a link, and its file keeps its permissions`() throws {
      try makeNoise("a.flac")
      try playground.directory.setPermissions(0o640, of: "a.flac")
      try playground.directory.link("b.flac", to: "a.flac")
      #expect(try measure(playground["b.flac"], "--write").count == 1)
      #expect(try playground.shell("readlink b.flac; stat -c %a a.flac").lines == ["a.flac", "640"])
      #expect(try tags(playground["a.flac"])["REPLAYGAIN_TRACK_GAIN"] != nil)
    }

    @Test func `Broken files are named, and the rest is measured`() throws {
      try playground.directory.makeDirectory("album")
      _ = try playground.shell("cp -r '\(Playground.broken)'/* album/; rm -f album/*.m4a")
      try makeNoise("album/good.wav")
      let outcome = try playground.segue("gain", "./album", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.contains { $0.contains("good.wav") && $0.contains("trackGain") })
      #expect(outcome.errors.contains("segue: skipped "))
      #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("segue: ") })
    }

    @Test(arguments: [
      (["gain"], 2, "`gain` needs ALBUMS"), (["gain", "a", "--all"], 2, "not both"),
      (["gain", "nosuch"], 3, "no album or track title matches"), (["gain", "a"], 4, "matches 3 albums"),
      (["gain", "--all", "--library", "/nosuch"], 5, "/nosuch does not exist"),
      (["gain", "/etc/passwd"], 7, "not an audio file"),
      (["gain", "ground", "--data-dir", "/dev/null/x"], 1, "cannot use the library index /dev/null/x/index.sqlite"),
    ])
    func `A failure prints one line and sets the status`(arguments: [String], status: Int32, part: String) throws {
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(outcome.status == status)
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }

    @Test func `A reader that stops early is not a failure, but a full disk is`() throws {
      let early = try playground.shell("$SEGUE gain --all | head -1; exit ${PIPESTATUS[0]}")
      #expect(early.status == 0 && early.errors.isEmpty, "\(early.errors)")
      let full = try playground.shell("$SEGUE gain ground > /dev/full")
      #expect(full.status == 1 && full.errors.contains("cannot write to standard output"))
    }

    @Test func `A damaged index is set aside with a warning, and measuring continues`() throws {
      try playground.directory.write([UInt8](repeating: 0x55, count: 8_192), to: "data/index.sqlite")
      let path = try makeNoise("a.wav").string
      let outcome = try playground.segue("gain", path)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("was damaged and was renamed to \(playground["data/index.sqlite.damaged-"])"))
      #expect(try playground.segue("gain", path).errors.isEmpty)
    }

    @Test func `All albums of the library are measured, with a progress line`() throws {
      let terminal = try TerminalSession(playground, ["gain", "--all"], columns: 100)
      #expect(terminal.exitStatus() == 0)
      let text = terminal.text
      let progress = text.components(separatedBy: "\r").filter { $0.contains("/16 tracks") }
      #expect(!progress.isEmpty)
      #expect(progress.contains { $0.contains("━") || $0.contains("─") })
      for album in ["The Clockwork Consort/Ground and Air", "時計の楽団/日本のうた", "Various Artists/Old Tunes"] {
        #expect(text.contains(album))
      }
      // Each progress line is erased by the next, or by other output.
      #expect(text.components(separatedBy: "\r\u{1B}[K").count > 1)
      let second = try playground.segue("gain", "--all")
      #expect(second.lines.filter { $0.hasPrefix("Album ") }.count == 4)
      #expect(!second.output.contains("\u{1B}"))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `A signal interrupts the measurement, and finished results stay stored`(
      signal: Int32, status: Int32
    ) throws {
      let path = try makeNoise("a.wav").string
      // Create a sparse file with hours of silence.
      let header = WaveFile.bytes([], rate: 44_100, channels: 2, depth: .bits16)
      var long = Array(header)
      let size: UInt32 = 3_900_000_000
      for (offset, value) in [(4, size + 36), (40, size)] {
        for byte in 0..<4 { long[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
      }
      try playground.directory.write(long, to: "long.wav")
      #expect(try playground.shell("truncate -s \(size) long.wav").status == 0)
      let terminal = try TerminalSession(playground, ["gain", path, playground["long.wav"]])
      #expect(terminal.shows("Track gain"))
      #expect(terminal.shows("1/2 tracks"))
      terminal.send(signal)
      #expect(terminal.exitStatus() == status)
      #expect(terminal.text.contains("interrupted: 1 of 2 tracks measured"))
      #expect(try measure(path)[0].loudness != nil)
    }
  }
}
