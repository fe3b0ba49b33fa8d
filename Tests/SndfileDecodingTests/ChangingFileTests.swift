// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Files that other programs write to while they are decoded.
  @Suite struct ChangingFileTests {
    private static let frames = 200_000

    @Sendable private static func open(_ path: FilePath) throws(DecodingError) -> any AudioDecoder {
      try SndfileDecoder(path: path)
    }

    /// Encodes a sound without tags, or with tags of 400 KB.
    private static func encoded(
      _ kind: String, hasTags: Bool, of original: FilePath, in directory: TemporaryDirectory
    ) throws -> [UInt8] {
      let path = directory.file("encoded")
      let text = String(repeating: "long text ", count: 10_000)
      let comments = hasTags ? (0..<4).flatMap { ["--comment", "TEXT\($0)=\(text)"] } : []
      switch kind {
      case "flac":
        try Tool.run(
          "flac",
          ["--silent", "-f", "-o", path.string, hasTags ? "--padding=400000" : "--no-padding", original.string])
      case "ogg": try Tool.run("oggenc", ["-Q", "-s", "7", "-o", path.string] + comments + [original.string])
      case "opus":
        try Tool.run("opusenc", ["--quiet", "--serial", "7"] + comments + [original.string, path.string])
      default:
        let options = kind == "bare mp3" ? ["-t"] : []
        try Tool.run("lame", ["--quiet", "-b", "128"] + options + [original.string, path.string])
        let tags = SoundBytes.id3([("COMM", Array(String(repeating: text, count: 4).utf8))])
        return (hasTags ? tags : []) + (try contents(of: path))
      }
      return try contents(of: path)
    }

    @Test func `The chapter is that of the frames, also after a seek`() throws {
      let directory = try TemporaryDirectory()
      let path = try Reference.tone(Self.frames, in: directory)
      let chapters: ChapterList = { _, _ in
        [SourceChapter(start: 1_000, title: "One"), SourceChapter(start: 3_000, title: "Two")]
      }
      let decoder = try ChangingFileDecoder(path, chapters: chapters, open: Self.open)
      let rate = Int64(decoder.format.sampleRate)
      _ = try Decoded.start(of: decoder, frames: 100)
      // The first frames do not wait for the list.
      #expect(decoder.text == nil)
      for (frame, title) in [(100, nil), (rate, "One"), (4 * rate, "Two"), (rate * 2, "One"), (3 * rate - 1, "One")]
        as [(Int64, String?)]
      {
        try decoder.seek(toFrame: frame)
        _ = try Decoded.start(of: decoder, frames: 1)
        #expect(decoder.text?.chapter == title && decoder.text?.chapters.count == 2, "\(frame)")
      }
    }

    @Test(arguments: [(true, nil), (false, "Two")] as [(Bool, String?)])
    func `The chapters of a file apply to a range of it, but not to a track that is a part of it`(
      isTrack: Bool, chapter: String?
    ) throws {
      let directory = try TemporaryDirectory()
      let path = try Reference.tone(Self.frames, in: directory)
      let chapters: ChapterList = { _, _ in
        [SourceChapter(start: 0, title: "One"), SourceChapter(start: 2_000, title: "Two")]
      }
      let file = try ChangingFileDecoder(path, chapters: chapters, open: Self.open)
      let part = SourceSegment(start: 150, end: 300, isTrack: isTrack)
      let decoder = try SegmentDecoder(file, segment: part, path: path)
      _ = try Decoded.start(of: decoder, frames: 100)
      #expect(decoder.text?.chapter == chapter)
      #expect((decoder.text == nil) == isTrack)
      // They are counted from the beginning of the range.
      #expect(decoder.text?.chapters.map(\.start) == (isTrack ? nil : [0]))
    }

    @Test(arguments: ["flac", "mp3", "bare mp3", "ogg", "opus"], FileEdit.Kind.allCases)
    func `Tags that are written or removed in place change nothing of what is heard`(
      format: String, kind: FileEdit.Kind
    ) throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(Self.frames, in: directory)
      let plain = try Self.encoded(format, hasTags: false, of: original, in: directory)
      let tagged = try Self.encoded(format, hasTags: true, of: original, in: directory)
      #expect(tagged.count > plain.count + 350_000)
      for (old, new) in [(plain, tagged), (tagged, plain)] {
        let path = try directory.write(old, to: "a")
        let whole = try Decoded.all(path)
        for (start, steps) in [(0, 1), (1_000, .max), (90_000, 7), (190_000, 1)] {
          let moment = "\(steps) steps at frame \(start)"
          try directory.write(old, to: "a")
          let edit = FileEdit(kind, path, from: old, to: new)
          var pauses = 0
          let decoder = try ChangingFileDecoder(
            path,
            pause: {
              pauses += 1
              if pauses.isMultiple(of: 30) { try? edit.perform() }
            }, open: Self.open)
          var heard = try Decoded.start(of: decoder, frames: start)
          try edit.perform(min(steps, edit.stepCount))
          heard += try Decoded.rest(of: decoder) { try edit.perform() }
          #expect(PCM.firstDifference(heard, whole, channels: 2) == nil, "\(moment)")
          #expect(decoder.failure == nil, "\(moment)")
        }
      }
    }

    @Test(arguments: ["flac", "mp3", "ogg", "opus"])
    func `A seek in a file to which somebody writes reaches its frame`(format: String) throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(Self.frames, in: directory)
      let plain = try Self.encoded(format, hasTags: false, of: original, in: directory)
      let tagged = try Self.encoded(format, hasTags: true, of: original, in: directory)
      let path = try directory.write(plain, to: "a")
      let whole = try Decoded.all(path)
      for target in [0, 100_000, 190_000] {
        try directory.write(plain, to: "a")
        let edit = FileEdit(.moved, path, from: plain, to: tagged)
        let decoder = try ChangingFileDecoder(path, pause: { try? edit.perform() }, open: Self.open)
        _ = try Decoded.start(of: decoder, frames: 50_000)
        try edit.perform(edit.stepCount / 2)
        try decoder.seek(toFrame: Int64(target))
        let heard = try Decoded.rest(of: decoder) { try edit.perform() }
        let difference = PCM.firstDifference(heard, Array(whole[(2 * target)...]), channels: 2)
        #expect(difference == nil, "from frame \(target)")
        #expect(decoder.failure == nil && edit.stepCount == 0)
      }
    }

    @Test func `A file that is empty while it is opened is waited for`() throws {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(Self.frames, in: directory)
      let bytes = try contents(of: original)
      let path = try directory.write([], to: "a")
      let edit = FileEdit(.rewritten, path, from: [], to: bytes)
      let decoder = try ChangingFileDecoder(path, pause: { try? edit.perform() }, open: Self.open)
      #expect(try Decoded.rest(of: decoder) == Decoded.all(original))
    }

    @Test(arguments: [false, true])
    func `A recording that grows is read on without a wait, and to its new end`(isLong: Bool) throws {
      let directory = try TemporaryDirectory()
      let bytes = try contents(of: Reference.tone(Self.frames, in: directory))
      let expected = try Decoded.all(directory.file("in.wav"))
      let path = try directory.write(bytes.prefix(bytes.count / 2), to: "a")
      let edit = FileEdit(.overwritten, path, from: [], to: bytes)
      try edit.perform(6)
      var pauses = 0
      let decoder = try ChangingFileDecoder(
        path,
        pause: {
          pauses += 1
          try? edit.perform(isLong ? 0 : 1)
        }, open: Self.open)
      var heard = try Decoded.start(of: decoder, frames: 10_000)
      try edit.perform()
      heard += try Decoded.start(of: decoder, frames: 10_000)
      #expect(pauses == 0)
      if isLong { try edit.perform(edit.stepCount) }
      var pieces = 0
      heard += try Decoded.rest(of: decoder) {
        pieces += 1
        if pieces.isMultiple(of: 8) { try edit.perform() }
      }
      #expect(PCM.firstDifference(heard, expected, channels: 2) == nil)
      #expect(decoder.frameCount == Int64(Self.frames) && decoder.failure == nil)
    }

    @Test func `A file to which somebody writes all the time is played as it is`() throws {
      let directory = try TemporaryDirectory()
      let path = try Reference.tone(Self.frames, in: directory)
      let bytes = try contents(of: path)
      let expected = try Decoded.all(path)
      var time: Int64 = 4_000_000_000
      var edit = FileEdit(.overwritten, path, from: bytes, to: bytes, after: time)
      var pauses = 0
      let decoder = try ChangingFileDecoder(
        path,
        pause: {
          pauses += 1
          if edit.stepCount == 0 {
            time += 100
            edit = FileEdit(.overwritten, path, from: bytes, to: bytes, after: time)
          }
          try? edit.perform()
        }, open: Self.open)
      var heard = try Decoded.start(of: decoder, frames: 10_000)
      try edit.perform()
      heard += try Decoded.rest(of: decoder) { try edit.perform() }
      #expect(heard == expected && decoder.failure == nil && pauses == 3_000)
    }

    @Test func `A wait for another program ends when it is interrupted, and reading continues later`() throws {
      let directory = try TemporaryDirectory()
      let path = try Reference.tone(Self.frames, in: directory)
      let bytes = try contents(of: path)
      let expected = try Decoded.all(path)
      var isInterrupted = false
      let decoder = try ChangingFileDecoder(path, pause: { isInterrupted = true }, open: Self.open)
      decoder.setInterruption { isInterrupted }
      let start = try Decoded.start(of: decoder, frames: 10_000)
      try FileEdit(.overwritten, path, from: bytes, to: bytes).perform()
      #expect(try Decoded.rest(of: decoder).isEmpty && decoder.failure == nil)
      decoder.setInterruption { false }
      #expect(try start + Decoded.rest(of: decoder) == expected)
    }

    /// Decodes `start` frames of a sound, then changes its file, and decodes the rest.
    private func decode(
      _ start: Int, then change: (FilePath, TemporaryDirectory) throws -> Void
    ) throws -> (heard: [Float], whole: [Float], failure: String?, again: Int) {
      let directory = try TemporaryDirectory()
      let original = try Reference.tone(Self.frames, in: directory)
      let path = try directory.write(
        try Self.encoded("flac", hasTags: false, of: original, in: directory), to: "a.flac")
      let whole = try Decoded.all(path)
      let decoder = try ChangingFileDecoder(path, pause: {}, open: Self.open)
      var heard = try Decoded.start(of: decoder, frames: start)
      try change(path, directory)
      heard += try Decoded.rest(of: decoder)
      #expect(decoder.failure.map { $0.path == path } ?? true)
      return (heard, whole, decoder.failure?.reason, try Decoded.rest(of: decoder).count)
    }

    /// Returns another sound of the same length.
    private static func otherSound(in directory: TemporaryDirectory) throws -> [UInt8] {
      let samples = testSignal(Self.frames, channels: 2, .bits16).reversed().map { $0 }
      let path = try directory.write(
        WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "other.wav")
      return try encoded("flac", hasTags: false, of: path, in: directory)
    }

    @Test func `A file that is cut ends where its sound does`() throws {
      let result = try decode(50_000) { path, _ in try path.truncate(to: contents(of: path).count / 2) }
      #expect(result.failure?.contains("truncated") == true && result.again == 0)
      #expect(result.heard.count > 100_000 && result.heard.count < result.whole.count)
      #expect(PCM.firstDifference(result.heard, Array(result.whole.prefix(result.heard.count)), channels: 2) == nil)
      let early = try decode(180_000) { path, _ in try path.truncate(to: contents(of: path).count / 2) }
      #expect(early.failure == "ends at 0:04 of 0:04: the file was truncated during playback")
      #expect(early.heard.count == 360_000)
    }

    @Test func `Another sound that is written into the file is not played`() throws {
      let result = try decode(100_000) { path, directory in
        let other = try Self.otherSound(in: directory)
        let edit = FileEdit(.rewritten, path, from: try contents(of: path), to: other)
        try edit.perform(edit.stepCount)
      }
      #expect(result.failure == "ends at 0:02 of 0:04: the file was replaced by another one during playback")
      #expect(result.heard.count == 200_000 && result.again == 0)
    }

    @Test func `A file that is deleted, or replaced by another sound, is played to its end, and said so`() throws {
      let deleted = try decode(100_000) { path, _ in try path.delete() }
      #expect(deleted.failure == "was deleted during playback" && deleted.heard == deleted.whole)
      let replaced = try decode(100_000) { path, directory in
        try directory.write(try Self.otherSound(in: directory), to: "new").rename(to: path)
      }
      #expect(replaced.failure == "was replaced by another file during playback" && replaced.heard == replaced.whole)
    }

    @Test func `A file that is moved, or replaced by a copy with other tags, is played to its end`() throws {
      let moved = try decode(100_000) { path, directory in
        let tagged = try Self.encoded("flac", hasTags: true, of: directory.file("in.wav"), in: directory)
        let edit = FileEdit(.moved, path, from: try contents(of: path), to: tagged)
        try edit.perform(edit.stepCount)
        try path.rename(to: directory.file("b.flac"))
      }
      #expect(moved.failure == nil && moved.heard == moved.whole)
      let copied = try decode(100_000) { path, directory in
        let tagged = try Self.encoded("flac", hasTags: true, of: directory.file("in.wav"), in: directory)
        try directory.write(tagged, to: "new").rename(to: path)
      }
      #expect(copied.failure == nil && copied.heard == copied.whole)
    }
  }
}
