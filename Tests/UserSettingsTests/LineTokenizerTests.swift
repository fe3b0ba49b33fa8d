// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import UserSettings

struct LineTokenizerTests {
  @Test(arguments: [
    ("", []), ("   \t ", []), ("# a comment", []), ("  # too", []), ("play Blue", ["play", "Blue"]),
    ("play \"Kind of Blue\" 3", ["play", "Kind of Blue", "3"]),
    ("play 'Kind of Blue'", ["play", "Kind of Blue"]),
    ("play Kind\\ of\\ Blue", ["play", "Kind of Blue"]), ("play \"a \\\"b\\\" c\"", ["play", "a \"b\" c"]),
    ("play 'a\\b'", ["play", "a\\b"]), ("play \"\"", ["play", ""]), ("a''b", ["ab"]),
    ("play #1", ["play", "#1"]),
    ("a\"b c\"d", ["ab cd"]), ("end\\", ["end\\"]), ("夜 曲", ["夜", "曲"]), ("夜\u{3000}曲", ["夜", "曲"]),
    ("'it'\"'\"'s'", ["it's"]), ("play e\u{301}", ["play", "e\u{301}"]), ("a\u{A0}b\0", ["a", "b\0"]),
    ("seek -10", ["seek", "-10"]),
  ])
  func `A line is split into words`(line: String, words: [String]) throws {
    #expect(try LineTokenizer.words(line) == words)
  }

  @Test(arguments: [
    ("play \"Kind", Character("\"")), ("play 'Kind", "'"), ("\"a' b", "\""), ("\"a\\\"", "\""),
  ])
  func `An unmatched quotation mark is refused`(line: String, mark: Character) {
    #expect(throws: QuotationError(mark: mark)) { try LineTokenizer.words(line) }
  }

  @Test func `Quoted words are split back into the originals`() throws {
    var generator = SeededGenerator(seed: 3)
    let characters = ["a", " ", "\"", "\\", "'", "#", "夜", "\t", "👩‍👩‍👧‍👦"]
    for _ in 0..<2_000 {
      let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          characters.randomElement(using: &generator) ?? ""
        }
        .joined()
      }
      let quoted = words.map { word in
        "\"" + word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
      }
      #expect(try LineTokenizer.words(quoted.joined(separator: " ")) == words)
    }
  }

  @Test func `Random input never traps`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      _ = try? LineTokenizer.words(String(decoding: generator.bytes(64), as: UTF8.self))
    }
  }
}
