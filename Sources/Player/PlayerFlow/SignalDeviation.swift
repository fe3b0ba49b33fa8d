// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel

/// A reason why the output is not bit for bit identical to the audio in the file.
public enum SignalDeviation: Sendable, Hashable, CustomStringConvertible {
  /// The file has a lossy codec, and so no original samples.
  case lossy
  /// The volume is below 100 %.
  case volume(Volume)
  /// ReplayGain changes the level; the string describes the gain, such as "album gain -7.2 dB".
  case replayGain(String)
  /// The previous item is still fading out.
  case crossfade
  /// The sample rate is converted; both rates are in Hz.
  case resampled(from: Int, to: Int)
  /// The channels are mixed; both values are numbers of channels.
  case mixed(from: Int, to: Int)
  /// The bit depth is reduced; both depths are in bits.
  case depth(from: Int, to: Int)
  /// The file contains floating-point samples, which are rounded to integers of this many bits.
  case rounded(to: Int)

  /// A description of the reason for the user.
  public var description: String {
    switch self {
    case .lossy: "lossy codec"
    case .volume(let volume): "volume \(volume.percent)%"
    case .replayGain(let reason): "ReplayGain: \(reason)"
    case .crossfade: "crossfade"
    case .resampled(let from, let to): "resampled from \(from) to \(to) Hz"
    case .mixed(let from, let to): "mixed from \(from) to \(to) channels"
    case .depth(let from, let to): "reduced from \(from) to \(to) bits"
    case .rounded(let bits): "floating point, rounded to \(bits) bits"
    }
  }
}

extension PlaybackState {
  /// The reasons why the output is not bit-perfect, as far as Segue's own processing is concerned: empty if it is,
  /// `nil` if there is no output, or the item that was requested has not started.
  public var deviations: [SignalDeviation]? {
    guard phase != .stopped, !hasRequest, let signalPath, let output else { return nil }
    let (format, stream, gain) = (signalPath.format, signalPath.stream, signalPath.gain)
    var found: [SignalDeviation] = []
    if format.coding == .lossy { found.append(.lossy) }
    if volume != .full { found.append(.volume(volume)) }
    if gain.factor != 1 || gain.needsLimiter { found.append(.replayGain(gain.description)) }
    if isCrossfading { found.append(.crossfade) }
    if stream.sampleRate != format.sampleRate {
      found.append(.resampled(from: format.sampleRate, to: stream.sampleRate))
    }
    if stream.channels != format.channels { found.append(.mixed(from: format.channels, to: stream.channels)) }
    // The output may accept more bits than the engine's float samples represent.
    let bits = min(output.format.depth.rawValue, SampleCoding.carriedBits)
    switch format.coding {
    case .integer(let sourceBits) where sourceBits > bits: found.append(.depth(from: sourceBits, to: bits))
    case .float: found.append(.rounded(to: bits))
    case .integer, .lossy, .dsd: break
    }
    return found
  }
}
