// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import HelperDecoding
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// What streams contain: their audio in all containers and formats, their names and pictures.
  @Suite(
    .enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"),
    .enabled(if: Confinement.isPossible, Comment(rawValue: Confinement.reason)))
  struct HelperStreamContentTests: StreamedRecordingTests {
    let recording: StreamedRecording

    init() throws { recording = try StreamedRecording(frames: Self.frames) }

    @Test func `A file on a server is decoded like one on the disk, and any frame can be reached`() throws {
      let server = try StreamServer { [flac] request, connection in connection.send(file: flac, for: request) }
      let decoder = try open(server)
      #expect(decoder.format.sampleRate == 44_100 && decoder.format.channels == 2)
      #expect(decoder.frameCount == Int64(Self.frames) && decoder.isSeekable)
      #expect(PCM.firstDifference(read(decoder).samples, expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
      for frame in [150_000, 7, 77_777] {
        try decoder.seek(toFrame: Int64(frame))
        let rest = Array(expected[(frame * 2)...].prefix(20_000))
        #expect(PCM.firstDifference(read(decoder, 10_000).samples, rest, channels: 2) == nil, "frame \(frame)")
      }
    }

    @Test(arguments: [
      ("a.flac", [], SampleCoding.integer(bits: 16), "FLAC"),
      ("b.flac", ["-sample_fmt", "s32", "-bits_per_raw_sample", "24"], .integer(bits: 24), "FLAC"),
      ("c.wav", ["-c:a", "pcm_f32le"], .float(bits: 32), "PCM 32-bit floating point little"),
      ("d.m4a", ["-c:a", "alac"], .integer(bits: 16), "ALAC"), ("e.ogg", ["-c:a", "flac"], .integer(bits: 16), "FLAC"),
      ("f.mp3", ["-b:a", "128k"], .lossy, "MP3"), ("g.m4a", ["-b:a", "128k"], .lossy, "AAC"),
    ])
    func `The depth, the codec and the bit rate of a stream are those of a file`(
      name: String, options: [String], coding: SampleCoding, codec: String
    ) throws {
      let file = directory.file(name)
      try Tool.run(
        "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", directory.file("a.wav").string] + options + [file.string])
      let content = try contents(of: file)
      let server = try StreamServer { request, connection in connection.send(file: content, for: request) }
      let stream = try open(server)
      #expect(stream.format.coding == coding)
      #expect(stream.codec?.description == codec)
      let local = try openLocally(file)
      #expect(stream.format == local.format && stream.codec == local.codec)
      #expect(stream.bitRate == local.bitRate && stream.bitRate != nil, "\(stream.bitRate ?? 0)")
    }

    @Test func `The bit rate of a station is what it announces if its audio does not say`() throws {
      let server = try StreamServer { [flac] _, connection in
        connection.send(["icy-name: Radio", "icy-br: 700,700"])
        while connection.send(flac) {}
      }
      let station = try open(server)
      #expect(station.bitRate == 700_000 && station.format.coding == .integer(bits: 16))
    }

    @Test func `A stated length that is too long costs no time`() throws {
      // The header claims twice the samples.
      var long = flac
      let total = UInt64(Self.frames * 2)
      long[21] = long[21] & 0xF0 | UInt8(total >> 32 & 15)
      for index in 0..<4 { long[22 + index] = UInt8(truncatingIfNeeded: total >> (24 - 8 * index)) }
      let server = try StreamServer { [long] request, connection in connection.send(file: long, for: request) }
      let decoder = try open(server)
      #expect(PCM.firstDifference(read(decoder).samples, expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `A live HLS stream is followed without effort, and asked for again when it is lost`() throws {
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", "aac", "-f", "hls", "-hls_time", "1",
          directory.file("live.m3u8").string,
        ])
      let server = try StreamServer { [directory] request, connection in
        guard request.earlierCount < 3,
          let file = try? contents(of: directory.file(String(request.path.dropFirst())))
        else {
          connection.send(status: "404 Not Found")
          return
        }
        let end = Array("#EXT-X-ENDLIST\n".utf8)
        let isList = request.path.hasSuffix(".m3u8")
        connection.send(file: isList ? Array(file.dropLast(end.count)) : file, for: request)
      }
      let decoder = try open(server, "/live.m3u8")
      #expect(!decoder.isSeekable)
      #expect(read(decoder).samples.count > 0)
      #expect(decoder.failure != nil)
      #expect(server.requests.count { $0.path == "/live.m3u8" } > 3)
    }

    @Test func `The name of a station and its titles come with the frames to which they belong`() throws {
      let interval = 16_384
      let server = try StreamServer { [flac] request, connection in
        guard request.headers.contains("icy-metadata: 1"), request.earlierCount == 0 else { return }
        connection.send(["Content-Type: audio/flac", "icy-name: Radio \u{E9}", "icy-metaint: \(interval)"])
        for (index, start) in stride(from: 0, to: flac.count, by: interval).enumerated() {
          let piece = Array(flac[start..<min(start + interval, flac.count)])
          connection.send(piece)
          guard piece.count == interval else { return }
          let title = index % 2 == 0 ? Array("StreamTitle='Band - Song \(index / 2)';StreamUrl='';".utf8) : []
          let padding = [UInt8](repeating: 0, count: (16 - title.count % 16) % 16)
          connection.send([UInt8((title.count + 15) / 16)] + title + padding)
        }
      }
      let (samples, texts) = read(try open(server))
      #expect(PCM.firstDifference(samples, expected, channels: 2) == nil)
      #expect(texts.allSatisfy { $0.text.station == "Radio \u{E9}" && [[], ["Band"]].contains($0.text.artists) })
      let titles = texts.compactMap(\.text.title)
      // The first titles are in what is read to recognise the format.
      let numbers = titles.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
      #expect(numbers.count >= 3 && numbers == Array(numbers[0]..<(numbers[0] + numbers.count)), "\(titles)")
      #expect(texts.map(\.frame) == texts.map(\.frame).sorted())
    }

    @Test(arguments: ["libvorbis", "libopus"]) func `The titles of a station in Ogg are those of each of its parts`(
      codec: String
    ) throws {
      let parts = try (1...3).map { number in
        let path = directory.file("\(number).ogg")
        try Tool.run(
          "ffmpeg",
          [
            "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", codec, "-metadata",
            "title=Song \(number)", "-metadata", "artist=Band;Duo", "-metadata", "album=Record", path.string,
          ])
        return try contents(of: path)
      }
      let server = try StreamServer { request, connection in
        guard request.earlierCount == 0 else { return }
        connection.send(["icy-name: Radio"])
        for part in parts { connection.send(part) }
      }
      let texts = read(try open(server)).texts
      let expected = (1...3).map { number in
        SourceText(station: "Radio", title: "Song \(number)", artists: ["Band", "Duo"], album: "Record")
      }
      #expect(texts.map(\.text) == expected)
      #expect(texts.map { $0.frame / 10_000 }.first == 0 && texts.map(\.frame) == texts.map(\.frame).sorted())
    }

    @Test(arguments: [
      ("Band - Song - Live", ["Band"], "Song - Live"), ("Bj\u{F6}rk \u{2013} J\u{F3}ga", ["Bj\u{F6}rk"], "J\u{F3}ga"),
      ("News", [], "News"), (" - News", [], " - News"), ("Jean-Michel", [], "Jean-Michel"),
    ])
    func `The artist and the title of a station come apart`(sent: String, artists: [String], title: String) throws {
      #expect(try self.text(sending: Array(sent.utf8)) == SourceText(station: "Radio", title: title, artists: artists))
    }

    @Test(
      arguments: [
        // Windows-1251, KOI8-R, Windows-1252 and Shift-JIS.
        (
          [0xCA, 0xE8, 0xED, 0xEE], [0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8], "Кино",
          "Группа крови"
        ),
        (
          [0xEB, 0xC9, 0xCE, 0xCF], [0xE7, 0xD2, 0xD5, 0xD0, 0xD0, 0xC1, 0x20, 0xCB, 0xD2, 0xCF, 0xD7, 0xC9], "Кино",
          "Группа крови"
        ),
        ([0x42, 0x6A, 0xF6, 0x72, 0x6B], [0x4A, 0xF3, 0x67, 0x61], "Björk", "Jóga"),
        ([0x92, 0xC5, 0x96, 0xBC, 0x97, 0xD1, 0x8C, 0xE7], [0x83, 0x4D, 0x83, 0x75, 0x83, 0x58], "椎名林檎", "ギブス"),
      ] as [([UInt8], [UInt8], String, String)])
    func `The old encodings of titles are recognised`(
      artist: [UInt8], title: [UInt8], decodedArtist: String, decodedTitle: String
    ) throws {
      let expected = SourceText(station: "Radio", title: decodedTitle, artists: [decodedArtist])
      let text = try self.text(sending: artist + Array(" - ".utf8) + title)
      #expect(text == expected)
    }

    /// Returns the text of a station that sends `title` all the time.
    private func text(sending title: [UInt8]) throws -> SourceText? {
      let interval = 4_096
      let sent = Array("StreamTitle='".utf8) + title + Array("';".utf8)
      let block = [UInt8((sent.count + 15) / 16)] + sent + [UInt8](repeating: 0, count: (16 - sent.count % 16) % 16)
      let server = try StreamServer { [flac] request, connection in
        guard request.earlierCount == 0 else { return }
        connection.send(["Content-Type: audio/flac", "icy-name: Radio", "icy-metaint: \(interval)"])
        for start in stride(from: 0, to: flac.count - interval, by: interval) {
          guard connection.send(Array(flac[start..<(start + interval)]) + block) else { return }
        }
      }
      return read(try open(server), 100).texts.last?.text
    }

    @Test func `The fields of a file on a server are read, also in ID3 with an old encoding`() throws {
      let plain = directory.file("plain.mp3")
      try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-map_metadata", "-1", "-id3v2_version", "0"]
          + ["-write_xing", "0", plain.string])
      // ID3v2.3 with "Latin-1" that is Windows-1251.
      let field = { (name: String, text: [UInt8]) -> [UInt8] in
        Array(name.utf8) + [0, 0, 0, UInt8(text.count + 1), 0, 0, 0] + text
      }
      let frames =
        field("TPE1", [0xCA, 0xE8, 0xED, 0xEE])
        + field("TIT2", [0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8])
        + field("TALB", Array("1988".utf8))
      let tagged = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames + (try contents(of: plain))
      let server = try StreamServer { request, connection in connection.send(file: tagged, for: request) }
      let text = read(try open(server), 100).texts.last?.text
      #expect(text == SourceText(title: "Группа крови", artists: ["Кино"], album: "1988"))
    }

    @Test(arguments: ["flac", "mp3", "m4a"]) func `The picture in a file on a server is passed on`(
      suffix: String
    ) throws {
      let (picture, file) = (directory.file("cover.png"), directory.file("b.\(suffix)"))
      try Tool.run(
        "ffmpeg", ["-v", "error", "-nostdin", "-f", "lavfi", "-i", "color=s=8x8:d=1", "-frames:v", "1", picture.string])
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-i", picture.string, "-map", "0:a", "-map",
          "1:v",
        ]
          + ["-c:v", "copy", "-disposition:v", "attached_pic", file.string])
      let content = try contents(of: file)
      let server = try StreamServer { request, connection in connection.send(file: content, for: request) }
      let received = Watched<[UInt8]>([])
      let address = try #require(StreamAddress(server.address("/b")))
      let helpers = DecodingHelpers(
        program: ProgramFile.neighbour("segue-decode"),
        onPicture: { from, picture in received.change { $0 = from == address ? picture : [] } })
      #expect(read(try helpers.open(address), 100).samples.count == 200)
      #expect(received.value == (try contents(of: picture)))
    }

    @Test func `A stream that comes back in another format goes on in that`() throws {
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-ar", "48000",
          directory.file("b.flac").string,
        ])
      let other = try contents(of: directory.file("b.flac"))
      let server = try StreamServer { [flac] request, connection in
        guard request.earlierCount < 2 else { return }
        connection.send(["icy-name: Radio"])
        connection.send(request.earlierCount == 0 ? flac : other)
      }
      let decoder = try open(server)
      #expect(PCM.firstDifference(read(decoder).samples, expected, channels: 2) == nil)
      let (rest, firstFrame) = try #require(try decoder.continuation())
      #expect(rest.format.sampleRate == 48_000 && firstFrame == Int64(Self.frames) * 480 / 441)
      #expect(read(rest).samples.count / 2 > Self.frames)
    }

    @Test(
      arguments: [true, false],
      [
        ("libvorbis", ["-ar", "48000"], 48_000, 2), ("flac", ["-ar", "48000"], 48_000, 2),
        ("flac", ["-ac", "1"], 44_100, 1), ("flac", ["-sample_fmt", "s32", "-ar", "96000"], 96_000, 2),
      ])
    func `What continues in another format in Ogg does so at once, from a station and in a file`(
      isStation: Bool, kind: (codec: String, options: [String], rate: Int, channels: Int)
    ) throws {
      let files = [directory.file("1.ogg"), directory.file("2.ogg")]
      let source = ["-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", kind.codec]
      try Tool.run("ffmpeg", source + [files[0].string])
      try Tool.run("ffmpeg", source + kind.options + [files[1].string])
      let music = try files.flatMap { try contents(of: $0) }
      let parts = try files.map { read(try openLocally($0)).samples }
      let server = try StreamServer { request, connection in
        guard isStation else { return connection.send(file: music, for: request) }
        connection.send(["icy-name: Radio"])
        connection.send(music)
      }
      let decoder = try open(server)
      #expect(PCM.firstDifference(read(decoder).samples, parts[0], channels: 2) == nil && decoder.failure == nil)
      let (rest, firstFrame) = try #require(try decoder.continuation())
      #expect(rest.format.sampleRate == kind.rate && rest.format.channels == kind.channels)
      #expect(rest.format.coding == (try openLocally(files[1])).format.coding && rest.codec == decoder.codec)
      #expect(firstFrame == rest.format.frame(at: decoder.format.duration(ofFrames: Int64(parts[0].count / 2))))
      let samples = read(rest, parts[1].count / kind.channels).samples
      #expect(PCM.firstDifference(samples, parts[1], channels: kind.channels) == nil)
      guard !isStation else { return #expect(server.requests.count == 1) }
      #expect(read(rest).samples.isEmpty && rest.failure == nil)
      // The first decoder is asked for what is in its format. FFmpeg finds no length of FLAC.
      guard decoder.isSeekable else { return }
      #expect(throws: DecodingError.self) { try rest.seek(toFrame: 0) }
      try decoder.seek(toFrame: 0)
      #expect(read(decoder, 1_000).samples.count == 2_000)
    }

    @Test(
      arguments: [
        ([], true), (["-use_editlist", "0"], true), (["-movflags", "faststart"], true),
        (["-movflags", "frag_keyframe"], true), (["-c:a", "alac"], true), (["-movflags", "faststart"], false),
      ])
    func `An M4A file on a server has the same samples as on the disk`(
      options: [String], sendsParts: Bool
    ) throws {
      let path = directory.file("a.m4a")
      try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", "aac"] + options + [path.string])
      let file = try contents(of: path)
      let server = try StreamServer { request, connection in
        guard !sendsParts else { return connection.send(file: file, for: request) }
        connection.send(["Content-Length: \(file.count)"])
        connection.send(file)
      }
      let local = try openLocally(path)
      let decoder = try open(server)
      #expect(decoder.frameCount == local.frameCount && decoder.isSeekable == sendsParts)
      let samples = read(local).samples
      #expect(PCM.firstDifference(read(decoder).samples, samples, channels: 2) == nil)
      for frame in [150_000, 7] where sendsParts {
        try decoder.seek(toFrame: Int64(frame))
        #expect(read(decoder).samples.count == samples.count - frame * 2, "frame \(frame)")
      }
    }

    @Test(arguments: ["mpegts", "fmp4"]) func `After a seek in HLS, the rest is played`(kind: String) throws {
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", "aac", "-aac_pns", "0", "-f", "hls",
          "-hls_time", "1", "-hls_segment_type", kind, "-hls_playlist_type", "vod",
          directory.file("list.m3u8").string,
        ])
      let server = try StreamServer { [directory] request, connection in
        guard let file = try? contents(of: directory.file(String(request.path.dropFirst()))) else { return }
        connection.send(file: file, for: request)
      }
      let decoder = try open(server, "/list.m3u8")
      #expect(decoder.isSeekable)
      let whole = read(decoder).samples
      for frame in [50_000, 150_000, 7, 77_777, 77_900] {
        try decoder.seek(toFrame: Int64(frame))
        let samples = read(decoder).samples
        #expect(decoder.failure == nil)
        if kind == "fmp4" {
          #expect(PCM.firstDifference(samples, Array(whole[(frame * 2)...]), channels: 2) == nil, "frame \(frame)")
        } else {
          // Of MPEG transport streams, the whole piece that contains the frame is played, once a packet was decoded.
          let count = (whole.count - samples.count) / 2
          #expect((frame - 44_100...frame + 1_024).contains(count), "frame \(frame): \(count)")
        }
      }
      // Forward, while it plays.
      for frame in [3_000, 60_000, 61_000, 140_000] where kind == "fmp4" {
        try decoder.seek(toFrame: Int64(frame))
        let expected = Array(whole[(frame * 2)...].prefix(20_000))
        #expect(PCM.firstDifference(read(decoder, 10_000).samples, expected, channels: 2) == nil, "frame \(frame)")
      }
    }

    @Test func `An HLS stream is played to its end`() throws {
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", "aac", "-f", "hls", "-hls_time", "1",
          "-hls_playlist_type", "vod", directory.file("list.m3u8").string,
        ])
      let server = try StreamServer { [directory] request, connection in
        guard let file = try? contents(of: directory.file(String(request.path.dropFirst()))) else { return }
        connection.send(file: file, for: request)
      }
      let decoder = try open(server, "/list.m3u8")
      let count = read(decoder).samples.count / 2
      // The encoder's padding at both ends is played.
      #expect((Self.frames..<Self.frames + 4_096).contains(count), "\(count)")
      #expect(decoder.failure == nil)
      #expect(server.requests.count { $0.path.hasSuffix(".ts") } > 3)
    }
  }
}
