// SPDX-License-Identifier: GPL-3.0-or-later

package import UnicodeText

/// Texts in columns that are aligned by terminal cells.
package struct Table {
  private static let gap = 2

  /// The alignment of each column.
  package let alignments: [CellAlignment]
  /// The columns that are narrowed if there is too little room.
  package let flexible: [Int]

  /// Creates a table with these columns.
  package init(alignments: [CellAlignment], flexible: [Int]) {
    self.alignments = alignments
    self.flexible = flexible
  }

  /// Returns the lines for `rows`, each with a text per column; at most `columns` cells wide if that is given.
  package func lines(_ rows: [[String]], columns: Int?) -> [String] {
    lines(rows, widths: widths(rows, columns: columns), columns: columns)
  }

  /// Returns the width of each column in cells for `rows`; with `columns`, flexible columns are narrowed to fit into
  /// that if possible.
  package func widths(_ rows: [[String]], columns: Int?) -> [Int] {
    var widths = alignments.indices.map { column in rows.lazy.map { $0[column].cellWidth }.max() ?? 0 }
    if let columns { shrink(&widths, to: columns) }
    return widths
  }

  /// Returns the lines for `rows` in columns of these widths; wider texts are truncated.
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

  /// Narrows the flexible columns, the widest first, until all fit.
  private func shrink(_ widths: inout [Int], to columns: Int) {
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
    while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4 {
      widths[widest] -= 1
      excess -= 1
    }
  }
}
