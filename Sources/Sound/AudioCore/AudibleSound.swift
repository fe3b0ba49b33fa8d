// SPDX-License-Identifier: GPL-3.0-or-later

/// A short piece of the sound that is audible at an instant: the left and right channels, or twice the only one.
public struct AudibleSound: Sendable, Hashable {
  /// The samples of the left channel.
  public var left: [Float]
  /// The samples of the right channel, as many as of the left one.
  public var right: [Float]
  /// The number of samples per second of a channel.
  public var sampleRate: Int
  /// The number of the sample that is audible at the instant; it may be the one after the last.
  public var position: Int

  public init(left: [Float], right: [Float], sampleRate: Int, position: Int) {
    self.left = left
    self.right = right
    self.sampleRate = sampleRate
    self.position = position
  }

  /// The length of a piece, in samples of a channel: a power of two, at least 64, and about 93 ms at the rates of
  /// music.
  public static func length(sampleRate: Int) -> Int {
    let limit = max(64, min(sampleRate / 10, 16_384))
    return 1 << (Int.bitWidth - 1 - limit.leadingZeroBitCount)
  }

  /// The levels in a thirtieth of a second around the audible sample.
  public var levels: SoundLevels {
    let reach = max(1, sampleRate / 60)
    let middle = min(max(0, position), left.count)
    let range = max(0, middle - reach)..<min(left.count, middle + reach)
    var peak = SIMD2<Float>.zero
    var power = SIMD2<Float>.zero
    for index in range {
      let pair = SIMD2(left[index], index < right.count ? right[index] : 0)
      peak = pointwiseMax(peak, pointwiseMax(pair, -pair))
      power += pair * pair
    }
    let rms = (power / Float(max(1, range.count))).squareRoot()
    return SoundLevels(
      peak: SoundLevels.Pair(left: peak.x, right: peak.y), rms: SoundLevels.Pair(left: rms.x, right: rms.y))
  }

  /// The mean of both channels.
  public var mono: [Float] { zip(left, right).map { ($0 + $1) / 2 } }
}
