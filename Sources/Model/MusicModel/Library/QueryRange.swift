/// The values from one to another, both within; an end that is `nil` is open.
public struct QueryRange<Bound: Sendable & Hashable>: Sendable, Hashable {
  /// The least value.
  public var lower: Bound?
  /// The greatest value.
  public var upper: Bound?

  /// The range from `lower` to `upper`.
  public init(from lower: Bound?, to upper: Bound?) {
    self.lower = lower
    self.upper = upper
  }
}
