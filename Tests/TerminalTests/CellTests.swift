// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import TestSupport
import Testing
import UnicodeText
import UserSettings

@testable import Terminal

struct CellTests {
  private static let red = TextStyle(foreground: .standard(1))

  private static func grid(_ lines: [String], columns: Int = 12) -> CellGrid {
    var grid = CellGrid(TerminalSize(columns: columns, rows: lines.count))
    for (row, line) in lines.enumerated() { grid.put(line, row: row, column: 0) }
    return grid
  }

  @Test func `Text is cut at the edge, and wide characters are never halved`() {
    var grid = CellGrid(TerminalSize(columns: 6, rows: 2))
    #expect(grid.put("abcdefgh", row: 0, column: 2) == 4)
    #expect(grid.lines == ["  abc…", ""])
    #expect(grid.put("夜のうた", row: 1, column: 1, width: 4) == 3)
    #expect(grid.lines[1] == " 夜…")
    grid.put("x", row: 1, column: 2)
    #expect(grid.lines[1] == "  x…")
    grid.put("夜", row: 1, column: 2)
    grid.put("a", row: 1, column: 2)
    #expect(grid.lines[1] == "  a")
    // Positions outside of the grid are ignored.
    for (row, column) in [(-1, 0), (2, 0), (0, -1), (0, 6)] { #expect(grid.put("x", row: row, column: column) == 0) }
  }

  @Test func `Styles of cells are added to each other`() {
    var grid = Self.grid(["abc"])
    grid.put("b", row: 0, column: 1, style: Self.red)
    grid.paint(row: 0, columns: 0..<99, style: TextStyle(effects: .reverse))
    #expect(grid[0, 1].style == TextStyle(foreground: .standard(1), effects: .reverse))
    #expect(grid[0, 11].style == TextStyle(effects: .reverse))
  }

  @Test func `Equal grids need no output, and a change of a letter only that letter`() {
    let old = Self.grid(["abc", "def"])
    #expect(CellOutput.text(replacing: old, by: old, .trueColour) == nil)
    #expect(
      CellOutput.text(replacing: old, by: Self.grid(["abc", "dEf"]), .trueColour)
        == "\u{1B}[?2026h\u{1B}[2;2HE\u{1B}[?2026l")
  }

  @Test func `Colours are reduced to those of the terminal`() {
    var grid = CellGrid(TerminalSize(columns: 2, rows: 1))
    grid.put("a", row: 0, column: 0, style: TextStyle(foreground: .rgb(255, 0, 0), effects: .bold))
    let codes: [(ColourDepth, String)] = [
      (.trueColour, "1;38;2;255;0;0"), (.indexed256, "1;38;5;196"), (.sixteen, "1;91"), (.none, "1"),
    ]
    for (depth, code) in codes {
      #expect(CellOutput.text(replacing: nil, by: grid, depth)?.contains("\u{1B}[\(code)ma") == true, "\(code)")
    }
  }

  @Test func `A picture is drawn once, and its cells are not written while it is there`() {
    let cover = DrawnCover(content: .image("PICTURE"), columns: 4, rows: 2)
    var first = Self.grid(["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"])
    first.pictures = [PlacedPicture(cover, row: 0, column: 2)]
    let text = CellOutput.text(replacing: nil, by: first, .trueColour) ?? ""
    #expect(text.contains("\u{1B}[1;3HPICTURE") && text.split(separator: "a").count > 1)
    var second = first
    second.put("z", row: 2, column: 0)
    #expect(CellOutput.text(replacing: first, by: second, .trueColour)?.contains("PICTURE") == false)
    var third = second
    third.pictures = []
    // The picture is erased, and what was below it is written.
    let last = CellOutput.text(replacing: second, by: third, .trueColour) ?? ""
    #expect(last.contains("\u{1B}[2J") && last.contains("aaaaaaaaaa"))
  }

  @Test func `Below the prompt, rows are found from that of the cursor`() {
    let old = Self.grid(["abc", "def", ""])
    let new = Self.grid(["abc", "dEf", "g"])
    #expect(
      CellOutput.text(replacing: nil, by: old, .none, isInline: true)
        == "\u{1B}[?2026h\u{1B}[1G\u{1B}[0m\u{1B}[J\n\n\u{1B}[2A\u{1B}[1Gabc\u{1B}[1B\u{1B}[1Gdef\u{1B}[1A\u{1B}[1G"
        + "\u{1B}[?2026l")
    #expect(
      CellOutput.text(replacing: old, by: new, .none, isInline: true)
        == "\u{1B}[?2026h\u{1B}[1B\u{1B}[2GE\u{1B}[1B\u{1B}[1Gg\u{1B}[2A\u{1B}[1G\u{1B}[?2026l")
  }

  @Test func `Only what differs between two styles is sent`() {
    let bold = TextStyle(foreground: .indexed(1), background: .indexed(2), effects: .bold)
    let other = TextStyle(foreground: .indexed(7), background: .indexed(2), effects: .bold)
    #expect(other.codes(after: bold) == [38, 5, 7])
    #expect(TextStyle.plain.codes(after: bold) == [0])
    #expect(Self.red.codes(after: bold) == [0, 31])
    #expect(bold.codes(after: .plain) == [1, 38, 5, 1, 48, 5, 2])
  }

  @Test(arguments: 0..<60)
  func `The output of any change shows the new cells on a terminal`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = ["a", "Bc", "夜", "👩‍👩‍👧", "e\u{301}", "━━━━", " ", "שיר", "ｗ", "1️⃣", "—", "✓", "   ", "나", "…"]
    let styles = [
      TextStyle.plain, Self.red, TextStyle(effects: [.bold, .reverse]), TextStyle(background: .indexed(99)),
      TextStyle(foreground: .rgb(1, 2, 3), background: .indexed(99), effects: .underline),
    ]
    let size = TerminalSize(columns: .random(in: 1...30, using: &random), rows: .random(in: 1...14, using: &random))
    var terminal = CellTerminal(size)
    var old: CellGrid?
    var grid = CellGrid(size)
    for _ in 0..<20 {
      if Bool.random(using: &random), let old {
        let first = Int.random(in: 0..<size.rows, using: &random)
        grid = old.scrolled(first..<size.rows, by: .random(in: -2...2, using: &random))
      }
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        grid.put(
          texts.randomElement(using: &random) ?? "", row: .random(in: 0..<size.rows, using: &random),
          column: .random(in: 0..<size.columns, using: &random), style: styles.randomElement(using: &random) ?? .plain)
        if Int.random(in: 0...5, using: &random) == 0 { grid.clear(row: .random(in: 0..<size.rows, using: &random)) }
      }
      if let text = CellOutput.text(replacing: old, by: grid, .trueColour) { terminal.write(text) }
      #expect(terminal.lines == grid.lines)
      #expect(terminal.firstWrongStyle(grid) == nil)
      old = grid
    }
  }
}
