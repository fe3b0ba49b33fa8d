// SPDX-License-Identifier: GPL-3.0-or-later

/// Settings of an engine for formats and for a lost device. Fixed for the engine's life.
public struct EngineSettings: Sendable, Hashable {
  /// What to do if the sample rate or the number of channels changes from one source to the next.
  public enum FormatChange: String, Sendable, Hashable, CaseIterable {
    /// Play what is left, then reopen the output in the new format: every sample stays unchanged.
    case reopen
    /// Leave the output open and convert sources of other formats.
    case resample
  }

  /// What to do if the format changes.
  public var formatChange = FormatChange.reopen
  /// The sample rate for everything that is played, in Hz; `nil` for that of each source.
  public var sampleRate: Int?
  /// The depth for everything that is played; `nil` for that of each source.
  public var depth: SampleDepth?
  /// Whether playback pauses when the device is lost, instead of resuming by itself when it is back.
  public var pausesOnLoss = false
  /// How long to wait for blocking files and devices.
  public var patience = Timeouts()

  /// Creates the settings that leave every sample unchanged.
  public init() {}
}

/// Timeouts of the engine for files and devices, in milliseconds.
public struct Timeouts: Sendable, Hashable {
  /// How long a file may block before its decode thread is replaced, if something else is to be played.
  public var file: UInt64
  /// How long a device may block before the device, and not the file, is taken for the cause of a standstill.
  public var block: UInt64
  /// How long a device may block before it counts as stalled. Some accept samples in blocks of two seconds.
  public var stall: UInt64
  /// How long a device may block before its render thread is abandoned; doubled for each thread that is stuck already.
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
