// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import Platform
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct ProtocolWordsTests {
  private func words(_ line: String) throws -> [String] {
    let words = try ProtocolWords(Array(line.utf8))
    return [words.command] + words.arguments
  }

  @Test(arguments: [
    ("status", ["status"]), ("  play \t 3 ", ["play", "3"]), (#"add "a b""#, ["add", "a b"]),
    (#"add "a \"b\" \\ c""#, ["add", #"a "b" \ c"#]), (#"find "" x"#, ["find", "", "x"]),
    ("add it's", ["add", "it's"]),
  ])
  func `Words are separated by spaces, or quoted`(line: String, expected: [String]) throws {
    #expect(try words(line) == expected)
  }

  @Test(arguments: [
    ("", "No command given"), ("   ", "No command given"), ("\"\"", "No command given"),
    ("§ 1", "No command given"), (#"add "a"#, #"Missing closing '"'"#), (#"add "a\"#, #"Missing closing '"'"#),
    (#"add "a"b"#, #"Space expected after closing '"'"#), (#"add a"b"#, "Invalid unquoted character"),
  ])
  func `An invalid line gives an error message`(line: String, message: String) {
    #expect(throws: ProtocolError(.unknown, message)) { try ProtocolWords(Array(line.utf8)) }
  }

  @Test func `Quoted words are parsed back, whatever they contain`() throws {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("ab \"\\'\t日é{}()=!").map(String.init)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }.joined()
      #expect(try words("x \(text.protocolQuoted)") == ["x", text])
    }
  }

  @Test func `Random bytes are parsed or rejected, without a trap`() {
    var generator = SeededGenerator(seed: 11)
    var count = 0
    for _ in 0..<20_000 {
      let line = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: .min ... .max, using: &generator)
          : Array("\"\\ a".utf8)[Int.random(in: 0..<4, using: &generator)]
      }
      if (try? ProtocolWords(line)) != nil { count += 1 }
    }
    #expect(count > 100 && count < 20_000)
  }

  @Test func `Percent-encoding preserves all bytes`() {
    var generator = SeededGenerator(seed: 5)
    for length in 0..<500 {
      let bytes = (0..<length % 40).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = PercentCoding.encoded(bytes)
      #expect(PercentCoding.decoded(text[...]) == bytes && !text.contains { $0.isWhitespace })
    }
    #expect(PercentCoding.decoded("%4") == nil && PercentCoding.decoded("%zz") == nil)
  }
}

@Suite struct LineFramerTests {
  @Test func `Lines are complete, however their bytes arrive`() {
    let text = Array("one\r\ntwo\n\nfour".utf8)
    for size in 1...text.count {
      var framer = LineFramer()
      var lines: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        var piece = ByteBuffer(bytes: text[start..<min(start + size, text.count)])
        framer.append(&piece)
        while case .line(let line)? = framer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(lines == ["one", "two", ""])
    }
  }

  @Test(arguments: [true, false])
  func `A line that is too long is reported, with its end or without`(hasEnd: Bool) {
    var framer = LineFramer()
    var bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: LineFramer.lineLimit + 1)
    if hasEnd { bytes.writeString("\n") }
    framer.append(&bytes)
    #expect(framer.next() == .tooLong)
  }
}
