// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct TextStyleTests {
  @Test(arguments: [
    ("bold cyan", "\u{1B}[1;36mx\u{1B}[0m"), ("red", "\u{1B}[31mx\u{1B}[0m"),
    ("bright-blue on 236", "\u{1B}[94;48;5;236mx\u{1B}[0m"),
    ("underline 208 on bright-white", "\u{1B}[4;38;5;208;107mx\u{1B}[0m"), ("default", "x"),
    ("dim default", "\u{1B}[2mx\u{1B}[0m"), ("#ff8000 on #000010", "\u{1B}[38;2;255;128;0;48;2;0;0;16mx\u{1B}[0m"),
  ])
  func `Words become the terminal's codes around the text`(words: String, text: String) {
    #expect(TextStyle(parsing: words)?.applied(to: "x") == text)
    #expect(TextStyle(parsing: words)?.applied(to: "") == "")
  }

  @Test(arguments: [
    "", " ", "blod", "256", "-1", "on", "red on", "on on red", "on bold", "\u{1B}[31m", "bright-", "Red", "#ff800",
    "#gg0000", "#-12345",
  ])
  func `An invalid style is refused`(words: String) { #expect(TextStyle(parsing: words) == nil) }

  @Test func `Colours become the nearest ones that a terminal shows`() {
    let style = { (words: String, depth: ColourDepth) in TextStyle(parsing: words)?.reduced(to: depth).codes }
    #expect(style("#ff0000", .indexed256) == [38, 5, 196] && style("#808080", .indexed256) == [38, 5, 244])
    #expect(
      style("#ff0000", .sixteen) == [91] && style("#101010", .sixteen) == [30] && style("#fefefe", .sixteen) == [97])
    #expect(style("19 on #00aa00", .sixteen) == [34, 42] && style("bold cyan on 9", .none) == [1])
    #expect(style("cyan on 9", .trueColour) == [36, 48, 5, 9])
    for number in UInt8.min...UInt8.max { #expect(style("\(number)", .sixteen)?.count == 1, "\(number)") }
  }

  @Test func `Every theme has a valid style for each role`() {
    for theme in Theme.allCases {
      for role in Palette.Role.allCases {
        #expect(TextStyle(parsing: theme.style(of: role)) != nil, "\(theme) \(role)")
      }
    }
  }

  @Test(arguments: [(0, 0, 90), (255, 255, 120), (130, 20, 20), (0, 255, 0), (255, 255, 255), (0, 0, 0)])
  func `A colour of a cover becomes light enough for a dark background, and dark enough for a light one`(
    red: UInt8, green: UInt8, blue: UInt8
  ) throws {
    for (theme, lumas) in [(Theme.dark, 150.0...255.0), (.cover, 150...255), (.light, 0...100)] {
      let words = try #require(theme.style(of: .heading, (red, green, blue)))
      guard case .rgb(let red, let green, let blue)? = TextStyle(parsing: words)?.foreground else {
        Issue.record("\(words)")
        continue
      }
      #expect(lumas.contains(0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)), "\(words)")
    }
  }
}
