// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Equalising
import MusicModel

extension PlaybackState {
  /// What playback should do, as last requested by the user; the engine may not have followed yet.
  enum Activity: Sendable, Equatable {
    /// Nothing should play. `isOver` is `true` if the engine has stopped, too, and nothing has been requested since.
    case stopped(StopReason, isOver: Bool)
    /// An item was requested and has not started yet.
    case requested(RequestedItem, isPaused: Bool)
    /// The item that started last should play, or be paused.
    case started(isPaused: Bool)

    var phase: Phase {
      switch self {
      case .stopped: .stopped
      case .requested(_, let isPaused), .started(let isPaused): isPaused ? .paused : .playing
      }
    }

    /// The requested item that has not started yet; `nil` if there is none.
    var request: RequestedItem? {
      get { if case .requested(let request, _) = self { request } else { nil } }
      set { if let newValue { self = .requested(newValue, isPaused: phase == .paused) } }
    }

    /// Pauses or resumes. Has no effect when stopped.
    mutating func setPaused(_ isPaused: Bool) {
      switch self {
      case .stopped: break
      case .requested(let request, _): self = .requested(request, isPaused: isPaused)
      case .started: self = .started(isPaused: isPaused)
      }
    }

    /// Turns the requested item into the one that has started.
    mutating func start() {
      if case .requested(_, let isPaused) = self { self = .started(isPaused: isPaused) }
    }
  }

  /// The reason why nothing should play.
  enum StopReason: Sendable, Equatable {
    /// Nothing has been requested yet, the queue was played to its end, or the user stopped playback.
    case ordinary
    /// A client stopped playback, or an edit left nothing to play.
    case interrupted
    /// None of the requested items could be played; this is the error of the last one.
    case unplayable(DecodingError)
  }

  /// An item that was requested and has not started yet.
  struct RequestedItem: Sendable, Equatable {
    /// The position at which the item should start.
    var position: Duration
    /// The length of the item; `nil` if it is not known.
    let duration: Duration?
    /// Whether the previous item was played to its end, and this one waits for playback to be resumed.
    var isWaiting = false
  }

  /// The item that is playing, or that played last. It stays known when playback stops or another item is requested.
  struct PlayedItem: Sendable, Equatable {
    let id: PlayQueue.Item.ID
    /// The elapsed time of the item.
    var position: Duration
    /// The length of the item; `nil` if neither its file nor its tags state it.
    var duration: Duration?
    /// How the item is encoded, and what decodes it.
    var encoding = SourceEncoding()
    /// The part of the item that is played if the user does not seek.
    var part = PlayedPart()
  }

  /// Whether ``PlayedItem/position`` advances by itself.
  enum Progress: Sendable, Equatable {
    /// The position advances: the item is audible.
    case advancing
    /// The position does not advance until the engine reports one again.
    case halted
    /// The position is not audible yet, for example because it is the target of a seek. It stays the same until the
    /// engine reports that the item has started there.
    case pending
  }

  /// The formats and the gain with which the item that started last reaches the output.
  struct SignalPath: Sendable, Equatable {
    let format: AudioFormat
    /// The format of the stream in which the item is played.
    let stream: AudioFormat
    /// The gain that ReplayGain applies to the item.
    var gain: ReplayGainDecision
    /// The speed at which the item is played.
    var speed: PlaybackSpeed
    /// The length of the item's beginning during which the previous item may still be fading out.
    let mixedBeginning: Duration
  }

  /// The state of the output device, or of the file that is written instead.
  enum Device: Sendable, Equatable {
    /// No output is open.
    case closed
    case open(Output)
    /// The device was lost, with this error, and is not back yet.
    case lost(OutputError)
  }
}

/// A reason why the output is not bit for bit identical to the audio in the file.
public enum SignalDeviation: Sendable, Hashable, CustomStringConvertible {
  /// The file has a lossy codec, and so no original samples.
  case lossy
  /// The volume is below 100 %.
  case volume(Volume)
  /// ReplayGain changes the level; the string describes the gain, such as "album gain -7.2 dB".
  case replayGain(String)
  /// It is played faster or slower.
  case stretched(PlaybackSpeed)
  /// The equaliser applies the profile of this name.
  case equalised(String)
  /// Each channel is mixed into the other one, for headphones.
  case crossfeed(Crossfeed)
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
    case .stretched(let speed): "speed \(speed)"
    case .equalised(let name): "equalised (\(name))"
    case .crossfeed(let level): "crossfeed (\(level.rawValue))"
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
    if playedSpeed != .normal { found.append(.stretched(playedSpeed)) }
    if let active = equaliser.active, !active.profile.isFlat { found.append(.equalised(active.name)) }
    if let level = equaliser.activeCrossfeed, stream.channels == 2 { found.append(.crossfeed(level)) }
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
