import AudioCore

/// What the decode thread is told.
enum DecodeCommand: Sendable, Equatable {
  /// Leave what you decode; decode this source from this place on.
  case start(PlaybackSource, at: Duration, generation: UInt64)
  /// After the source with this id comes this one, or nothing; `word` is its number, see ``FollowHold``.
  case follow(PlaybackSource.ID, with: PlaybackSource?, Transition, word: UInt64)
  /// Leave what you decode.
  case stop
  /// End the thread.
  case quit
}
