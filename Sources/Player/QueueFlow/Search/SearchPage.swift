/// A part of a listing, as it was read.
public struct SearchPage: Sendable, Hashable {
  /// The rows.
  public var rows: SearchRows
  /// Whether there are more behind them.
  public var hasMore: Bool

  /// A page of these rows.
  public init(_ rows: SearchRows, hasMore: Bool = false) {
    self.rows = rows
    self.hasMore = hasMore
  }
}
