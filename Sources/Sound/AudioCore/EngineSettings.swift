// SPDX-License-Identifier: GPL-3.0-or-later

/// Settings of an engine for formats, lost devices and timeouts. They do not change during the engine's life.
public struct EngineSettings: Sendable, Hashable {
  /// What to do if the sample rate or the number of channels changes from one source to the next.
  public enum FormatChange: String, Sendable, Hashable, CaseIterable {
    /// Play the remaining audio, then reopen the output in the new format: every sample stays unchanged.
    case reopen
    /// Leave the output open, and convert sources of other formats.
    case resample
  }

  /// What to do if the format changes from one source to the next.
  public var formatChange = FormatChange.reopen
  /// The sample rate of the output, in Hz; `nil` for the rate of each source.
  public var sampleRate: Int?
  /// The sample depth of the output; `nil` for the depth of each source.
  public var depth: SampleDepth?
  /// Whether playback pauses when the device is lost, instead of resuming by itself when the device is back.
  public var pausesOnLoss = false
  /// The timeouts for files and devices that block.
  public var timeouts = Timeouts()

  public init() {}
}

/// The engine's timeouts for files and devices, in milliseconds.
public struct Timeouts: Sendable, Hashable {
  /// How long a file may block before its decode thread is replaced, if another source is to be played.
  public var file: UInt64
  /// How long a device may block before it, and not the file, is considered the cause of a stall.
  public var block: UInt64
  /// How long a device may block before it counts as stalled. Some accept samples in blocks of two seconds.
  public var stall: UInt64
  /// How long a device may block before its render thread is abandoned; doubled for each thread that is already stuck.
  public var output: UInt64
  /// How long a pause lasts before the device is closed, so that it uses no power and may sleep.
  public var pause: UInt64

  /// Creates timeouts; the defaults are those of the player.
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
