// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DecodingProtocol
import FFmpegDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// The samples that FFmpeg's libraries decode, of files that the program `ffmpeg` has encoded.
  @Suite(.enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"))
  struct FFmpegDecoderTests {
    // MARK: Lossless formats

    /// A format: the suffix of a file, and the options of ffmpeg to write it.
    struct Format: Sendable, CustomTestStringConvertible {
      let suffix: String
      let options: [String]

      init(_ suffix: String, _ options: String) {
        self.suffix = suffix
        self.options = options.split(separator: " ").map(String.init)
      }

      var testDescription: String { "\(suffix) \(options.joined(separator: " "))" }
    }

    private static let lossless16 = [
      Format("m4a", "-c:a alac"), Format("wv", "-c:a wavpack"), Format("tta", "-c:a tta"),
      Format("mp4", "-c:a flac"), Format("mka", "-c:a flac"), Format("mka", "-c:a alac"),
      Format("mka", "-c:a pcm_s16le"), Format("mov", "-c:a pcm_s16le"), Format("mov", "-c:a pcm_s16be"),
    ]
    private static let lossless24 = [
      Format("m4a", "-c:a alac -sample_fmt s32p"), Format("wv", "-c:a wavpack -sample_fmt s32p"),
      Format("tta", "-c:a tta -sample_fmt s32"), Format("mka", "-c:a flac -sample_fmt s32"),
      Format("mov", "-c:a pcm_s24le"), Format("mov", "-c:a pcm_s24be"),
    ]

    @Test(arguments: lossless16, [1, 2]) func `Lossless formats of 16 bits decode to their source`(
      format: Format, channels: Int
    ) throws {
      try expectLossless(format, Recording(frames: 30_011, channels: channels))
    }

    @Test(arguments: lossless24) func `Lossless formats of 24 bits decode to their source`(format: Format) throws {
      try expectLossless(format, Recording(frames: 30_011, depth: .bits24))
    }

    @Test func `ALAC of six channels decodes to its source`() throws {
      try expectLossless(Format("m4a", "-c:a alac"), Recording(frames: 10_000, channels: 6))
    }

    private func expectLossless(
      _ format: Format, _ recording: Recording, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let directory = try TemporaryDirectory()
      let file = try Decoding(recording.encoded("a.\(format.suffix)", format.options, in: directory))
      #expect(file.description.channels == UInt32(recording.channels), sourceLocation: sourceLocation)
      #expect(file.description.sampleRate == UInt32(recording.rate), sourceLocation: sourceLocation)
      #expect(file.description.coding == .integer, sourceLocation: sourceLocation)
      // ffmpeg's encoder of WavPack knows only 16 and 32 bits.
      let depth = format.suffix == "wv" && recording.depth != .bits16 ? 32 : recording.depth.rawValue
      #expect(file.description.bits == UInt32(depth), sourceLocation: sourceLocation)
      let difference = PCM.firstDifference(file.read(), recording.floats, channels: recording.channels)
      #expect(difference == nil, sourceLocation: sourceLocation)
      #expect(file.decoder.failure == nil, sourceLocation: sourceLocation)
    }

    // MARK: Seeking

    /// Formats that decode without noise, which decoders may generate anew after a seek.
    private static let seekable =
      lossless16 + [
        Format("m4a", "-c:a aac -aac_pns 0"), Format("aac", "-c:a aac -aac_pns 0"),
        Format("mka", "-c:a aac -aac_pns 0"),
        Format("m4a", "-c:a aac -aac_pns 0 -use_editlist 0"), Format("webm", "-c:a libopus"),
        Format("mka", "-c:a libvorbis"), Format("mka", "-c:a libmp3lame"), Format("wma", "-c:a wmav2"),
        Format("dts", "-c:a dca"), Format("avi", "-c:a mp2"), Format("mp4", "-c:a libopus"),
        Format("spx", "-c:a libspeex"), Format("thd", "-c:a truehd"), Format("ts", "-c:a mp2"),
      ]

    @Test(arguments: seekable) func `After a seek, the samples are those of decoding from the beginning`(
      format: Format
    ) throws {
      let directory = try TemporaryDirectory()
      let path = try Recording(frames: 200_003, rate: 48_000).encoded(
        "a.\(format.suffix)", format.options, in: directory)
      let all = try Decoding.all(path)
      let count = all.count / 2
      let file = try Decoding(path)
      for frame in [count / 2, 0, 1, count - 1, count / 3, 5, count - 700, 2_000, 120_000, 119_000, count] {
        try file.decoder.seek(toFrame: Int64(frame))
        let expected = Array(all[(frame * 2)...].prefix(10_000))
        #expect(PCM.firstDifference(file.read(5_000), expected, channels: 2) == nil, "frame \(frame)")
      }
    }

    @Test(arguments: [
      Format("ac3", "-c:a ac3"), Format("eac3", "-c:a eac3"), Format("m4a", "-c:a aac"), Format("wma", "-c:a wmav1"),
    ])
    func `After a seek, only the noise of a coding differs`(format: Format) throws {
      let directory = try TemporaryDirectory()
      let path = try Recording(frames: 200_003, rate: 48_000).encoded(
        "a.\(format.suffix)", format.options, in: directory)
      let all = try Decoding.all(path)
      let file = try Decoding(path)
      for frame in [150_000, 100_000, 50_001] {
        try file.decoder.seek(toFrame: Int64(frame))
        let expected = Array(all[(frame * 2)...].prefix(10_000))
        let difference = PCM.firstDifference(file.read(5_000), expected, channels: 2, tolerance: 0.05)
        #expect(difference == nil, "frame \(frame)")
      }
    }

    // MARK: Lengths and errors

    @Test(arguments: [
      Format("m4a", "-c:a aac"), Format("aac", "-c:a aac"), Format("ac3", "-c:a ac3"), Format("dts", "-c:a dca"),
      Format("wv", "-c:a wavpack"), Format("tta", "-c:a tta"),
    ])
    func `The stated length is that of the decoded audio`(format: Format) throws {
      let directory = try TemporaryDirectory()
      let recording = Recording(frames: 60_123, rate: 48_000)
      let file = try Decoding(recording.encoded("a.\(format.suffix)", format.options, in: directory))
      let stated = file.description.frameCount
      #expect(stated == Int64(file.read().count / 2))
    }

    @Test(arguments: ["m4a", "mka"]) func `The chapters of a file are known before its first frame`(suffix: String)
      throws
    {
      let directory = try TemporaryDirectory()
      let marks = [(0, 2_000, "One"), (2_000, 3_000, "Two"), (3_000, 5_000, "Three")].map { start, end, title in
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=\(title)\n"
      }
      let list = try directory.write((";FFMETADATA1\n" + marks.joined()).utf8, to: "chapters")
      let path = try Recording(frames: 5 * 44_100).encoded(
        "a.\(suffix)", ["-i", list.string, "-map_metadata", "1", "-c:a", "alac"], in: directory)
      let chapters = try Decoding(path).decoder.chapters.entries
      #expect(chapters.map(\.start) == [0, 2_000, 3_000])
      #expect(chapters.map { String(decoding: $0.title, as: UTF8.self) } == ["One", "Two", "Three"])
    }

    @Test func `Game music is decoded, and cut if it has no end`() throws {
      let directory = try TemporaryDirectory()
      // A tone of two seconds on the SN76489 (VGM 1.50), and a program for the NES that plays one for ever.
      var tone = [UInt8]("Vgm ".utf8) + [UInt8](repeating: 0, count: 60)
      tone[8...9] = [0x50, 1]
      tone[12...15] = [0x99, 0x9E, 0x36, 0]
      tone[24...27] = [0x88, 0x58, 1, 0]
      tone[52] = 12
      tone += [0x50, 0x8E, 0x50, 0x0F, 0x50, 0x90]
      for _ in 0..<20 { tone += [0x61, 0x3A, 0x11] }
      let vgm = try Decoding(directory.write(tone + [0x66], to: "a.vgm"))
      #expect(vgm.description.frameCount == 88_200 && vgm.read().contains { abs($0) > 0.05 })
      var program = [UInt8]("NESM\u{1A}".utf8) + [1, 1, 1, 0, 0x80, 0, 0x80, 0x10, 0x80]
      program += [UInt8](repeating: 0, count: 128 - program.count)
      program[0x6E...0x6F] = [0xFF, 0x40]
      program += [0xA9, 0x0F, 0x8D, 0x15, 0x40, 0xA9, 0xBF, 0x8D, 0, 0x40, 0xA9, 0x80, 0x8D, 2, 0x40, 0x60]
      program += [0xA9, 1, 0x8D, 3, 0x40, 0x60]
      let nsf = try Decoding(directory.write(program, to: "a.nsf"))
      #expect(nsf.description.frameCount == Int64(150 * 44_100))
      #expect(nsf.read().count / 2 == 150 * 44_100 && nsf.decoder.failure == nil)
    }

    @Test func `The sound of a video is decoded`() throws {
      let directory = try TemporaryDirectory()
      let target = directory.file("a.mkv")
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "mpeg4",
          "-c:a", "flac", target.string,
        ])
      #expect(try Decoding.all(target).count == 44_100)
    }

    @Test func `A truncated file ends early, with the reason`() throws {
      let directory = try TemporaryDirectory()
      let recording = Recording(frames: 200_000)
      for format in [
        Format("wv", "-c:a wavpack"), Format("m4a", "-c:a alac -movflags faststart"), Format("tta", "-c:a tta"),
      ] {
        let bytes = try contents(of: recording.encoded("a.\(format.suffix)", format.options, in: directory))
        let file = try Decoding(directory.write(bytes.prefix(bytes.count * 2 / 3), to: "cut.\(format.suffix)"))
        let samples = file.read()
        #expect((40_000..<160_000).contains(samples.count / 2), "\(format.suffix)")
        #expect(file.decoder.failure?.kind == .malformed, "\(format.suffix)")
        #expect(PCM.firstDifference(samples, Array(recording.floats.prefix(samples.count)), channels: 2) == nil)
      }
    }

    @Test func `An index that claims absurd numbers is refused or believed, and does no harm`() throws {
      let directory = try TemporaryDirectory()
      let bytes = try contents(of: Recording(frames: 20_000).encoded("a.m4a", ["-c:a", "aac"], in: directory))
      for (box, offset) in [
        ("mvhd", 20), ("mvhd", 24), ("mdhd", 20), ("mdhd", 24), ("elst", 16), ("elst", 20), ("stts", 16), ("stsz", 12),
      ] {
        for value: [UInt8] in [
          [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0],
        ] {
          var damaged = bytes
          let start = try #require(damaged.firstRange(of: Array(box.utf8))).lowerBound
          damaged.replaceSubrange((start + offset - 4)..<(start + offset), with: value)
          guard let file = try? Decoding(directory.write(damaged, to: "b.m4a")) else { continue }
          _ = file.read()
          for frame in [Int64.max, 1 << 47, 5_000] {
            try? file.decoder.seek(toFrame: frame)
            #expect(file.read(1_000).count <= 2_000)
          }
        }
      }
    }

    @Test func `What is not audio is refused`() throws {
      let directory = try TemporaryDirectory()
      for (name, bytes) in [("text", Array("hello, world\n".utf8)), ("zeros", [UInt8](repeating: 0, count: 10_000))] {
        let path = try directory.write(bytes, to: name)
        #expect(throws: DecodingRefusal.self) { try Decoding(path) }
      }
    }
  }
}
