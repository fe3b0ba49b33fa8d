// SPDX-License-Identifier: GPL-3.0-or-later

import DecodingProtocol
import TestSupport
import Testing

@Suite struct DecodingProtocolTests {
  @Test(arguments: [
    DecodingRequest.open(generation: 7), .seek(frame: 0, generation: .max),
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
    (.progress, 0), (.names, 100),
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
    let names = SourceNames(station: "Radio", title: "Band - Song", chapter: "One")
    #expect(SourceNames(bytes: names.bytes) == names && SourceNames(bytes: []) == SourceNames())
    #expect(SourceNames(bytes: SourceNames(title: "\u{1B}]0;x\n\u{9B}2J").bytes).title == "]0;x2J")
    let long = SourceNames(station: String(repeating: "x", count: 1_000), title: String(repeating: "y", count: 1_000))
    #expect(
      long.bytes.count <= DecodingBlock.textLimit && SourceNames(bytes: long.bytes).title.allSatisfy { $0 == "y" })
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
