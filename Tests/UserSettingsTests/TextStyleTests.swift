// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct TextStyleTests {
  @Test(arguments: [
    ("bold cyan", "\u{1B}[1;36mx\u{1B}[0m"), ("red", "\u{1B}[31mx\u{1B}[0m"),
    ("bright-blue on 236", "\u{1B}[94;48;5;236mx\u{1B}[0m"),
    ("underline 208 on bright-white", "\u{1B}[4;38;5;208;107mx\u{1B}[0m"), ("default", "x"),
    ("dim default", "\u{1B}[2mx\u{1B}[0m"),
  ])
  func `Words become the terminal's codes around the text`(words: String, text: String) {
    #expect(TextStyle(parsing: words)?.applied(to: "x") == text)
    #expect(TextStyle(parsing: words)?.applied(to: "") == "")
  }

  @Test(arguments: [
    "", " ", "blod", "256", "-1", "on", "red on", "on on red", "on bold", "\u{1B}[31m", "bright-", "Red",
  ])
  func `An invalid style is refused`(words: String) { #expect(TextStyle(parsing: words) == nil) }
}
