public import AudioCore

/// What the engine reports of itself: what is heard, in the order in which it is; what cannot be decoded, as soon as
/// that is known.
public enum EngineEvent: Sendable, Equatable {
  /// Whether something plays.
  public enum Phase: Sendable, Hashable {
    /// Nothing plays; the output is closed.
    case stopped
    /// Sound goes to the output, or is about to.
    case playing
    /// Playing waits where it is.
    case paused
  }

  /// The engine will soon want to know what is played after this source; see ``PlaybackEngine/follow(_:with:_:)``.
  case needsNext(after: PlaybackSource.ID)
  /// The first frame of this source, or the first after a seek, is heard, in a stream of the format `stream`.
  /// `duration` is what the file states, and `bitRate` how many bits a second it takes for its sound.
  case started(
    PlaybackSource.ID, format: AudioFormat, stream: AudioFormat, duration: Duration?, bitRate: Int? = nil)
  /// So much of this source has been heard: when another second of it begins, within half a second; and at
  /// a pause or seek.
  case position(PlaybackSource.ID, Duration)
  /// Playing began, waits or ended by a command.
  case changed(Phase)
  /// This source cannot be played; the engine goes on with what follows it.
  case failed(PlaybackSource.ID, DecodingError)
  /// This source was played, but ended before its end.
  case endedEarly(PlaybackSource.ID, DecodingError)
  /// The last source was heard to its end; the phase is `stopped`.
  case finished
  /// An output was opened; `warning` is what the user should know of it, and `isDevice` tells a device from a file.
  case outputOpened(name: String, format: DeviceFormat, isDevice: Bool, latency: Duration, warning: String?)
  /// The device went. Unless the phase becomes `paused`, it is opened again with back-off, and playing goes on from the
  /// last sample that was heard.
  case outputLost(OutputError)
  /// The device has taken nothing for a while, or takes sound again.
  case outputStalled(Bool)
  /// What plays has given no sound for a while, since its file cannot be read at present, or gives some again.
  case inputStalled(Bool)
  /// The output failed for good; the phase is `stopped`.
  case outputFailed(OutputError)
}
