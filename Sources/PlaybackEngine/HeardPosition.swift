import AudioCore

/// How far a source has been heard.
struct HeardPosition: Sendable, Equatable {
  var generation: UInt64
  var source: PlaybackSource.ID
  var position: Duration
}
