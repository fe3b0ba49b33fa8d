// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

struct CodecNameTests {
  @Test(arguments: [
    ("FLAC (Free Lossless Audio Codec)", "FLAC"), ("Vorbis", "Vorbis"),
    (String(repeating: "x", count: 99), String(repeating: "x", count: 32)),
  ])
  func `A name has no explanation, and a maximum length`(text: String, name: String) {
    #expect(CodecName(text)?.description == name)
  }

  @Test(arguments: ["", " (none)", "caf\u{E9}", "a\nb"])
  func `What is no name is refused`(text: String) { #expect(CodecName(text) == nil) }
}
