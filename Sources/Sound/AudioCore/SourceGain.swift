/// By how much a source is made louder or softer, whatever the volume is: ReplayGain.
public struct SourceGain: Sendable, Hashable, BitwiseCopyable {
  /// Every sample as it is.
  public static let unity = SourceGain(factor: 1, isLimited: false)

  /// The factor for every sample, from 0.
  public let factor: Float
  /// Whether a limiter keeps the peaks below full scale, instead of clipping them.
  public let isLimited: Bool

  /// The gain by this factor; what is no number, or negative, leaves every sample as it is.
  public init(factor: Float, isLimited: Bool) {
    self.factor = factor >= 0 && factor.isFinite ? factor : 1
    self.isLimited = isLimited
  }
}
