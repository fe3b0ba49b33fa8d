import AudioCore

/// What the render thread has learnt of the device, for those who make the stream.
struct DeviceFacts: Sendable {
  /// The format of the output that is open.
  var open: DeviceFormat?
  /// What it took instead of the sample rate and channels that were asked for.
  var refusals: [StreamShape: StreamShape] = [:]
  /// Why the output failed last, until it opens again.
  var failure: OutputError?
}

/// A sample rate and a number of channels.
struct StreamShape: Sendable, Hashable, BitwiseCopyable {
  /// Frames a second, in Hz.
  var sampleRate: Int
  /// Samples in a frame.
  var channels: Int
}

extension AudioFormat {
  /// Its sample rate and channels.
  var shape: StreamShape { StreamShape(sampleRate: sampleRate, channels: channels) }
}

extension DeviceFormat {
  /// Its sample rate and channels.
  var shape: StreamShape { StreamShape(sampleRate: sampleRate, channels: channels) }
}
