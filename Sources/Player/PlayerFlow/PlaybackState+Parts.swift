// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel

/// The parts of the state that have a type of their own.
extension PlaybackState {
  /// An open output.
  public struct Output: Sendable, Hashable {
    /// The name of the driver or file.
    public let name: String
    /// The sample format that the output accepts.
    public let format: DeviceFormat
    /// The maximum time until a command is audible.
    public let latency: Duration

    public init(name: String, format: DeviceFormat, latency: Duration) {
      self.name = name
      self.format = format
      self.latency = latency
    }
  }

  /// A FIFO that also gets what is audible.
  public struct Tap: Sendable, Hashable {
    /// The name of the FIFO.
    public let name: String
    /// Whether the FIFO gets anything.
    public var isEnabled = true
  }

  /// What has become of the last output that was chosen while the player was running.
  public struct OutputSwitch: Sendable, Hashable {
    /// The number of outputs that were chosen and have been opened, or have failed to.
    public internal(set) var count = 0
    /// The error with which the last one did not open, so that the one before it is used; `nil` if it did.
    public internal(set) var failure: OutputError?
    /// The name of the last one if it is one of a list of preferred outputs.
    public internal(set) var preferred: String?
    /// Whether another output of a list is used soon, or playback pauses, if the output is lost.
    public internal(set) var isFollowed = false
    /// The number of times that playback was paused because none of a list was available.
    public internal(set) var pauseCount = 0
  }

  /// An item that could not be played, or not to its end.
  public struct Problem: Sendable, Hashable {
    /// The sequence number of the problem, starting at 1.
    public let number: Int
    public let item: PlayQueue.Item.ID
    /// The error with which decoding the item failed.
    public let error: DecodingError
    /// Whether the item was skipped entirely.
    public let isSkipped: Bool
  }
}
