import AudioCore

/// In which formats a device is asked for sound, the best first.
enum FormatCandidates {
  private static let commonChannels = [2, 1, 6]
  private static let commonRates = [48_000, 44_100, 96_000, 192_000]

  /// The formats to try for sound of `wanted`, which come in this order: what was wanted; other depths; other numbers
  /// of channels, stereo first, each in every depth; and then other rates with all of these again.
  ///
  /// - Parameter depths: the depths to try, the best first.
  /// - Parameter convertsRates: whether the driver takes any rate, so that another would be refused for the same
  ///   reason.
  static func formats(for wanted: DeviceFormat, depths: [SampleDepth], convertsRates: Bool) -> [DeviceFormat] {
    let channels = [wanted.channels] + commonChannels.filter { $0 != wanted.channels }
    return (convertsRates ? [wanted.sampleRate] : rates(for: wanted.sampleRate)).flatMap { rate in
      channels.flatMap { channels in
        depths.map { DeviceFormat(sampleRate: rate, channels: channels, depth: $0) }
      }
    }
  }

  /// The rates to try for sound of `wanted` Hz: it, then multiples of it, then parts of it, then what is nearest.
  static func rates(for wanted: Int) -> [Int] {
    [wanted]
      + commonRates.filter { $0 != wanted }.sorted {
        (kind($0, wanted), abs($0 - wanted), $0) < (kind($1, wanted), abs($1 - wanted), $1)
      }
  }

  /// 0 for a multiple, 1 for a part, 2 for anything else.
  private static func kind(_ rate: Int, _ wanted: Int) -> Int {
    guard wanted > 0 else { return 2 }
    return rate % wanted == 0 ? 0 : wanted % rate == 0 ? 1 : 2
  }
}
