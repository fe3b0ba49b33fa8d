// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FormatSniffing
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// MP3 files that state their length, or where their recording begins and ends: rightly, wrongly, or elsewhere.
  @Suite struct MPEGDescriptionTests {
    private static let frames = 200_000

    private func encoded(_ options: [String], in directory: TemporaryDirectory) throws -> [UInt8] {
      let original = try Reference.tone(Self.frames, in: directory)
      let path = directory.file("encoded.mp3")
      try Tool.run("lame", ["--quiet"] + options + [original.string, path.string])
      return try contents(of: path)
    }

    private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// Returns the length of the frame at the beginning of `bytes`.
    private func frameLength(_ bytes: [UInt8]) throws -> Int {
      try #require(MPEGFrameHeader(bytes[...])).length
    }

    /// Expects that the file has these samples, also after a seek, and states their number.
    private func expect(
      _ bytes: [UInt8], decodesTo expected: [Float], _ comment: Comment, in directory: TemporaryDirectory
    ) throws {
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "a.mp3"))
      #expect(decoder.frameCount == Int64(expected.count / 2), comment)
      let decoded = try Decoded.rest(of: decoder)
      #expect(PCM.firstDifference(decoded, expected, channels: 2, tolerance: 0.0001) == nil, comment)
      #expect(decoder.failure == nil, comment)
      for frame in [150_000, 0, 40_001] {
        try decoder.seek(toFrame: Int64(frame))
        let rest = try Decoded.rest(of: decoder)
        // After a seek, bits of earlier frames are missing for a moment.
        #expect(rest.count == expected.count - 2 * frame, comment)
        let settled = 2 * 8 * 1_152
        #expect(
          PCM.firstDifference(
            Array(rest.dropFirst(settled)), Array(expected.dropFirst(2 * frame + settled)), channels: 2,
            tolerance: 0.0001) == nil, comment)
      }
    }

    @Test(arguments: [["-t", "-b", "128"], ["-t", "-V", "4"], ["-t", "-V", "4", "-m", "m"]], ["", "a tag"])
    func `a VBRI header is no sound, and its number of frames is used if it is possible`(
      options: [String], prefix: String
    ) throws {
      let directory = try TemporaryDirectory()
      let sound = try encoded(options, in: directory)
      let plain = try SndfileDecoder(path: directory.write(sound, to: "plain.mp3"))
      let channels = plain.format.channels
      let expected = try Decoded.rest(of: plain)
      let count = expected.count / channels / 1_152
      for stated in [count, 0, 10, 100_000] {
        let size = big(sound.count)
        let tag = Array("VBRI".utf8) + [0, 1, 0x04, 0x63, 0, 75] + size + big(stated)
        var frame = Array(sound.prefix(4)) + [UInt8](repeating: 0, count: try frameLength(sound) - 4)
        frame.replaceSubrange(36..<(36 + tag.count), with: tag)
        let file = (prefix.isEmpty ? [] : SoundBytes.id3([("TIT2", Array(prefix.utf8))])) + frame + sound
        let decoder = try SndfileDecoder(path: directory.write(file, to: "a.mp3"))
        #expect(decoder.frameCount == Int64(count * 1_152), "\(stated) frames")
        let decoded = try Decoded.rest(of: decoder)
        #expect(
          PCM.firstDifference(decoded, expected, channels: channels, tolerance: 0.0001) == nil, "\(stated) frames")
        #expect(decoder.failure == nil, "\(stated) frames")
      }
    }

    @Test(arguments: [["-b", "128"], ["-V", "2"]])
    func `an impossible number of frames in a Xing header is not believed`(options: [String]) throws {
      let directory = try TemporaryDirectory()
      let file = try encoded(options, in: directory)
      let expected = try Decoded.all(directory.write(file, to: "plain.mp3"))
      #expect(expected.count == 2 * Self.frames)
      let offset = 36 + 8
      for stated in [0, 1, 10, 100_000, 0xFFFF_FFFF] {
        var belied = file
        belied.replaceSubrange(offset..<(offset + 4), with: big(stated))
        try expect(belied, decodesTo: expected, "\(stated) frames", in: directory)
        // Without the stated size, that of the file belies the number.
        belied.replaceSubrange((offset + 4)..<(offset + 8), with: big(0))
        try expect(belied, decodesTo: expected, "\(stated) frames, and no size", in: directory)
      }
    }

    /// Tags with the numbers of iTunes, with descriptions.
    private func comments(_ text: String) -> [(String, [UInt8])] {
      let synchsafe = { (value: Int) in [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: value >> $0) & 0x7F } }
      let tag = { (version: UInt8, flags: UInt8, body: [UInt8]) in
        Array("ID3".utf8) + [version, 0, flags] + synchsafe(body.count) + body
      }
      let content: [UInt8] = [0] + Array("engiTunSMPB\0".utf8) + text.utf8
      let wide = { (text: String) -> [UInt8] in
        [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
      }
      let wideContent: [UInt8] = [1] + Array("eng".utf8) + wide("iTunSMPB\0") + wide(text)
      let picture = Array("APIC".utf8) + big(70_000) + [0, 0] + [UInt8](repeating: 0x41, count: 70_000)
      let frame = { (content: [UInt8]) in Array("COMM".utf8) + self.big(content.count) + [0, 0] + content }
      // A zero after each byte of eight ones.
      let unsynchronised = frame(wideContent).flatMap { byte -> [UInt8] in byte == 0xFF ? [0xFF, 0] : [byte] }
      return [
        ("version 2", tag(2, 0, Array("COM".utf8) + big(content.count).dropFirst() + content)),
        ("version 3", tag(3, 0, frame(content))), ("behind a picture", tag(3, 0, picture + frame(content))),
        ("version 4", tag(4, 0, Array("COMM".utf8) + synchsafe(content.count) + [0, 0] + content)),
        ("version 4 with a size of version 3", tag(4, 0, frame(content))),
        ("UTF-16", tag(3, 0, frame(wideContent))), ("unsynchronised", tag(3, 0x80, unsynchronised)),
        ("padded", tag(3, 0, frame(content) + [UInt8](repeating: 0, count: 100))),
      ]
    }

    private func numbers(_ delay: Int, _ padding: Int, _ count: Int) -> String {
      let hex = { (value: Int, width: Int) in
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: width - digits.count) + digits
      }
      return " 00000000 \(hex(delay, 8)) \(hex(padding, 8)) \(hex(count, 16)) 00000000 00000000"
    }

    @Test(arguments: [["-b", "128"], ["-V", "2"]], [true, false])
    func `the numbers of iTunes in a comment trim an MP3 that has no other ones`(
      options: [String], isDescribed: Bool
    ) throws {
      let directory = try TemporaryDirectory()
      var file = try encoded(options, in: directory)
      let expected = try Decoded.all(directory.write(file, to: "plain.mp3"))
      let first = try frameLength(file)
      if isDescribed {
        // Without the tag of LAME, the Xing header states the length alone.
        file.replaceSubrange((36 + 120)..<first, with: repeatElement(0, count: first - 156))
      } else {
        file.removeFirst(first)
      }
      let whole = try Decoded.all(directory.write(file, to: "whole.mp3"))
      // libmpg123 may leave out its own delay.
      let length = (whole.count / 2 + 1_151) / 1_152 * 1_152
      let delay = 576
      let right = numbers(delay, length - delay - Self.frames, Self.frames)
      for (name, tag) in comments(right) {
        try expect(tag + file, decodesTo: expected, "\(name)", in: directory)
      }
      // Those of another file, of an encoder of AAC, and of none.
      for text in [numbers(delay, 800, 1_000), numbers(2_112, 900, Self.frames), numbers(0, 0, 0), " nothing"] {
        for (name, tag) in comments(text).prefix(2) {
          try expect(tag + file, decodesTo: whole, "\(text), \(name)", in: directory)
        }
      }
    }

    @Test func `the numbers of LAME are used before those of iTunes`() throws {
      let directory = try TemporaryDirectory()
      let file = try encoded(["-V", "2"], in: directory)
      let expected = try Decoded.all(directory.write(file, to: "plain.mp3"))
      let length = (Self.frames / 1_152 + 3) * 1_152
      let tag = comments(numbers(1_152, length - 1_152 - 190_000, 190_000))[1].1
      try expect(tag + file, decodesTo: expected, "two statements", in: directory)
    }

    @Test func `a cut MP3 that the numbers of iTunes describe is truncated`() throws {
      let directory = try TemporaryDirectory()
      var file = try encoded(["-t", "-b", "128"], in: directory)
      let length = try Decoded.all(directory.write(file, to: "plain.mp3")).count / 2
      file.removeLast(file.count / 2)
      let tag = comments(numbers(576, length - 576 - Self.frames, Self.frames))[1].1
      let decoder = try SndfileDecoder(path: directory.write(tag + file, to: "a.mp3"))
      #expect(decoder.frameCount == Int64(Self.frames))
      _ = try Decoded.rest(of: decoder)
      #expect(decoder.failure?.reason == "ends at 0:02 of 0:04: the file is truncated")
    }
  }
}
