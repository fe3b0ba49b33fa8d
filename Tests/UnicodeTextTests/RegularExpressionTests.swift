// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UnicodeText

extension RegularExpression {
  fileprivate func match(_ text: String) -> Outcome {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe match($0) }
  }
}

@Suite struct RegularExpressionTests {
  @Test(arguments: [
    ("", "x", true), ("", "", true), ("^$", "", true), ("lo.e", "Glove", true), ("^lo.e", "Glove", false),
    ("LOVE", "love", false), ("(?i)LOVE", "love", true), ("^.$", "é", true), ("^\\w+$", "Ærøskøbing", true),
    ("a.b", "a\nb", true), ("(a)|(b)", "b", true), ("夜", "夜曲", true), ("\\d{4}-\\d\\d", "2024-03-21", true),
  ]) func `A pattern matches a part of a text`(pattern: String, text: String, matches: Bool) throws {
    let outcome = try RegularExpression(pattern).match(text)
    #expect(outcome == (matches ? .matches : .noMatch))
  }

  @Test func `Case matters unless it is ignored`() throws {
    #expect(try RegularExpression("ÉTÉ").match("été") == .noMatch)
    #expect(try RegularExpression("ÉTÉ", ignoresCase: true).match("été") == .matches)
  }

  @Test(arguments: ["(", "[", "*", "(?<x", "\\", "\\C", "(?:a{1,1000}){1,1000}{1,1000}"])
  func `An invalid pattern is rejected with a reason`(pattern: String) {
    let error = #expect(throws: RegularExpression.SyntaxError.self) { _ = try RegularExpression(pattern) }
    #expect(error?.description.isEmpty == false)
  }

  @Test func `A pattern that is too long is rejected`() {
    #expect(throws: RegularExpression.SyntaxError.self) {
      _ = try RegularExpression(String(repeating: "a", count: 5_000))
    }
  }

  @Test(arguments: ["(a+)+$", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)(.*)x$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?R)?a(?R)?b"])
  func `A match that would take too long is abandoned soon`(pattern: String) throws {
    let expression = try RegularExpression(pattern)
    #expect(expression.match(String(repeating: "a", count: 4_000) + "!") != .matches)
  }

  @Test func `Invalid UTF-8 does not match, and does no harm`() throws {
    let expression = try RegularExpression("^a.c$")
    for bytes in [[0x61, 0xFF, 0x63], [0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      let outcome = unsafe bytes.withUnsafeBytes { unsafe expression.match($0) }
      #expect(outcome == .noMatch)
    }
  }
}
