/// What clients ask for of MixRamp: how loud tracks overlap at their ends, by tags that tell where they are how loud.
///
/// It is kept and told. No track has an overlap from it, since those tags are not read: tracks join as ``Crossfade``
/// says.
public struct MixRampSettings: Sendable, Hashable {
  /// How loud tracks are where they overlap, in decibels.
  public var decibels: Double
  /// How much later they overlap, in seconds; `nil` where they are not to.
  public var delay: Double?

  /// Settings of these numbers.
  public init(decibels: Double = 0, delay: Double? = nil) {
    self.decibels = decibels
    self.delay = delay
  }
}
