public import AudioCore
import MusicModel

/// Why what is put out is not bit for bit what the file holds.
public enum SignalDeviation: Sendable, Hashable, CustomStringConvertible {
  /// The file has no samples of its own: its coding is lossy.
  case lossy
  /// The volume is below 100 %.
  case volume(Volume)
  /// ReplayGain changes the level; what decided, in words.
  case replayGain(String)
  /// The sample rate is converted, from and to so many Hz.
  case resampled(from: Int, to: Int)
  /// The channels are mixed, from so many to so many.
  case mixed(from: Int, to: Int)
  /// The output takes fewer bits than the file holds.
  case depth(from: SampleDepth, to: SampleDepth)

  /// The reason, in words for people.
  public var description: String {
    switch self {
    case .lossy: "the file's coding is lossy"
    case .volume(let volume): "volume \(volume.percent) %"
    case .replayGain(let reason): "ReplayGain: \(reason)"
    case .resampled(let from, let to): "resampled from \(from) to \(to) Hz"
    case .mixed(let from, let to): "mixed from \(from) to \(to) channels"
    case .depth(let from, let to): "reduced from \(from.rawValue) to \(to.rawValue) bits"
    }
  }
}

extension PlaybackState {
  /// Why what is put out is not bit for bit what the file holds, as far as Segue goes; empty where it is, `nil` where nothing is put
  /// out.
  public var deviations: [SignalDeviation]? {
    guard phase != .stopped, let format, let stream, let output else { return nil }
    var found: [SignalDeviation] = []
    if format.sourceDepth == nil { found.append(.lossy) }
    if volume != .full { found.append(.volume(volume)) }
    if gain.factor != 1 || gain.needsLimiter { found.append(.replayGain(gain.description)) }
    if stream.sampleRate != format.sampleRate {
      found.append(.resampled(from: format.sampleRate, to: stream.sampleRate))
    }
    if stream.channels != format.channels { found.append(.mixed(from: format.channels, to: stream.channels)) }
    if let depth = format.sourceDepth, depth > output.format.depth {
      found.append(.depth(from: depth, to: output.format.depth))
    }
    return found
  }
}
