package import UnicodeText

/// Rows of texts in columns that are aligned by terminal cells.
package struct Table {
  private static let gap = 2

  /// How each column is aligned.
  package let alignments: [CellAlignment]
  /// The columns that give way where there is too little room.
  package let flexible: [Int]

  /// A table of columns of these `alignments`.
  package init(alignments: [CellAlignment], flexible: [Int]) {
    self.alignments = alignments
    self.flexible = flexible
  }

  /// The lines for `rows`, which all have as many texts as there are columns; with `columns`, no line has more cells.
  package func lines(_ rows: [[String]], columns: Int?) -> [String] {
    lines(rows, widths: widths(rows, columns: columns), columns: columns)
  }

  /// The cells that each column needs for `rows`; with `columns`, all together no more than that, as far as flexible
  /// columns can give way.
  package func widths(_ rows: [[String]], columns: Int?) -> [Int] {
    var widths = alignments.indices.map { column in rows.lazy.map { $0[column].cellWidth }.max() ?? 0 }
    if let columns { shrink(&widths, to: columns) }
    return widths
  }

  /// The lines for `rows` in columns of these widths; what is wider is cut.
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

  /// Takes cells from the flexible columns, from the widest first, until all fit.
  private func shrink(_ widths: inout [Int], to columns: Int) {
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
    while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4 {
      widths[widest] -= 1
      excess -= 1
    }
  }
}
