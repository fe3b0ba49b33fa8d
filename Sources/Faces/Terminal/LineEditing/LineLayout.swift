// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline

/// The layout of a prompt and a line as libedit draws them: the full rows, and the position after the last character.
struct LineLayout: Equatable {
  /// The end of a full row after which the text continues.
  struct RowEnd: Equatable {
    /// The index of the row.
    let row: Int
    /// Whether its last cell is blank: libedit does not write that, and so the terminal treats the row as a line of its
    /// own.
    let isBlank: Bool
    /// The first character of the next row, a blank if that is empty; `nil` if it stands for an unprintable character.
    var next: Unicode.Scalar? = " "
  }

  private static let tab = 8

  /// The number of cells in a row.
  let columns: Int
  /// The row of the next character, counted from that of the prompt.
  private(set) var row = 0
  /// The cell of the next character in its row.
  private(set) var column = 0
  /// The ends of the full rows.
  private(set) var rowEnds: [RowEnd] = []

  /// Creates an empty layout with rows of `columns` cells.
  init(columns: Int) { self.columns = max(1, columns) }

  /// Appends `text`.
  mutating func append(_ text: some Sequence<Unicode.Scalar>) {
    for scalar in text {
      switch segue_el_cells(wchar_t(bitPattern: scalar.value)) {
      case -1: nextRow()
      case -2: repeat { put(1, of: " ") } while column % Self.tab != 0
      // The replacement for an unprintable character consists of several characters.
      case let cells where cells > 2: for _ in 0..<cells { put(1, of: nil) }
      case let cells: put(Int(cells), of: scalar.value < 0x20 ? nil : scalar)
      }
    }
  }

  private mutating func put(_ cells: Int, of scalar: Unicode.Scalar?) {
    guard cells > 0 else { return }
    // A wide character that does not fit goes to the next row.
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
