// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import TestSupport
import Testing

@testable import Tagging

@Suite struct TagJSONReaderTests {
  private static func read(_ text: String) -> [String] {
    AdditionalTags(json: text).values.map { "\($0.kind) \($0.text)" }
  }

  @Test func `Additional tags are read from the JSON that was written`() throws {
    var fields = TagFields()
    for (name, text) in [
      ("PERFORMER", "Ann \"A\" \\ Lee"), ("COMMENT", "a \"LABEL\":[\"x\"] b"), ("PERFORMER", "Bob é"),
      ("LABEL", "L"), ("ENCODER", "x"), ("MOVEMENTNAME", "Largo"), ("TITLE", "t"),
      ("MOVEMENT", "2"),
    ] {
      fields.append(text, to: name)
    }
    let json = try #require(TagJSON.text(fields))
    let expected = ["performer Ann \"A\" \\ Lee", "performer Bob é", "label L", "movement Largo", "movementNumber 2"]
    #expect(Self.read(json) == expected)
    #expect(AdditionalTags(fields).values == AdditionalTags(json: json).values)
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", "{\"LABEL\"", "{\"LABEL\":", "{\"LABEL\":[", "{\"LABEL\":[\"a",
    "{\"LABEL\":[\"a\\", "{\"LABEL\":\"a\"}", "{\"LABEL\":[1]}", "{LABEL:[\"a\"]}", "{\"LABEL\":{\"a\":1}}",
    "{\"LABEL\" : [\"a\"]}",
  ])
  func `Malformed text has no tags`(text: String) { #expect(Self.read(text).isEmpty) }

  @Test func `Random text does no harm`() {
    var random = SeededGenerator(seed: 5)
    let pieces = [
      "{", "}", "[", "]", ":", ",", "\"", "\\", "u0000", "LABEL", "\"LABEL\":[\"", "é", "\u{0}", "x",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      for value in AdditionalTags(json: text).values { #expect(value.kind == .label) }
    }
  }
}
