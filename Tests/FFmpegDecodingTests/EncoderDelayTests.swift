// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DecodingProtocol
import FFmpegDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Where the recording begins and ends in AAC and ALAC, whose encoders add samples at both ends.
  @Suite(.enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"))
  struct EncoderDelayTests {
    private static let cuts = [0, 40_000, 71_234, 100_001]

    /// How a file states where the recording begins and ends in it.
    enum Marking: CaseIterable {
      case editList, editListWithoutDuration, iTunes, iTunesAndEditList
    }

    @Test(arguments: Marking.allCases) func `AAC files cut from one recording join exactly`(marking: Marking) throws {
      let recording = Recording(frames: 100_001)
      let directory = try TemporaryDirectory()
      for (start, end) in zip(Self.cuts, Self.cuts.dropFirst()) {
        let part = recording.part(start..<end)
        let path = try encodedAAC(part, marking, in: directory)
        let decoded = try Decoding(path)
        // Without a duration, nothing says where the padding of the last packet begins.
        let isExact = marking != .editListWithoutDuration
        let count = decoded.read().count / 2
        #expect(isExact ? count == part.count : (part.count..<(part.count + 1_024)).contains(count), "\(count)")
        #expect(decoded.description.frameCount == Int64(count))
        #expect(try part.lateness(of: Decoding.all(path)) == 0)
      }
    }

    private func encodedAAC(_ part: Recording, _ marking: Marking, in directory: TemporaryDirectory) throws -> FilePath
    {
      let hasEditList = marking != .iTunes
      let path = try part.encoded(
        "a.m4a", ["-c:a", "aac", "-b:a", "256k", "-use_editlist", hasEditList ? "1" : "0"], in: directory)
      var bytes = try contents(of: path)
      switch marking {
      case .editList: break
      case .editListWithoutDuration: bytes = MP4Marks.withEditDuration(bytes, 0)
      case .iTunes, .iTunesAndEditList:
        let padding = (1_024 - part.count % 1_024) % 1_024
        bytes = MP4Marks.withITunesNumbers(bytes, delay: 1_024, padding: padding, count: part.count)
      }
      return try directory.write(bytes, to: "marked.m4a")
    }

    /// Names of encoders, and their delays.
    private static let encoders: [(String?, Int)] = [
      ("Lavf", 1_024), ("FAAC 1.28", 1_024), ("Nero AAC codec", 1_024), ("iTunes 12.9.5", 2_112),
      ("qaac 2.64", 2_112), (nil, 2_112),
    ]

    @Test(arguments: encoders) func `AAC without any marks begins where its encoder puts the beginning`(
      name: String?, delay: Int
    ) throws {
      // ffmpeg's encoder has a delay of 1,024 frames; with silence, it is the same as that of the other encoder.
      let recording = Recording(frames: 60_000)
      let directory = try TemporaryDirectory()
      let path = try recording.encoded(
        "a.m4a",
        ["-af", "adelay=\(delay - 1_024)S:all=1", "-c:a", "aac", "-b:a", "256k", "-use_editlist", "0"], in: directory)
      let file = MP4Marks.withEncoder(try contents(of: path), name)
      let decoding = try Decoding(directory.write(file, to: "named.m4a"))
      let decoded = decoding.read()
      #expect(recording.lateness(of: decoded) == 0)
      #expect(decoding.description.frameCount == Int64(decoded.count / 2))
    }

    @Test func `AAC behind a pause in its edit list begins with the recording`() throws {
      let recording = Recording(frames: 60_000)
      let directory = try TemporaryDirectory()
      for (suffix, codec) in [("m4a", ["aac", "-b:a", "256k"]), ("mov", ["aac", "-b:a", "256k"]), ("m4a", ["alac"])] {
        let path = try recording.encoded(
          "a.\(suffix)", ["-af", "asetpts=PTS+2.5/TB", "-c:a"] + codec, in: directory)
        let decoding = try Decoding(path)
        let decoded = decoding.read()
        #expect(decoded.count / 2 == recording.count)
        #expect(recording.lateness(of: decoded) == 0)
        #expect(decoding.description.frameCount == Int64(recording.count))
        #expect(decoding.decoder.failure == nil)
        try decoding.decoder.seek(toFrame: 30_000)
        let expected = Array(decoded[60_000...].prefix(2_000))
        if codec == ["alac"] { #expect(PCM.firstDifference(decoding.read(1_000), expected, channels: 2) == nil) }
      }
    }

    @Test(arguments: ["frag_keyframe", "frag_keyframe+empty_moov", "dash"])
    func `AAC in fragments is complete`(flags: String) throws {
      let recording = Recording(frames: 300_000)
      let directory = try TemporaryDirectory()
      let path = try recording.encoded(
        "a.m4a", ["-c:a", "aac", "-b:a", "256k", "-frag_duration", "1000000", "-movflags", flags], in: directory)
      let decoding = try Decoding(path)
      let decoded = decoding.read()
      #expect(recording.lateness(of: decoded) == 0)
      #expect((recording.count...recording.count + 1_024).contains(decoded.count / 2), "\(decoded.count / 2)")
      #expect(decoding.description.frameCount == Int64(decoded.count / 2))
      #expect(decoding.decoder.failure == nil)
    }

    @Test func `AAC that is no longer than the delay of its encoder plays whole`() throws {
      let directory = try TemporaryDirectory()
      let path = try Recording(frames: 900).encoded(
        "a.m4a", ["-c:a", "aac", "-b:a", "256k", "-use_editlist", "0"], in: directory)
      let file = MP4Marks.withEncoder(try contents(of: path), "iTunes")
      let decoding = try Decoding(directory.write(file, to: "named.m4a"))
      let decoded = decoding.read()
      #expect((1_924...2_048).contains(decoded.count / 2))
      #expect(decoding.description.frameCount == Int64(decoded.count / 2))
      #expect(decoding.decoder.failure == nil)
    }

    @Test(arguments: [("Lavf", 0), (nil, 1_088)] as [(String?, Int)])
    func `In HE-AAC without any marks, the delay is that of its core`(name: String?, excess: Int) throws {
      let recording = Recording(frames: 50_017, rate: 22_050)
      let directory = try TemporaryDirectory()
      let path = try recording.encoded(
        "a.m4a", ["-af", "adelay=\(excess)S:all=1", "-c:a", "aac", "-use_editlist", "0"], in: directory)
      let file = MP4Marks.withEncoder(MP4Marks.asHEAAC(try contents(of: path)), name)
      let decoded = try Decoding.all(directory.write(file, to: "he.m4a"))
      guard decoded.count >= recording.count * 4 else {
        Issue.record("\(decoded.count / 2) frames")
        return
      }
      let halved = (0..<recording.count).flatMap { [decoded[4 * $0], decoded[4 * $0 + 1]] }
      #expect(recording.lateness(of: halved) == 481)
    }

    @Test(arguments: ["aac", "latm"]) func `AAC without a container is complete, also behind junk`(suffix: String)
      throws
    {
      let directory = try TemporaryDirectory()
      let path = try Recording(frames: 100_000).encoded("a.\(suffix)", ["-c:a", "aac", "-aac_pns", "0"], in: directory)
      let expected = try Decoding.all(path)
      #expect((100_000...102_400).contains(expected.count / 2))
      guard suffix == "aac" else { return }
      var random = SeededGenerator(seed: 3)
      let tag = SoundBytes.id3([("TIT2", Array("Told".utf8))])
      for junk in [random.bytes(700), [UInt8](repeating: 0, count: 3_000), random.bytes(5_000)] {
        let other = try Decoding(directory.write(tag + junk + contents(of: path), to: "junk.aac"))
        let decoded = other.read()
        // FFmpeg may lose the first three AAC frames behind bytes that look like a header.
        let lost = expected.count - decoded.count
        #expect((0...6 * 1_024).contains(lost), "\(junk.count) bytes")
        let settled = 4 * 1_024
        #expect(
          PCM.firstDifference(
            Array(decoded.dropFirst(settled)), Array(expected.dropFirst(lost + settled)), channels: 2) == nil,
          "\(junk.count) bytes")
      }
    }

    @Test func `ALAC files cut from one recording are the recording`() throws {
      let recording = Recording(frames: 100_001)
      let directory = try TemporaryDirectory()
      var joined: [Float] = []
      for (start, end) in zip(Self.cuts, Self.cuts.dropFirst()) {
        joined += try Decoding.all(recording.part(start..<end).encoded("a.m4a", ["-c:a", "alac"], in: directory))
      }
      #expect(PCM.firstDifference(joined, recording.floats, channels: 2) == nil)
    }

    @Test(arguments: [true, false]) func `HE-AAC has twice the frames of its core`(isMarkedByITunes: Bool) throws {
      let recording = Recording(frames: 50_017, rate: 22_050)
      let directory = try TemporaryDirectory()
      let path = try recording.encoded(
        "a.m4a", ["-c:a", "aac", "-use_editlist", isMarkedByITunes ? "0" : "1"], in: directory)
      var bytes = MP4Marks.asHEAAC(try contents(of: path))
      if isMarkedByITunes {
        bytes = MP4Marks.withITunesNumbers(
          bytes, delay: 1_024, padding: 1_024 - recording.count % 1_024, count: recording.count)
      }
      let file = try Decoding(directory.write(bytes, to: "he.m4a"))
      #expect(file.description.sampleRate == 44_100)
      #expect(file.description.frameCount == Int64(recording.count) * 2)
      let decoded = file.read()
      #expect(decoded.count / 2 == recording.count * 2)
      // Every second frame, as if it were at the rate of the core. The filters of SBR delay the sound by 481 of these.
      guard decoded.count >= recording.count * 4 else { return }
      let halved = (0..<recording.count).flatMap { [decoded[4 * $0], decoded[4 * $0 + 1]] }
      #expect(recording.lateness(of: halved) == 481)
      for frame in [70_000, 3, 99_000] {
        try file.decoder.seek(toFrame: Int64(frame))
        let expected = Array(decoded[(frame * 2)...].prefix(2_000))
        #expect(PCM.firstDifference(file.read(1_000), expected, channels: 2) == nil, "frame \(frame)")
      }
    }
  }
}
