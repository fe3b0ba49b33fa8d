public import MusicModel
public import SystemPackage

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

/// Opens a file as sound, for the formats whose headers the tag library cannot read; `nil` where it is no sound
/// that can be played.
///
/// It is called with regular files that are not empty, on any thread, on several at once.
public typealias AudioProbe = @Sendable (FilePath) -> ProbedAudio?
