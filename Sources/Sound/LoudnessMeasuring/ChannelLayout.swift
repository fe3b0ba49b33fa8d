import CEbur128

/// Which loudspeaker a channel is for: those beside and behind the listener count more, and the one for low frequencies
/// does not count.
enum ChannelLayout {
  /// The loudspeakers for so many channels, in the order of WAV and FLAC.
  ///
  /// One channel counts as two: Segue plays it on both sides, where it is as loud as stereo with the same on both.
  static func channels(_ count: Int) -> [channel] {
    switch count {
    case 1: [EBUR128_DUAL_MONO]
    case 2: [EBUR128_LEFT, EBUR128_RIGHT]
    case 3: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER]
    case 4: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
    case 5: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
    case 6:
      [
        EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_LEFT_SURROUND,
        EBUR128_RIGHT_SURROUND,
      ]
    case 7:
      [
        EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_Mp180, EBUR128_Mp090,
        EBUR128_Mm090,
      ]
    default:
      [
        EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_Mp135, EBUR128_Mm135,
        EBUR128_Mp090, EBUR128_Mm090,
      ]
    }
  }
}
