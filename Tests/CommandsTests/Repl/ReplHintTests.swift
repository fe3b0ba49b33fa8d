// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Commands

struct ReplHintTests {
  @Test func `An album is suggested if there is one, otherwise how to add music`() {
    #expect(
      ReplHint.lines(album: "\"Blue Train\"", library: "/m", isThere: true) == [
        "Three things to try:", "  play \"Blue Train\"  play an album", "  /                  search as you type",
        "  help               list all commands; quit or Ctrl-D to exit",
      ])
    let empty = ReplHint.lines(album: nil, library: "/m", isThere: true)
    #expect(empty[0].hasPrefix("The library is empty") && empty[1].contains("scan"))
    let missing = ReplHint.lines(album: nil, library: "/m", isThere: false)
    #expect(missing[0] == "The music directory /m does not exist. Three things to try:")
    // Even if the library's name is long, the instructions are not truncated.
    #expect(missing.dropFirst().allSatisfy { $0.count <= 78 } && missing[1].contains("set library=DIRECTORY --save"))
  }

  @Test func `Names cannot send escapes to the terminal`() {
    let lines = ReplHint.lines(album: nil, library: "/m\u{1B}[2J", isThere: false)
    #expect(lines.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") })
  }
}
