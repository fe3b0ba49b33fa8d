/// How an engine treats formats and a device that goes. Fixed for the engine's life.
public struct EngineSettings: Sendable, Hashable {
  /// What happens where the sample rate or the number of channels changes from one source to the next.
  public enum FormatChange: String, Sendable, Hashable, CaseIterable {
    /// What was played is heard to its end, and the output is opened in the new format: every sample stays as it is.
    case reopen
    /// The output stays open, and what has another format is converted.
    case resample
  }

  /// What happens where the format changes.
  public var formatChange = FormatChange.reopen
  /// The sample rate for all that is played, in Hz; `nil` for each source's own.
  public var sampleRate: Int?
  /// The depth for all that is played; `nil` for each source's own.
  public var depth: SampleDepth?
  /// Whether playing pauses when the device goes, instead of going on when it is back.
  public var pausesOnLoss = false
  /// How long it waits for what blocks.
  public var patience = Patience()

  /// What leaves every sample as it is.
  public init() {}
}
