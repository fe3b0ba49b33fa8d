import AudioCore

/// Decides the format of the stream in which a source is played.
struct StreamFormatRule {
  let settings: EngineSettings
  let device: DeviceFacts
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
