public import AudioCore
public import MusicModel

/// What the engine reports, in the queue's words.
public enum PlaybackReport: Sendable, Equatable {
  /// This item was asked for, and is about to be heard.
  case requested(PlayQueue.Item.ID)
  /// This item is heard now. `duration` is what its file states.
  case started(PlayQueue.Item.ID, format: AudioFormat, duration: Duration?)
  /// So much of the item has been put out.
  case position(PlayQueue.Item.ID, Duration)
  /// Playing began, waits or ended.
  case changed(PlaybackState.Phase)
  /// This item cannot be played, and is skipped.
  case failed(PlayQueue.Item.ID, DecodingError)
  /// The queue was played to its end.
  case finished
  /// An output was opened.
  case outputOpened(PlaybackState.Output, warning: String?)
  /// The output failed, and playing ended.
  case outputFailed(OutputError)
}
