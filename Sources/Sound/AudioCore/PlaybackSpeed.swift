// SPDX-License-Identifier: GPL-3.0-or-later

/// How fast something is played, at the same pitch.
public struct PlaybackSpeed: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The factors that are possible.
  public static let range = 0.5...3
  /// The speed at which samples stay unchanged.
  public static let normal = PlaybackSpeed(hundredths: 100)

  private let hundredths: Int

  private init(hundredths: Int) { self.hundredths = hundredths }

  /// Creates a speed, rounded to a hundredth; returns `nil` if `factor` is not in ``range``.
  public init?(_ factor: Double) {
    guard Self.range.contains(factor) else { return nil }
    hundredths = Int((factor * 100).rounded())
  }

  /// How many seconds of the music are played in a second.
  public var factor: Double { Double(hundredths) / 100 }

  /// Returns this speed changed by `difference`, at most to the end of ``range``; NaN changes nothing.
  public func changed(by difference: Double) -> PlaybackSpeed {
    let wanted = min(max(factor + difference, Self.range.lowerBound), Self.range.upperBound)
    return PlaybackSpeed(wanted) ?? self
  }

  /// Returns how much of the music is played within `duration`.
  public func music(within duration: Duration) -> Duration { self == .normal ? duration : duration * factor }

  /// Returns how long it takes to play `music`.
  public func time(for music: Duration) -> Duration { self == .normal ? music : music / factor }

  public static func < (left: PlaybackSpeed, right: PlaybackSpeed) -> Bool { left.hundredths < right.hundredths }
}

extension PlaybackSpeed: CustomStringConvertible {
  /// The factor with as few digits as possible, such as "1.5x" or "2x".
  public var description: String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    guard rest > 0 else { return "\(whole)x" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)x" : "\(whole).\(rest < 10 ? "0" : "")\(rest)x"
  }
}
