// SPDX-License-Identifier: GPL-3.0-or-later

package import CoverDrawing
package import Platform
import UnicodeText
package import UserSettings

/// The content of one cell of the terminal.
package struct Cell: Hashable, Sendable {
  /// A character, as a grapheme cluster; empty for the second cell of a wide character.
  package var text: String
  package var style: TextStyle

  /// An empty cell.
  package static let blank = Cell(text: " ", style: .plain)

  package init(text: String, style: TextStyle) {
    self.text = text
    self.style = style
  }

  /// Whether the cell looks like `other` on a terminal.
  func looks(like other: Cell) -> Bool {
    self == other || text == " " && other.text == " " && style.looksBlank(like: other.style)
  }
}

/// A picture on the terminal, and the cell of its upper left corner.
package struct PlacedPicture: Equatable, Sendable {
  package var picture: DrawnCover
  package var row: Int
  package var column: Int

  /// Creates a picture at a cell, counted from 0.
  package init(_ picture: DrawnCover, row: Int, column: Int) {
    self.picture = picture
    self.row = row
    self.column = column
  }
}

/// The content of a terminal, cell by cell, and pictures above the cells. Rows and columns are counted from
/// 0. What does not fit is cut off.
package struct CellGrid: Equatable, Sendable {
  package let size: TerminalSize
  /// The cells, row by row.
  private(set) var cells: [Cell]
  /// The pictures, which cover the cells below them.
  package var pictures: [PlacedPicture] = []

  /// Creates an empty grid. The size is at least one cell.
  package init(_ size: TerminalSize) {
    self.size = TerminalSize(columns: max(1, size.columns), rows: max(1, size.rows))
    cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
  }

  /// The cell at a position, which must be in the grid.
  package subscript(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

  /// The cells of a row, which must be in the grid.
  func cells(ofRow row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

  /// Returns the rows that differ from those of `other`, which has the same size.
  func rows(differingFrom other: CellGrid) -> [Int] {
    (0..<size.rows).filter { row in
      // Cell by cell, without copies: most cells of most frames are compared here.
      (row * size.columns..<(row + 1) * size.columns).contains { cells[$0] != other.cells[$0] }
    }
  }

  /// Writes `text` from a position on, in at most `width` cells; text that is too wide ends with an ellipsis. Returns
  /// the number of cells written.
  ///
  /// The text must be safe for terminals. Its style is added to that of the cells.
  @discardableResult
  package mutating func put(
    _ text: String, row: Int, column: Int, width: Int = .max, style: TextStyle = .plain
  ) -> Int {
    let room = min(width, size.columns - column)
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column), room > 0 else { return 0 }
    let start = row * size.columns + column
    var written = 0
    for character in text.truncated(toCells: room) {
      let cells = character.cellWidth
      guard cells > 0, written + cells <= room else { continue }
      set(start + written, String(character), style)
      for extra in 1..<max(cells, 1) where extra < cells { set(start + written + extra, "", style) }
      written += cells
    }
    if column + written < size.columns, cells[start + written].text.isEmpty { cells[start + written].text = " " }
    return written
  }

  /// Replaces a cell by a character that takes one cell, which must not be next to half of a wider one. Nothing happens
  /// outside of the grid.
  package mutating func set(_ character: String, row: Int, column: Int, _ style: TextStyle) {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return }
    cells[row * size.columns + column] = Cell(text: character, style: style)
  }

  private mutating func set(_ index: Int, _ text: String, _ style: TextStyle) {
    // Half of a wide character must not remain.
    if cells[index].text.isEmpty, !text.isEmpty, index % size.columns > 0, cells[index - 1].text.cellWidth == 2 {
      cells[index - 1].text = " "
    }
    cells[index].text = text
    cells[index].style = cells[index].style.adding(style)
  }

  /// Replaces the cells of a row in `columns` by a character that takes one cell.
  package mutating func fill(row: Int, columns: Range<Int>, with character: String = " ", style: TextStyle = .plain) {
    guard (0..<size.rows).contains(row) else { return }
    let columns = columns.clamped(to: 0..<size.columns)
    for column in columns {
      set(row * size.columns + column, character, .plain)
      cells[row * size.columns + column].style = style
    }
    let end = row * size.columns + columns.upperBound
    if columns.upperBound < size.columns, !columns.isEmpty, cells[end].text.isEmpty { cells[end].text = " " }
  }

  /// Empties a row.
  package mutating func clear(row: Int) { fill(row: row, columns: 0..<size.columns) }

  /// Adds a style to the cells of a row in `columns`.
  package mutating func paint(row: Int, columns: Range<Int>, style: TextStyle) {
    guard (0..<size.rows).contains(row) else { return }
    for column in columns.clamped(to: 0..<size.columns) {
      let index = row * size.columns + column
      cells[index].style = cells[index].style.adding(style)
    }
  }

  /// The text of each row, without the blanks at its end.
  package var lines: [String] {
    (0..<size.rows).map { row in
      let text = cells(ofRow: row).map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension CellGrid {
  /// Returns the grid after `rows` have been scrolled up by `distance`; the rows that come into view are empty.
  func scrolled(_ rows: Range<Int>, by distance: Int) -> CellGrid {
    var grid = self
    for row in rows {
      let source = rows.contains(row + distance) ? Array(cells(ofRow: row + distance)) : nil
      grid.cells.replaceSubrange(
        row * size.columns..<(row + 1) * size.columns,
        with: source ?? Array(repeating: .blank, count: size.columns))
    }
    return grid
  }
}
