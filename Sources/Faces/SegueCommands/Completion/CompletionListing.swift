import Platform
import UnicodeText

/// Names to choose from, in columns.
enum CompletionListing {
  private static let gap = 2

  /// The lines for `names`, one below the other and then to the right, that fit into `size`; the last one tells how
  /// many are left out.
  static func lines(_ names: [String], in size: TerminalSize) -> [String] {
    // The line that is typed stays in sight.
    let room = max(1, size.rows - 3)
    let texts = names.map(\.safeForTerminal)
    let width = min(texts.map(\.cellWidth).max() ?? 0, size.columns)
    let columnCount = max(1, (size.columns + gap) / (width + gap))
    let rowCount = (texts.count + columnCount - 1) / columnCount
    let shown = rowCount > room ? texts.prefix(room * columnCount) : texts[...]
    let height = min(rowCount, room)
    var lines = (0..<height).map { row in
      let cells = stride(from: row, to: shown.count, by: height).map { shown[$0] }
      var line = cells.map { $0.padded(toCells: width) }.joined(separator: String(repeating: " ", count: gap))
      while line.last == " " { line.removeLast() }
      return line
    }
    if shown.count < texts.count { lines.append("… and \(texts.count - shown.count) more") }
    return lines
  }
}
