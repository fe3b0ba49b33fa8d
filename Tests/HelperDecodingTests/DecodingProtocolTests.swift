// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DecodingProtocol
import TestSupport
import Testing

@testable import HelperDecoding

@Suite struct DecodingProtocolTests {
  @Test(arguments: [
    DecodingRequest.open(generation: 7), .openPicture(generation: 9), .seek(frame: 0, generation: .max),
    .seek(frame: DecodingRequest.frameLimit, generation: 1),
    .openAddress(generation: 3, pauseLimit: 30_000, allowsUnconfined: false),
    .openAddress(generation: .max, pauseLimit: .max, allowsUnconfined: true),
  ])
  func `A request is read as it was written`(request: DecodingRequest) {
    #expect(request.bytes.count == DecodingRequest.byteCount)
    #expect(DecodingRequest(bytes: request.bytes) == request)
  }

  @Test(arguments: [
    (DecodingBlock.Kind.samples, DecodingBlock.contentLimit), (.description, 36), (.end, 0), (.refusal, 512),
    (.progress, 0), (.names, 100), (.tags, DecodingBlock.contentLimit), (.chapters, 0),
  ])
  func `The header of a block is read as it was written`(kind: DecodingBlock.Kind, byteCount: Int) {
    let block = DecodingBlock(kind, generation: 0xFFFF_FFFE, frame: 123_456_789_012, byteCount: byteCount)
    #expect(block.bytes.count == DecodingBlock.headerByteCount)
    #expect(DecodingBlock(bytes: block.bytes) == block)
  }

  @Test func `A description is read as it was written, and a long name is cut`() {
    var description = SoundDescription(
      sampleRate: 96_000, channels: 6, coding: .integer, bits: 24, frameCount: 1 << 40, bitRate: nil, isConfined: true,
      codec: "ALAC")
    #expect(SoundDescription(bytes: description.bytes) == description)
    description.isSeekable = false
    #expect(SoundDescription(bytes: description.bytes) == description)
    description.codec = String(repeating: "x", count: 10_000)
    #expect(description.bytes.count == DecodingBlock.textLimit)
  }

  @Test func `Names of streams are read as they were written, without control characters, and long ones are cut`() {
    let names = SourceNames(
      station: Array("Radio".utf8), title: [0xCA, 0xE8, 0xED, 0xEE], artists: [Array("Band".utf8), Array("Duo".utf8)],
      album: Array("Record".utf8))
    #expect(SourceNames(bytes: names.bytes) == names && SourceNames(bytes: []) == SourceNames())
    var decoder = SourceTextDecoder()
    let hostile = SourceNames(bytes: SourceNames(title: Array("\u{1B}]0;x\n\u{9B}2J\0y".utf8)).bytes)
    #expect(decoder.text(of: hostile).title == "]0;x2Jy")
    let long = Array(String(repeating: "\u{E9}", count: 1_000).utf8)
    let all = SourceNames(
      station: [0x78] + long, title: long, artists: Array(repeating: long, count: 9), album: long)
    #expect(all.bytes.count <= DecodingBlock.textLimit)
    let cut = decoder.text(of: SourceNames(bytes: all.bytes))
    #expect(cut.station?.allSatisfy { "x\u{E9}".contains($0) } == true && cut.artists.count == 4)
  }

  @Test func `Chapters are read as they were written, and of a million only the first ones`() {
    let entry = { (start: Int64, title: String) in SourceMarks.Entry(start: start, title: Array(title.utf8)) }
    let marks = SourceMarks([entry(90_000, "Two"), entry(-5, "One"), entry(Int64.max, ""), entry(90_000, "Again")])
    #expect(marks.entries.map(\.start) == [0, 90_000, 90_000, .max])
    #expect(SourceMarks(bytes: marks.bytes) == marks && SourceMarks(bytes: []).entries.isEmpty)
    #expect(SourceMarks(bytes: marks.bytes.dropLast(3)).entries.count == 3)
    var decoder = SourceTextDecoder()
    #expect(decoder.chapters(of: marks).map(\.title) == ["One", "Two", "Again", "Chapter 4"])
    let long = [UInt8](repeating: 0x78, count: 1_000)
    let many = SourceMarks((0..<1_000_000).map { SourceMarks.Entry(start: $0, title: long) })
    #expect(many.entries.count == SourceMarks.countLimit && many.bytes.count <= DecodingBlock.contentLimit)
    let read = SourceMarks(bytes: many.bytes)
    #expect(read.entries.count > 4_000 && read.entries.last?.title.count == 240)
    #expect(SourceMarks(bytes: [UInt8](repeating: 0, count: 1 << 20)).entries.count == SourceMarks.countLimit)
  }

  @Test func `Tags are read as they were written, and what exceeds a limit is left out`() {
    let entry = { (name: String, value: String) in SourceTags.Entry(name: Array(name.utf8), value: Array(value.utf8)) }
    var tags = SourceTags()
    for tag in [entry("artist", "A"), entry("artist", "B"), entry("artist", "A"), entry("title", ""), entry("", "x")] {
      tags.append(tag)
    }
    tags.append(SourceTags.Entry(name: Array("comment".utf8), value: [0xFF, 0xFE]))
    #expect(tags.entries.map(\.value) == [[0x41], [0x42], [0xFF, 0xFE]])
    #expect(SourceTags(bytes: tags.bytes) == tags)
    #expect(SourceTags(bytes: tags.bytes.dropLast(4)).entries.count == 2)
    #expect(SourceTags(bytes: []).entries.isEmpty && SourceTags(bytes: [0, 0, 0, 0]).entries.isEmpty)
    tags.append(entry(String(repeating: "n", count: 1_000), "x"))
    tags.append(entry("x", String(repeating: "v", count: 100_000)))
    #expect(tags.entries.count == 3)
    for number in 0..<10_000 { tags.append(entry("\(number)", String(repeating: "v", count: 1_000))) }
    #expect(tags.bytes.count <= 256 * 1024)
    #expect(SourceTags(bytes: (0..<100_000).flatMap { Array("\($0)\0v\0".utf8) }).entries.count <= 1_024)
  }

  @Test func `A few words are in the encoding of what the source has said before`() {
    var decoder = SourceTextDecoder()
    // "Тишина в эфире", then "Я" in Windows-1251, which is nothing but a letter of Western Europe on its own.
    let sentence: [UInt8] = [
      0xD2, 0xE8, 0xF8, 0xE8, 0xED, 0xE0, 0x20, 0xE2, 0x20, 0xFD, 0xF4, 0xE8, 0xF0, 0xE5,
    ]
    var other = SourceTextDecoder()
    #expect(other.text(of: SourceNames(title: [0xDF])).title == "\u{DF}")
    #expect(decoder.text(of: SourceNames(title: sentence)).title == "Тишина в эфире")
    #expect(decoder.text(of: SourceNames(title: [0xDF])).title == "Я")
    #expect(decoder.text(of: SourceNames(title: Array("Björk".utf8))).title == "Björk")
  }

  @Test func `A reason has no control characters, whatever is sent`() {
    let refusal = DecodingRefusal(.malformed, "is\u{1B}]0;damaged\n\u{9B}2J")
    #expect(DecodingRefusal(bytes: refusal.bytes)?.reason == "is]0;damaged2J")
    #expect(DecodingRefusal(bytes: [9, 65]) == nil && DecodingRefusal(bytes: []) == nil)
  }

  @Test(arguments: [
    (DecodingBlock(.samples, generation: 1, frame: 0, byteCount: DecodingBlock.contentLimit + 1)),
    (DecodingBlock(.end, generation: 1, frame: 0, byteCount: DecodingBlock.textLimit + 1)),
    (DecodingBlock(.samples, generation: 1, frame: -1, byteCount: 8)),
    (DecodingBlock(.samples, generation: 1, frame: .max, byteCount: 8)),
  ])
  func `A block beyond the limits is not read`(block: DecodingBlock) {
    #expect(DecodingBlock(bytes: block.bytes) == nil)
  }

  @Test func `Random bytes do no harm`() {
    var random = SeededGenerator(seed: 1)
    for count in 0..<600 {
      let bytes = (0..<(count % 60)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = DecodingRequest(bytes: bytes)
      _ = DecodingBlock(bytes: bytes)
      _ = SoundDescription(bytes: bytes)
      _ = DecodingRefusal(bytes: bytes)
      _ = SourceNames(bytes: bytes)
    }
  }
}
