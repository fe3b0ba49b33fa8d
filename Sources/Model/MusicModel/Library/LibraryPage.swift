/// A part of a listing.
public struct LibraryPage<Element: Sendable>: Sendable {
  /// Which part is asked for.
  public struct Window: Sendable, Hashable {
    /// How many elements come before it.
    public var offset: Int
    /// The most elements that it has; `nil` for all that follow.
    public var limit: Int?

    /// The part that begins behind `offset` elements. Negative numbers count as 0.
    public init(offset: Int = 0, limit: Int? = nil) {
      self.offset = max(0, offset)
      self.limit = limit.map { max(0, $0) }
    }
  }

  /// The elements, in the order that was asked for.
  public var elements: [Element]
  /// Whether there are more behind them.
  public var hasMore: Bool

  /// A page of these elements.
  public init(_ elements: [Element], hasMore: Bool = false) {
    self.elements = elements
    self.hasMore = hasMore
  }
}

extension LibraryPage: Equatable where Element: Equatable {}
