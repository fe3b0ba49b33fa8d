// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import RemoteControl

@Suite struct LineBufferTests {
  private func text(_ lines: borrowing LineBuffer) -> String {
    lines.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `Lines are appended, however many there are`() {
    var lines = LineBuffer(capacity: 0)
    var expected = ""
    var random = SeededGenerator(seed: 5)
    let keys = ["Title", "MUSICBRAINZ_ALBUMID", ""].map { ($0, LineKey($0)) }
    for _ in 0..<2_000 {
      let (name, key) = keys[Int.random(in: 0..<keys.count, using: &random)]
      let value = String(repeating: "ü", count: Int.random(in: 0..<90, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        lines.add(key, Array(value.utf8))
        expected += "\(name): \(value)\n"
      case 1:
        Array(value.utf8).withUnsafeBytes { lines.add(key, Array("a/".utf8), $0, Array("/b".utf8)) }
        expected += "\(name): a/\(value)/b\n"
      default:
        let number = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random)
        lines.add(key, number: number)
        expected += "\(name): \(number)\n"
      }
    }
    let (found, count) = (text(lines), lines.count)
    #expect(found == expected && count == expected.utf8.count)
  }

  @Test(arguments: [
    (0, "0.000"), (7, "0.007"), (59, "0.059"), (999, "0.999"), (1_000, "1.000"), (61_234, "61.234"),
    (.max, "9223372036854775.807"),
  ]) func `Milliseconds are written as seconds`(milliseconds: Int, text: String) {
    var lines = LineBuffer(capacity: 1)
    lines.add(LineKey("duration"), milliseconds: milliseconds)
    let found = self.text(lines)
    #expect(found == "duration: \(text)\n")
  }

  @Test(arguments: [0, 9, 10, 99, 100, .max, .min, -1])
  func `A number is written with all its digits`(number: Int) {
    var lines = LineBuffer(capacity: 1)
    lines.add(LineKey("Track"), number: number)
    let found = self.text(lines)
    #expect(found == "Track: \(number)\n")
  }

  @Test func `The parts of a time have two digits each`() {
    var lines = LineBuffer(capacity: 1)
    lines.add(LineKey("Last-Modified"), day: Array("2024-02-29".utf8), seconds: 3_600 * 7 + 60 * 8 + 9)
    let found = self.text(lines)
    #expect(found == "Last-Modified: 2024-02-29T07:08:09Z\n")
  }

  @Test func `Lines after a mark can be removed`() {
    var lines = LineBuffer(capacity: 1)
    lines.add(LineKey("a"), number: 1)
    let mark = lines.mark
    lines.add(LineKey("b"), [10])
    let wasText = lines.isText(since: mark)
    #expect(!wasText)
    lines.removeLines(after: mark)
    lines.add(LineKey("c"), number: 3)
    let isText = lines.isText(since: mark)
    #expect(isText)
    let found = self.text(lines)
    #expect(found == "a: 1\nc: 3\n")
  }

  private static let invalidValues: [[UInt8]] = [
    [0], [9], [10], [13], [0x1F], [0x7F], [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xFF],
  ]

  @Test(arguments: invalidValues)
  func `A value that is not valid text is detected anywhere`(value: [UInt8]) {
    for length in 0..<150 {
      var lines = LineBuffer(capacity: 1)
      lines.add(LineKey("before"), value)
      let mark = lines.mark
      let plain = [UInt8](repeating: UInt8(ascii: "x"), count: length)
      lines.add(LineKey("Title"), plain + Array("é漢🎵".utf8))
      let wasText = lines.isText(since: mark)
      #expect(wasText)
      lines.add(LineKey("Title"), plain + value)
      lines.add(LineKey("Title"), Array(repeating: UInt8(ascii: "y"), count: 149 - length))
      let isText = lines.isText(since: mark)
      #expect(!isText, "\(length)")
    }
  }

  @Test func `Control characters are counted in long texts`() {
    for count in [8_159, 8_160, 8_161, 100_000] {
      let bytes = (0..<count).map { $0 % 3 == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x") }
      let found = bytes.withUnsafeBytes { TextScan.look(at: $0) }
      #expect(found.controlCount == (count + 2) / 3 && found.isASCII)
    }
  }
}
