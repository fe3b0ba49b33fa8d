// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import TestSupport
import Testing
import UserSettings

@testable import Terminal

struct CellScrollTests {
  private static func grid(_ lines: [String], columns: Int = 20) -> CellGrid {
    var grid = CellGrid(TerminalSize(columns: columns, rows: lines.count))
    for (row, line) in lines.enumerated() { grid.put(line, row: row, column: 0) }
    return grid
  }

  private static let rows = (0..<20).map { "row number \($0)" }
  private static let old = grid(["title 1"] + rows[0..<10] + ["", "bar"])
  private static let new = grid(["title 2"] + rows[1..<11] + ["", "bar"])

  @Test func `Rows that move are scrolled, not written again`() {
    #expect(
      CellOutput.text(replacing: Self.old, by: Self.new, .trueColour)
        == "\u{1B}[?2026h\u{1B}[2;11r\u{1B}[11H\n\u{1B}[r\u{1B}[1;7H2\u{1B}[11Hrow number 10\u{1B}[?2026l")
    let back = CellOutput.text(replacing: Self.new, by: Self.old, .trueColour) ?? ""
    #expect(back.contains("\u{1B}[2;11r\u{1B}[2H\u{1B}M\u{1B}[r") && back.utf8.count < 80)
  }

  @Test func `A terminal without a scrolling region gets the rows`() {
    #expect(CellOutput.text(replacing: Self.old, by: Self.new, .none, scrolls: false)?.contains("\n") == false)
    #expect(CellOutput.text(replacing: Self.old, by: Self.new, .none, isInline: true)?.contains("\n") == false)
  }

  @Test(arguments: [1, 3, 10]) func `Rows with a picture are not scrolled`(row: Int) {
    var (old, new) = (Self.old, Self.new)
    let picture = PlacedPicture(DrawnCover(content: .image("x"), columns: 1, rows: 2), row: row, column: 15)
    new.pictures = [picture]
    #expect(CellOutput.text(replacing: old, by: new, .trueColour)?.contains("\n") == false)
    old.pictures = [picture]
    #expect(CellOutput.text(replacing: old, by: new, .trueColour)?.contains("\n") == false)
  }

  @Test func `Rows above and below a picture are scrolled`() {
    var (old, new) = (Self.old, Self.new)
    let picture = PlacedPicture(DrawnCover(content: .image("x"), columns: 1, rows: 2), row: 11, column: 15)
    (old.pictures, new.pictures) = ([picture], [picture])
    #expect(CellOutput.text(replacing: old, by: new, .trueColour)?.contains("\u{1B}[2;11r") == true)
  }

  @Test func `Rows are written if something beside them would have to be written again`() {
    let beside = "a long text that stays where it is"
    let lines = { (first: Int) in (0..<12).map { "\(first + $0)  " + beside.dropFirst($0) } }
    let (old, new) = (Self.grid(lines(10), columns: 60), Self.grid(lines(11), columns: 60))
    #expect(CellScroll(from: old, to: new, changed: new.rows(differingFrom: old)) == nil)
    #expect(CellOutput.text(replacing: old, by: new, .trueColour)?.contains("\n") == false)
  }

  /// Lists side by side, some of which scroll, while others change or stay, with a line under the cursor.
  private static func change(_ old: CellGrid, _ random: inout SeededGenerator) -> CellGrid {
    let size = old.size
    var new = old
    let top = Int.random(in: 0..<size.rows, using: &random)
    let bottom = Int.random(in: top..<size.rows, using: &random)
    let moved = old.scrolled(top..<bottom + 1, by: .random(in: -6...6, using: &random))
    if Bool.random(using: &random) {
      new = moved
    } else {
      // Only some columns move; wide characters stay whole, since all of these are narrow.
      let columns = Int.random(in: 0..<size.columns, using: &random)..<size.columns
      for row in 0..<size.rows {
        for column in columns { new.set(moved[row, column].text, row: row, column: column, moved[row, column].style) }
      }
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let row = Int.random(in: 0..<size.rows, using: &random)
      new.clear(row: row)
      new.put(
        String(repeating: "\(Int.random(in: 0...999, using: &random)) ", count: .random(in: 0...9, using: &random)),
        row: row, column: .random(in: 0...5, using: &random),
        style: Bool.random(using: &random) ? .plain : TextStyle(foreground: .indexed(7)))
      if Bool.random(using: &random) {
        new.paint(row: row, columns: 0..<size.columns, style: TextStyle(background: .indexed(4), effects: .bold))
      }
    }
    return new
  }

  @Test(arguments: 0..<100)
  func `Scrolling shows the new cells, takes no more bytes, and spares pictures`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = TerminalSize(columns: .random(in: 1...60, using: &random), rows: .random(in: 1...24, using: &random))
    let depth: ColourDepth = seed % 4 == 0 ? .none : .indexed256
    var terminal = CellTerminal(size)
    var old = CellGrid(size)
    terminal.write(CellOutput.text(replacing: nil, by: old, depth) ?? "")
    for _ in 0..<30 {
      var new = Self.change(old, &random)
      let row = Int.random(in: 0..<size.rows, using: &random)
      let picture = PlacedPicture(DrawnCover(content: .rows([]), columns: 0, rows: 2), row: row, column: 0)
      new.pictures = Int.random(in: 0..<4, using: &random) == 0 ? [picture] : []
      let text = CellOutput.text(replacing: old, by: new, depth)
      let written = CellOutput.text(replacing: old, by: new, depth, scrolls: false)
      #expect(text?.utf8.count ?? 0 <= written?.utf8.count ?? 0)
      let count = terminal.scrolled.count
      terminal.write(text ?? "")
      #expect(terminal.lines == new.lines)
      #expect(terminal.isWhole && terminal.firstWrongStyle(new, depth) == nil)
      for region in terminal.scrolled[count...] {
        for placed in old.pictures + new.pictures { #expect(!region.overlaps(placed.row...placed.row + 1)) }
      }
      old = new
    }
    #expect(size.rows < 16 || size.columns < 20 || !terminal.scrolled.isEmpty)
  }
}
