public import MusicModel

/// What opening a file as sound tells of it.
public struct ProbedAudio: Sendable, Hashable {
  /// The sound's format.
  public var summary: AudioSummary
  /// How long it lasts, where the header says so.
  public var duration: Duration?

  /// Sound of this format and length.
  public init(summary: AudioSummary, duration: Duration?) {
    self.summary = summary
    self.duration = duration
  }
}
