/// How loud the left and the right channel are over a short time: from 0 to 1, which is full scale, or beyond.
public struct SoundLevels: Sendable, Hashable {
  /// One number for each of the two channels.
  public struct Pair: Sendable, Hashable, BitwiseCopyable {
    /// That of the left channel.
    public var left: Float
    /// That of the right channel.
    public var right: Float

    /// A pair of these.
    public init(left: Float, right: Float) {
      self.left = left
      self.right = right
    }
  }

  /// The greatest samples, without their signs.
  public var peak: Pair
  /// The root of the mean of the squares.
  public var rms: Pair

  /// These levels.
  public init(peak: Pair, rms: Pair) {
    self.peak = peak
    self.rms = rms
  }
}
