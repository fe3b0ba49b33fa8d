import AudioCore
import MusicModel

/// Why what is put out is not bit for bit what the file holds.
public enum SignalDeviation: Sendable, Hashable, CustomStringConvertible {
  /// The file has no samples of its own: its coding is lossy.
  case lossy
  /// The volume is below 100 %.
  case volume(Volume)
  /// ReplayGain changes the level; what decided, in words.
  case replayGain(String)
  /// The item before fades out meanwhile.
  case crossfade
  /// The sample rate is converted, from and to so many Hz.
  case resampled(from: Int, to: Int)
  /// The channels are mixed, from so many to so many.
  case mixed(from: Int, to: Int)
  /// The file holds more bits than come out, which are so many.
  case depth(from: Int, to: Int)
  /// The file holds floating-point numbers, which come out as integers of so many bits.
  case rounded(to: Int)

  /// The reason, in words for people.
  public var description: String {
    switch self {
    case .lossy: "the file's coding is lossy"
    case .volume(let volume): "volume \(volume.percent) %"
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
  /// Why what is put out is not bit for bit what the file holds, as far as Segue goes; empty where it is, `nil` where
  /// nothing is put out.
  public var deviations: [SignalDeviation]? {
    guard phase != .stopped, let signalPath, let output else { return nil }
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
    // An output may take more bits than the way to it carries.
    let bits = min(output.format.depth.rawValue, SampleCoding.carriedBits)
    switch format.coding {
    case .integer(let held) where held > bits: found.append(.depth(from: held, to: bits))
    case .float: found.append(.rounded(to: bits))
    case .integer, .lossy: break
    }
    return found
  }
}
