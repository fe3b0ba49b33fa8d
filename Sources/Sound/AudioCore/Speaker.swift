// SPDX-License-Identifier: GPL-3.0-or-later

/// A speaker for which a channel is meant.
public enum Speaker: Sendable, Hashable, BitwiseCopyable {
  case mono, frontLeft, frontRight, frontCentre, lowFrequency, rearLeft, rearRight, rearCentre, sideLeft, sideRight

  /// Returns the speakers of frames with this number of channels, in the order of WAVE (and of FLAC, RFC 9639, section
  /// 9.1.3); none if the number is not in `AudioFormat.channelCounts`.
  public static func speakers(channels: Int) -> [Speaker] {
    let front: [Speaker] = [.frontLeft, .frontRight]
    let rear: [Speaker] = [.rearLeft, .rearRight]
    let side: [Speaker] = [.sideLeft, .sideRight]
    switch channels {
    case 1: return [.mono]
    case 2: return front
    case 3: return front + [.frontCentre]
    case 4: return front + rear
    case 5: return front + [.frontCentre] + rear
    case 6: return front + [.frontCentre, .lowFrequency] + rear
    case 7: return front + [.frontCentre, .lowFrequency, .rearCentre] + side
    case 8: return front + [.frontCentre, .lowFrequency] + rear + side
    default: return []
    }
  }
}
