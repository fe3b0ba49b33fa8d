// SPDX-License-Identifier: GPL-3.0-or-later

/// The levels of the left and right channels over a short time; 1 is full scale, and levels may exceed it.
public struct SoundLevels: Sendable, Hashable {
  /// A level for each of the two channels.
  public struct Pair: Sendable, Hashable, BitwiseCopyable {
    /// The left channel.
    public var left: Float
    /// The right channel.
    public var right: Float

    /// Creates a pair of levels.
    public init(left: Float, right: Float) {
      self.left = left
      self.right = right
    }
  }

  /// The largest magnitude of a sample.
  public var peak: Pair
  /// The root mean square of the samples.
  public var rms: Pair

  /// Creates levels from their peak and their root mean square.
  public init(peak: Pair, rms: Pair) {
    self.peak = peak
    self.rms = rms
  }
}
