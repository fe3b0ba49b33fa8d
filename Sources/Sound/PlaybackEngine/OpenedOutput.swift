import AudioCore

/// An output that was opened.
struct OpenedOutput: Sendable, Hashable {
  /// What it is, in words for people.
  var name: String
  /// The format in which it takes samples.
  var format: DeviceFormat
  /// How many frames it holds at most that are not heard yet.
  var bufferFrames: Int
  /// Whether it stays open in a pause, however long that is.
  var isKeptInPause = false
  /// What the user should know of it.
  var warning: String?

  /// Whether it is a device, which plays in time what it holds, and may go and come back.
  var isDevice: Bool { bufferFrames > 0 }

  /// What the engine reports of it.
  var event: EngineEvent {
    .outputOpened(
      name: name, format: format, isDevice: isDevice,
      latency: .seconds(1) * bufferFrames / max(1, format.sampleRate), warning: warning)
  }
}
