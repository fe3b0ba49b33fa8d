// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
import TestSupport
import Testing

/// Streams of AAC without a container, recognised by their frames.
@Suite struct AACStreamTests {
  private static let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x0D, 0x1F, 0xFC] + [UInt8](repeating: 0x21, count: 97)
  private static let loas: [UInt8] = [0x56, 0xE0, 100] + [UInt8](repeating: 0x21, count: 100)
  private static let tag = SoundBytes.id3([("TIT2", Array("Told".utf8))])

  @Test func `AAC is recognised behind junk`() {
    var random = SeededGenerator(seed: 9)
    let frames = (0..<10).flatMap { _ in Self.adts }
    for junk in [[], [UInt8](repeating: 0, count: 5_000), random.bytes(20_000), Array("text".utf8)] {
      for tag in [[], Self.tag] {
        #expect(FormatSignature(tag + junk + frames)?.format == .aac, "\(junk.count) bytes, \(tag.count)")
      }
    }
    #expect(FormatSignature(Self.tag + random.bytes(20_000) + Self.adts + Self.adts)?.format == nil)
  }

  @Test func `LOAS is recognised by consecutive frames`() {
    let frames = (0..<10).flatMap { _ in Self.loas }
    #expect(FormatSignature(frames)?.format == .loas)
    #expect(FormatSignature(Self.tag + frames)?.format == .loas)
    #expect(FormatSignature(Array(Self.loas + [UInt8](repeating: 0x81, count: 5_000)))?.format == nil)
  }
}
