/// A place in a numbered set: a track on its disc, a disc in its box.
public struct Ordinal: Sendable, Hashable {
  /// The place, from 1; 0 where a tag says so (hidden tracks).
  public var number: Int
  /// How many there are in all, where known; at least 1.
  public var total: Int?

  /// The place `number` in a set of `total`.
  public init(_ number: Int, of total: Int? = nil) {
    self.number = number
    self.total = total
  }
}
