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

  @Test func `Rows that move are scrolled, not written again`() {
    let rows = (0..<20).map { "row number \($0)" }
    let old = Self.grid(["title 1"] + rows[0..<10] + ["", "bar"], columns: 20)
    let new = Self.grid(["title 2"] + rows[1..<11] + ["", "bar"], columns: 20)
    #expect(
      CellOutput.text(replacing: old, by: new, .trueColour)
        == "\u{1B}[?2026h\u{1B}[2;11r\u{1B}[11;1H\n\u{1B}[r\u{1B}[1;7H2\u{1B}[11;1Hrow number 10\u{1B}[?2026l")
    let back = CellOutput.text(replacing: new, by: old, .trueColour) ?? ""
    #expect(back.contains("\u{1B}[2;11r\u{1B}[2;1H\u{1B}M\u{1B}[r") && back.utf8.count < 80)
    // A picture would be scrolled as well.
    var picture = new
    picture.pictures = [PlacedPicture(DrawnCover(content: .rows(["x"]), columns: 1, rows: 1), row: 3, column: 15)]
    #expect(CellOutput.text(replacing: old, by: picture, .trueColour)?.contains("\n") == false)
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

/// A terminal that understands just what ``CellOutput`` writes: cursor positions, erasing, scrolling, styles and text.
private struct CellTerminal {
  private let size: TerminalSize
  private var cells: [[Cell]]
  private var row = 0
  private var column = 0
  private var style = TextStyle.plain
  /// The rows that scroll.
  private var region: ClosedRange<Int>

  init(_ size: TerminalSize) {
    self.size = size
    region = 0...size.rows - 1
    cells = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
  }

  var lines: [String] {
    cells.map { row in
      let text = row.map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the position of the first cell that does not look as in `grid`; `nil` if all do.
  func firstWrongStyle(_ grid: CellGrid) -> String? {
    for row in 0..<size.rows {
      for (column, cell) in cells[row].enumerated() where !cell.text.isEmpty {
        let wanted = grid[row, column].style
        let isRight = cell.text == " " ? cell.style.looksBlank(like: wanted) : cell.style == wanted
        if !isRight { return "row \(row), column \(column): \(cell.style), not \(wanted)" }
      }
    }
    return nil
  }

  mutating func write(_ text: String) {
    var rest = Substring(text)
    while let character = rest.first {
      rest.removeFirst()
      if character == "\n" {
        if row == region.upperBound { scroll(down: false) } else { row += 1 }
        continue
      }
      guard character == "\u{1B}" else {
        put(character)
        continue
      }
      let end = rest.firstIndex { $0.isLetter } ?? rest.startIndex
      let parameters = rest[rest.startIndex..<end].dropFirst().split(separator: ";").map { Int($0) ?? 0 }
      switch rest[end] {
      case "H": (row, column) = (parameters[0] - 1, parameters[1] - 1)
      case "J": cells = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
      case "K": for index in column..<size.columns { cells[row][index] = .blank }
      case "r":
        region = parameters.isEmpty ? 0...size.rows - 1 : parameters[0] - 1...parameters[1] - 1
        (row, column) = (0, 0)
      case "M": if row == region.lowerBound { scroll(down: true) } else { row -= 1 }
      case "m": change(parameters)
      default: break
      }
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func scroll(down: Bool) {
    cells.remove(at: down ? region.upperBound : region.lowerBound)
    cells.insert(
      Array(repeating: .blank, count: size.columns), at: down ? region.lowerBound : region.upperBound)
  }

  private mutating func change(_ codes: [Int]) {
    var rest = codes[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: style = .plain
      case 1: style.effects.insert(.bold)
      case 4: style.effects.insert(.underline)
      case 7: style.effects.insert(.reverse)
      case 30...37: style.foreground = .standard(UInt8(code - 30))
      case 38, 48:
        let colour: TextStyle.Colour? =
          rest.popFirst() == 5
          ? rest.popFirst().map { .indexed(UInt8($0)) }
          : .rgb(UInt8(rest.popFirst() ?? 0), UInt8(rest.popFirst() ?? 0), UInt8(rest.popFirst() ?? 0))
        if code == 38 { style.foreground = colour } else { style.background = colour }
      default: Issue.record("unknown style \(code)")
      }
    }
  }

  private mutating func put(_ character: Character) {
    for index in column..<min(column + character.cellWidth, size.columns) { erase(index) }
    cells[row][column] = Cell(text: String(character), style: style)
    if character.cellWidth == 2, column + 1 < size.columns { cells[row][column + 1] = Cell(text: "", style: style) }
    column = min(column + character.cellWidth, size.columns - 1)
  }

  /// Erases a cell, and the other half of a wide character.
  private mutating func erase(_ index: Int) {
    if cells[row][index].text.isEmpty { cells[row][index - 1].text = " " }
    if index + 1 < size.columns, cells[row][index + 1].text.isEmpty { cells[row][index + 1].text = " " }
    cells[row][index].text = " "
  }
}
