// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Chooses the formats to try on a device, best first.
public enum FormatCandidates {
  private static let commonChannels = [2, 1, 6]
  private static let commonRates = [48_000, 44_100, 96_000, 192_000]

  /// Returns the formats to try for audio of format `wanted`, in this order: `wanted`; other depths; other channel
  /// counts, stereo first, each in every depth; then the same for other rates.
  ///
  /// - Parameter depths: The depths to try, best first.
  /// - Parameter convertsRates: Whether the driver accepts any rate, so that trying other rates would not help.
  public static func formats(for wanted: DeviceFormat, depths: [SampleDepth], convertsRates: Bool) -> [DeviceFormat] {
    let channels = [wanted.channels] + commonChannels.filter { $0 != wanted.channels }
    return (convertsRates ? [wanted.sampleRate] : rates(for: wanted.sampleRate)).flatMap { rate in
      channels.flatMap { channels in
        depths.map { DeviceFormat(sampleRate: rate, channels: channels, depth: $0) }
      }
    }
  }

  /// Returns the rates to try for `wanted` Hz: the rate itself, its multiples, its divisors, then others, nearest
  /// first.
  static func rates(for wanted: Int) -> [Int] {
    [wanted]
      + commonRates.filter { $0 != wanted }.sorted {
        (kind($0, wanted), abs($0 - wanted), $0) < (kind($1, wanted), abs($1 - wanted), $1)
      }
  }

  /// Returns the rank of a rate: 0 for a multiple of `wanted`, 1 for a divisor, 2 for anything else.
  private static func kind(_ rate: Int, _ wanted: Int) -> Int {
    guard wanted > 0 else { return 2 }
    return rate % wanted == 0 ? 0 : wanted % rate == 0 ? 1 : 2
  }
}
