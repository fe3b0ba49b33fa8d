// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Testing
import UnicodeText
import UserSettings

@testable import Terminal

/// A terminal that understands just what ``CellOutput`` writes: cursor positions, erasing, scrolling, styles and text.
struct CellTerminal {
  private let size: TerminalSize
  private var cells: [[Cell]]
  private var row = 0
  private var column = 0
  private var style = TextStyle.plain
  /// The rows that scroll.
  private var region: ClosedRange<Int>
  /// The parts of the terminal that have been scrolled.
  private(set) var scrolled: [ClosedRange<Int>] = []

  init(_ size: TerminalSize) {
    self.size = size
    region = 0...size.rows - 1
    cells = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
  }

  /// What erasing and scrolling leave, on a terminal that erases in the colour of the background.
  private var erased: Cell { Cell(text: " ", style: TextStyle(background: style.background)) }

  /// Whether all rows scroll.
  var isWhole: Bool { region == 0...size.rows - 1 }

  var lines: [String] {
    cells.map { row in
      let text = row.map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the position of the first cell that does not look as in `grid`; `nil` if all do.
  func firstWrongStyle(_ grid: CellGrid, _ depth: ColourDepth = .trueColour) -> String? {
    for row in 0..<size.rows {
      for (column, cell) in cells[row].enumerated() where !cell.text.isEmpty {
        let wanted = grid[row, column].style.reduced(to: depth)
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
      case "H": (row, column) = (parameters[0] - 1, parameters.dropFirst().first.map { $0 - 1 } ?? 0)
      case "C": column = min(column + (parameters.first ?? 1), size.columns - 1)
      case "J": cells = Array(repeating: Array(repeating: erased, count: size.columns), count: size.rows)
      case "K": for index in column..<size.columns { cells[row][index] = erased }
      case "r":
        region = parameters.isEmpty ? 0...size.rows - 1 : parameters[0] - 1...parameters[1] - 1
        (row, column) = (0, 0)
      case "M": if row == region.lowerBound { scroll(down: true) } else { row -= 1 }
      case "m": change(parameters.isEmpty ? [0] : parameters)
      default: break
      }
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func scroll(down: Bool) {
    scrolled.append(region)
    cells.remove(at: down ? region.upperBound : region.lowerBound)
    cells.insert(
      Array(repeating: erased, count: size.columns), at: down ? region.lowerBound : region.upperBound)
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
      case 39: style.foreground = nil
      case 49: style.background = nil
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
