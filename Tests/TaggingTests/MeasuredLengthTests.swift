// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// Lengths that a probe measures, because the headers of files do not state them, or state impossible ones.
@Suite struct MeasuredLengthTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `A length is measured only if the first frame does not state it`() throws {
    let summary = AudioSummary(sampleRate: 44_100, channels: 1, bitDepth: nil)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(99)) }
    let variableRate = try contents(of: Fixture.broken("vbr-no-xing.mp3"))
    #expect(try reader.track(at: directory.write(variableRate, to: "a.mp3")).duration == .seconds(99))
    // Without a probe, the length is TagLib's guess.
    let guessed = try #require(try TagReader().track(at: directory["a.mp3"]).duration)
    #expect(guessed < .seconds(2) || guessed > .seconds(20))
    let constantFrame = [UInt8]([0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413))
    let constantRate = (0..<2_000).flatMap { _ in constantFrame }
    let duration = try #require(try reader.track(at: directory.write(constantRate, to: "b.mp3")).duration)
    #expect(abs(duration.components.seconds - 52) <= 1)
  }

  /// Numbers of frames that a Xing header states, and the expected length in seconds.
  @Test(arguments: [(2_000, 52), (0, 99), (10, 99), (100_000, 99)])
  func `The length of an MP3 is measured if its Xing header states an impossible one`(
    stated: Int, expected: Int64
  ) throws {
    let summary = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: nil)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(99)) }
    let frame = [UInt8]([0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413))
    let big = { (value: Int) in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let size = big(2_001 * frame.count)
    for name in ["Xing", "Info"] {
      let fields = Array(name.utf8) + [0, 0, 0, 3] + big(stated) + size
      let first = Array(frame[..<36]) + fields + frame[(36 + fields.count)...]
      let tag = SoundBytes.id3([("TIT2", Array("Told".utf8))])
      let path = try directory.write(tag + first + (0..<2_000).flatMap { _ in frame }, to: "a.mp3")
      #expect(try reader.track(at: path).duration?.components.seconds == expected, "\(name)")
    }
  }

  /// Returns a WAV file of two seconds of stereo at 8 kHz in this coding, with these bits in samples of `width` bytes,
  /// that states this number of frames if it is not `nil`.
  private func wav(coding: Int, bits: Int, width: Int, fact: Int?) -> [UInt8] {
    let little = { (value: Int, count: Int) in (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    let chunk = { (name: String, body: [UInt8]) in Array(name.utf8) + little(body.count, 4) + body }
    let format =
      little(coding, 2) + little(2, 2) + little(8_000, 4) + little(16_000 * width, 4) + little(2 * width, 2)
      + little(bits, 2)
    let body =
      Array("WAVE".utf8) + chunk("fmt ", format) + (fact.map { chunk("fact", little($0, 4)) } ?? [])
      + chunk("data", [UInt8](repeating: 0, count: 32_000 * width))
    return chunk("RIFF", body)
  }

  @Test func `The length of a WAV file is measured if its header contradicts its size`() throws {
    let summary = AudioSummary(sampleRate: 8_000, channels: 2, bitDepth: nil)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(99)) }
    let files: [(name: String, bytes: [UInt8], seconds: Int)] = [
      ("16 bits", wav(coding: 1, bits: 16, width: 2, fact: nil), 2),
      ("24 bits", wav(coding: 1, bits: 24, width: 3, fact: nil), 2),
      ("24 bits in 4 bytes", wav(coding: 1, bits: 24, width: 4, fact: nil), 99),
      ("float", wav(coding: 3, bits: 32, width: 4, fact: 16_000), 2),
      ("float, too long", wav(coding: 3, bits: 32, width: 4, fact: 160_000), 99),
      ("float, too short", wav(coding: 3, bits: 32, width: 4, fact: 100), 99),
      ("mu-law, too long", wav(coding: 7, bits: 8, width: 1, fact: 1_000_000), 99),
    ]
    for (name, bytes, seconds) in files {
      let path = try directory.write(bytes, to: "a.wav")
      #expect(try reader.track(at: path).duration == .seconds(seconds), "\(name)")
    }
  }

  @Test(arguments: [(2_000, false, 2), (20_000, false, 99), (500, false, 99), (2_000, true, 99), (0, false, 2)])
  func `The length of an MP4 file is measured if its index is not about all of it`(
    presentation: Int, isFragmented: Bool, seconds: Int
  ) throws {
    let big = { (value: Int) in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let box = { (name: String, body: [UInt8]) in big(body.count + 8) + Array(name.utf8) + body }
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    let header = box("mvhd", zeros(12) + big(1_000) + big(presentation) + zeros(80))
    let handler = box("hdlr", zeros(8) + Array("soun".utf8) + zeros(13))
    let entry: [UInt8] = zeros(6) + [0, 1] + zeros(8) + [0, 2, 0, 16] + zeros(4) + [0xAC, 0x44, 0, 0]
    let table = box("stbl", box("stsd", zeros(4) + big(1) + box("mp4a", entry + box("esds", zeros(40)))))
    let media = box(
      "mdia", box("mdhd", zeros(12) + big(44_100) + big(88_200) + zeros(4)) + handler + box("minf", table))
    let fragments = isFragmented ? box("mvex", box("trex", zeros(24))) : []
    let file =
      box("ftyp", Array("M4A ".utf8) + zeros(4)) + box("moov", header + box("trak", media) + fragments)
      + box("mdat", zeros(100))
    let summary = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: nil)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(99)) }
    #expect(try reader.track(at: directory.write(file, to: "a.m4a")).duration == .seconds(seconds))
  }

  @Test(arguments: [(0, 99), (1, 99), (3, 3)] as [(UInt32, Int)])
  func `The length of a FLAC file is measured if it is unknown, or too small for the file`(
    stated: UInt32, expected: Int
  ) throws {
    let summary = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: 16)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(99)) }
    let audio = [0xFF, 0xF8] + [UInt8](repeating: 0, count: 400_000)
    let path = try directory.write(SoundBytes.flac([("TITLE", "T")], seconds: stated) + audio, to: "a.flac")
    #expect(try reader.track(at: path).duration == .seconds(expected))
  }

  @Test func `The length of concatenated MP3s is measured, since the first one states only its own`() throws {
    let summary = AudioSummary(sampleRate: 44_100, channels: 1, bitDepth: nil)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(99)) }
    let name = "Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3"
    let bytes = try contents(of: Fixture.music(name))
    let single = try reader.track(at: directory.write(bytes, to: "a.mp3"))
    #expect(single.duration != .seconds(99))
    let track = try reader.track(at: directory.write(bytes + bytes, to: "b.mp3"))
    #expect(track.duration == .seconds(99))
    #expect(track.title == single.title && track.album == single.album)
    // A file that is as short as a tag, behind tags or not, but not a tag alone.
    let tags = [UInt8]("TAG".utf8) + [UInt8](repeating: 0, count: 125) + SoundBytes.id3([("TIT2", [0x41])])
    for (middle, end, isJoined) in [
      ([], SoundBytes.mp3(), true), (tags, SoundBytes.mp3(), true), (tags, SoundBytes.ape([("Title", "T")]), false),
    ] as [([UInt8], [UInt8], Bool)] {
      let track = try reader.track(at: directory.write(bytes + middle + end, to: "c.mp3"))
      #expect((track.duration == .seconds(99)) == isJoined, "\(middle.count) \(end.count)")
    }
    // Chained streams in an Ogg file.
    #expect(try reader.track(at: Fixture.broken("chained.ogg")).duration == .seconds(99))
  }
}
