import AudioCore

/// How far a source has been heard.
struct HeardPosition: Sendable, Equatable {
  var generation: UInt64
  var source: PlaybackSource.ID
  var position: Duration
  /// How much of it the output has taken; nothing more than was heard where a later source is put out already.
  var written: Duration

  /// A position with these properties; what was heard is all that the output has taken, unless `written` says
  /// otherwise.
  init(
    generation: UInt64, source: PlaybackSource.ID, position: Duration, written: Duration? = nil
  ) {
    self.generation = generation
    self.source = source
    self.position = position
    self.written = written ?? position
  }
}
