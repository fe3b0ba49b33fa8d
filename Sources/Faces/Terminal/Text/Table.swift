// SPDX-License-Identifier: GPL-3.0-or-later

package import UnicodeText

/// A table of text, with columns aligned by terminal cells.
package struct Table {
  private static let gap = 2

  /// The alignment of each column.
  package let alignments: [CellAlignment]
  /// The indices of the columns that may be narrowed if the table is too wide.
  package let flexible: [Int]

  package init(alignments: [CellAlignment], flexible: [Int]) {
    self.alignments = alignments
    self.flexible = flexible
  }

  /// Returns the lines for `rows`, each of which has one string per column. Lines are at most `columns` cells wide;
  /// `nil` means any width.
  package func lines(_ rows: [[String]], columns: Int?) -> [String] {
    lines(rows, widths: widths(rows, columns: columns), columns: columns)
  }

  /// Returns the width of each column in cells that `rows` require. If `columns` is given, the flexible columns are
  /// narrowed so that the table fits into that many cells, if possible.
  package func widths(_ rows: [[String]], columns: Int?) -> [Int] {
    var widths = alignments.indices.map { column in rows.lazy.map { $0[column].cellWidth }.max() ?? 0 }
    if let columns { shrink(&widths, to: columns) }
    return widths
  }

  /// Returns the lines for `rows`, with columns of the given widths. Text that is wider than its column is truncated.
  package func lines(_ rows: [[String]], widths: [Int], columns: Int?) -> [String] {
    rows.map { row in
      let cells = zip(row, zip(widths, alignments)).map { text, layout in
        text.truncated(toCells: layout.0).padded(toCells: layout.0, layout.1)
      }
      var line = zip(cells, widths).filter { $0.1 > 0 }.map(\.0).joined(
        separator: String(repeating: " ", count: Self.gap))
      while line.last == " " { line.removeLast() }
      return columns.map { line.truncated(toCells: $0) } ?? line
    }
  }

  /// Narrows the flexible columns, the widest first, until the table fits into `columns` cells.
  private func shrink(_ widths: inout [Int], to columns: Int) {
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
    while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4 {
      widths[widest] -= 1
      excess -= 1
    }
  }
}
