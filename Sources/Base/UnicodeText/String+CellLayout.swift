/// Where a text stands in a column that is wider than it.
public enum CellAlignment: Sendable, Hashable {
  /// At the left, filled up with spaces at the right.
  case left
  /// At the right, filled up with spaces at the left.
  case right
}

extension String {
  /// The text, or as much of its beginning as fits into `limit` cells with an ellipsis "…" at the end.
  ///
  /// Never wider than `limit` cells, and never cut within a grapheme cluster; empty for a limit below 1.
  public func truncated(toCells limit: Int) -> String {
    guard limit > 0 else { return "" }
    if utf8.count <= limit, isPrintableASCII { return self }
    var width = 0
    // The end of the longest beginning that leaves a cell for the ellipsis.
    var cut = startIndex
    for index in indices {
      width += self[index].cellWidth
      if width > limit { return self[..<cut] + "…" }
      if width < limit { cut = self.index(after: index) }
    }
    return self
  }

  /// The text in exactly `cells` cells: truncated where it is wider, filled up with spaces where it is narrower.
  ///
  /// A negative number counts as 0.
  public func padded(toCells cells: Int, _ alignment: CellAlignment = .left) -> String {
    let text = truncated(toCells: cells)
    let space = String(repeating: " ", count: max(0, cells - text.cellWidth))
    return alignment == .left ? text + space : space + text
  }
}
