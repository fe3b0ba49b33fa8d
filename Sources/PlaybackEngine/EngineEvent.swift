public import AudioCore

/// What the engine reports of itself, in the order in which it happened.
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

  /// The engine will soon want to know what is played after this source; see ``PlaybackEngine/follow(_:with:)``.
  case needsNext(after: PlaybackSource.ID)
  /// The first frame of this source, or the first after a seek, goes to the output. `duration` is what the file states.
  case started(PlaybackSource.ID, format: AudioFormat, duration: Duration?)
  /// So much of this source has gone to the output: every quarter of a second while playing, and at a pause or seek.
  case position(PlaybackSource.ID, Duration)
  /// Playing began, waits or ended by a command.
  case changed(Phase)
  /// This source cannot be played; the engine goes on with what follows it.
  case failed(PlaybackSource.ID, DecodingError)
  /// The last source was heard to its end; the phase is `stopped`.
  case finished
  /// An output was opened; `warning` is what the user should know of it.
  case outputOpened(name: String, format: DeviceFormat, warning: String?)
  /// The output failed; the phase is `stopped`.
  case outputFailed(OutputError)
}
