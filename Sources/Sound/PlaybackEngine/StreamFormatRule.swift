// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Determines the format of the stream in which a source is played.
struct StreamFormatRule {
  let settings: EngineSettings
  let device: DeviceState
  /// The format of the previous source in the stream; `nil` if there is none, or the stream was interrupted.
  let previous: AudioFormat?

  /// Returns the format of the stream for a source of this format: the source's own, as far as the settings and the
  /// device allow it.
  func format(for source: AudioFormat) -> AudioFormat {
    // DSD cannot be converted.
    guard !source.isDSD else { return source }
    var shape = source.shape
    if settings.formatChange == .resample { shape = device.open?.shape ?? previous?.shape ?? shape }
    if let sampleRate = settings.sampleRate { shape.sampleRate = sampleRate }
    shape = device.refusals[shape] ?? shape
    let format = AudioFormat(
      sampleRate: shape.sampleRate, channels: shape.channels, coding: source.coding)
    return format ?? source
  }
}

/// The state of the device, which the render thread shares with the decode thread.
struct DeviceState: Sendable {
  /// The format of the open output; `nil` if none is open.
  var open: DeviceFormat?
  /// The shapes that the device does not accept, and the ones that it uses instead.
  var refusals: [StreamShape: StreamShape] = [:]
  /// The shapes of DSD that the device does not accept.
  var refusedDSD: Set<StreamShape> = []
  /// The last error of the output; `nil` once it has been opened again.
  var failure: OutputError?
}

/// The shape of a stream: its sample rate, its number of channels, and whether it is DSD.
struct StreamShape: Sendable, Hashable, BitwiseCopyable {
  /// The sample rate, in Hz.
  var sampleRate: Int
  /// The number of samples in a frame.
  var channels: Int
  var isDSD = false
}

extension AudioFormat {
  var shape: StreamShape { StreamShape(sampleRate: sampleRate, channels: channels, isDSD: isDSD) }
}

extension DeviceFormat {
  var shape: StreamShape { StreamShape(sampleRate: sampleRate, channels: channels, isDSD: isDSD) }
}
