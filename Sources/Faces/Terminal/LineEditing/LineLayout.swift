// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline

/// The layout of a prompt and a line as libedit draws them: the rows that are full, and the position after the last
/// character.
struct LineLayout: Equatable {
  /// The end of a full row after which the text continues in the next row.
  struct RowEnd: Equatable {
    /// The index of the row.
    let row: Int
    /// Whether the last cell of the row is blank. libedit does not write such a cell, so the terminal treats the row as
    /// a line of its own.
    let isBlank: Bool
    /// The first character of the next row, or a blank if that row is empty. `nil` if libedit draws a replacement for
    /// an unprintable character there.
    var next: Unicode.Scalar? = " "
  }

  private static let tabWidth = 8

  /// The number of cells in a row.
  let columns: Int
  /// The row of the next character, counted from the first row of the prompt.
  private(set) var row = 0
  /// The column of the next character, counted from 0.
  private(set) var column = 0
  /// The ends of the full rows, from top to bottom.
  private(set) var rowEnds: [RowEnd] = []

  /// Creates an empty layout with rows of `columns` cells.
  init(columns: Int) { self.columns = max(1, columns) }

  /// Appends characters as libedit would draw them.
  mutating func append(_ text: some Sequence<Unicode.Scalar>) {
    for scalar in text {
      switch segue_el_cells(wchar_t(bitPattern: scalar.value)) {
      case -1: nextRow()
      case -2: repeat { put(1, of: " ") } while column % Self.tabWidth != 0
      // libedit replaces an unprintable character by several characters.
      case let cells where cells > 2: for _ in 0..<cells { put(1, of: nil) }
      case let cells: put(Int(cells), of: scalar.value < 0x20 ? nil : scalar)
      }
    }
  }

  private mutating func put(_ cells: Int, of scalar: Unicode.Scalar?) {
    guard cells > 0 else { return }
    // A wide character that does not fit moves to the next row.
    if column + cells > columns { fillRow(isBlank: true) }
    if column == 0, rowEnds.last?.row == row - 1 { rowEnds[rowEnds.count - 1].next = scalar }
    column += cells
    if column >= columns { fillRow(isBlank: scalar == " ") }
  }

  private mutating func fillRow(isBlank: Bool) {
    rowEnds.append(RowEnd(row: row, isBlank: isBlank))
    nextRow()
  }

  private mutating func nextRow() {
    row += 1
    column = 0
  }
}
