// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct ResponseTests {
  private func text(_ response: Response) -> String { String(buffer: response.buffer) }

  /// Adds a line with these bytes as its value, unchanged.
  private func add(_ key: String, _ value: [UInt8], to response: inout Response) {
    value.withUnsafeBytes { response.add(key, unchecked: $0) }
  }

  @Test func `Lines are appended, however many there are`() {
    var response = Response()
    var expected = ""
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let name = ["Title", "MUSICBRAINZ_ALBUMID", ""][Int.random(in: 0..<3, using: &random)]
      let value = String(repeating: "ü", count: Int.random(in: 0..<90, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        add(name, Array(value.utf8), to: &response)
        expected += "\(name): \(value)\n"
      case 1:
        Array(value.utf8).withUnsafeBytes { response.add(name, unchecked: $0, after: "a/", before: "/b") }
        expected += "\(name): a/\(value)/b\n"
      default:
        let number = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random)
        response.add(name, number)
        expected += "\(name): \(number)\n"
      }
    }
    #expect(text(response) == expected && response.count == expected.utf8.count)
  }

  @Test(arguments: [
    (0, "0.000"), (7, "0.007"), (59, "0.059"), (999, "0.999"), (1_000, "1.000"), (61_234, "61.234"),
    (.max, "9223372036854775.807"),
  ]) func `Milliseconds are written as seconds`(milliseconds: Int, text: String) {
    var response = Response()
    response.add("duration", milliseconds: milliseconds)
    #expect(self.text(response) == "duration: \(text)\n")
  }

  @Test(arguments: [0, 9, 10, 99, 100, .max, .min, -1])
  func `A number is written with all its digits`(number: Int) {
    var response = Response()
    response.add("Track", number)
    #expect(text(response) == "Track: \(number)\n")
  }

  @Test func `The parts of a time have two digits each`() {
    var response = Response()
    response.add("Last-Modified", day: "2024-02-29", seconds: 3_600 * 7 + 60 * 8 + 9)
    #expect(text(response) == "Last-Modified: 2024-02-29T07:08:09Z\n")
  }

  @Test func `Lines after a mark can be removed`() {
    var response = Response()
    response.add("a", 1)
    let mark = response.mark
    add("b", [10], to: &response)
    #expect(!response.isText(since: mark))
    response.removeLines(after: mark)
    response.add("c", 3)
    #expect(response.isText(since: mark) && text(response) == "a: 1\nc: 3\n")
  }

  @Test func `Lines of another response count as lines`() {
    var (response, other) = (Response(), Response())
    let mark = response.mark
    other.add("a", "x\ny\rz\0")
    other.add(line: "list_OK")
    response.add(other)
    #expect(response.isText(since: mark) && text(response) == "a: x y z \nlist_OK\n")
  }

  private static let invalidValues: [[UInt8]] = [
    [0], [9], [10], [13], [0x1F], [0x7F], [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xFF],
  ]

  @Test(arguments: invalidValues)
  func `A value that is not valid text is detected anywhere`(value: [UInt8]) {
    for length in 0..<150 {
      var response = Response()
      add("before", value, to: &response)
      let mark = response.mark
      let plain = [UInt8](repeating: UInt8(ascii: "x"), count: length)
      add("Title", plain + Array("é漢🎵".utf8), to: &response)
      #expect(response.isText(since: mark))
      add("Title", plain + value, to: &response)
      add("Title", Array(repeating: UInt8(ascii: "y"), count: 149 - length), to: &response)
      #expect(!response.isText(since: mark), "\(length)")
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
