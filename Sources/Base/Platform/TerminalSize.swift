/// The size of a terminal in cells.
public struct TerminalSize: Sendable, Hashable {
  /// Cells in a row; at least 1.
  public var columns: Int
  /// Rows; at least 1.
  public var rows: Int

  /// A terminal of this size.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}
