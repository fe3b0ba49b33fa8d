import AudioCore

/// Decides the format of the stream in which a source is played.
struct StreamFormatRule {
  let settings: EngineSettings
  let device: DeviceState
  /// The format of what is played before, without a break.
  let previous: AudioFormat?

  /// The source's own format, as far as the settings and the device allow it.
  func format(for source: AudioFormat) -> AudioFormat {
    var shape = source.shape
    if settings.formatChange == .resample { shape = device.open?.shape ?? previous?.shape ?? shape }
    if let sampleRate = settings.sampleRate { shape.sampleRate = sampleRate }
    shape = device.refusals[shape] ?? shape
    let format = AudioFormat(
      sampleRate: shape.sampleRate, channels: shape.channels, coding: source.coding)
    return format ?? source
  }
}

/// What the render thread has learnt of the device, for those who make the stream.
struct DeviceState: Sendable {
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
