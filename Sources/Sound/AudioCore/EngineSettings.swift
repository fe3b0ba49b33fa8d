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
  public var patience = Timeouts()

  /// What leaves every sample as it is.
  public init() {}
}

/// How long the engine waits for files and devices, in milliseconds.
public struct Timeouts: Sendable, Hashable {
  /// How long a file may block before the thread that reads it is replaced, if something else is to be played.
  public var file: UInt64
  /// How long a device may block before what stands still is its doing, and not the file's.
  public var block: UInt64
  /// How long a device may block before it counts as stalled: some take sound in pieces of two seconds.
  public var stall: UInt64
  /// How long a device may block before the thread in it is given up; twice as long for each that is stuck already.
  public var output: UInt64
  /// How long a pause has to last for the device to be closed: then it costs nothing, and may sleep.
  public var pause: UInt64

  /// This long.
  public init(
    file: UInt64 = 300, block: UInt64 = 400, stall: UInt64 = 3000, output: UInt64 = 10_000, pause: UInt64 = 3000
  ) {
    self.file = file
    self.block = block
    self.stall = stall
    self.output = output
    self.pause = pause
  }
}
