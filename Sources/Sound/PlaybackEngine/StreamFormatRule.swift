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

/// A conversion from one sample rate to another, in Hz.
struct RateConversion: Equatable {
  let from: Int
  let to: Int

  /// The conversion in the other direction.
  var reversed: RateConversion { RateConversion(from: to, to: from) }

  /// The number of input frames after which frames of both rates coincide again.
  var period: Int {
    var (divisor, rest) = (from, to)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return from / divisor
  }

  /// Returns the number of output frames that last as long as `frames` input frames, rounded.
  func frames(_ frames: Int64) -> Int64 {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: Int64(from))
    return whole * Int64(to) + (2 * rest * Int64(to) + Int64(from)) / (2 * Int64(from))
  }

  /// Returns `frames` converted as a stream of their own; `nil` if memory runs out.
  func convert(_ frames: ArraySlice<Float>, channels: Int, resamplers: ResamplerFactory) -> ArraySlice<Float>? {
    guard from != to else { return frames }
    guard let resampler = resamplers(from, to, channels) else { return nil }
    let due = Int(self.frames(Int64(frames.count / channels))) * channels
    return unsafe [Float](unsafeUninitializedCapacity: due) { buffer, filled in
      var offered = frames.map { $0.isValidSample ? $0 : 0 }[...]
      while filled < due {
        let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled..<due])
        let (consumed, produced) =
          unsafe offered.isEmpty
          ? (0, resampler.finish(into: room))
          : offered.withUnsafeBufferPointer { unsafe resampler.process($0, into: room) }
        if consumed == 0, produced == 0 { break }
        offered = offered.dropFirst(consumed * channels)
        filled += produced * channels
      }
    }[...]
  }
}

/// Resamples the audio on both sides of a join between two sample rates, each to the other's rate.
///
/// Close to the join, a filter needs both sides, but each is known at one rate only. So they are converted in turns,
/// each with the current estimate of the other: every round leaves at most half of the error at the join, usually a
/// tenth. (This is the method of alternating projections, after Papoulis and Gerchberg.)
struct ResampleBoundary {
  private static let rounds = 8

  /// The end of the audio before the join, resampled to the rate of the audio after it.
  let before: ArraySlice<Float>
  /// The number of frames of `before` at their own rate; they last as long as a whole number of frames at the other
  /// rate.
  let framesBefore: Int
  /// The beginning of the audio after the join, resampled to the rate of the audio before it.
  let after: ArraySlice<Float>

  /// Resamples `before`, at the first rate of `rates`, and `after`, at the second, in frames of `channels` samples;
  /// returns `nil` if memory runs out.
  init?(
    _ before: ArraySlice<Float>, _ after: ArraySlice<Float>, rates: RateConversion, channels: Int,
    resamplers: ResamplerFactory
  ) {
    framesBefore = before.count / channels / rates.period * rates.period
    let before = before.suffix(framesBefore * channels)
    var resampledAfter = rates.reversed.convert(after, channels: channels, resamplers: resamplers)
    var resampledBefore: ArraySlice<Float> = []
    for _ in 0..<Self.rounds {
      guard let estimate = resampledAfter,
        let converted = rates.convert(before + estimate, channels: channels, resamplers: resamplers)
      else { return nil }
      resampledBefore = converted.prefix(Int(rates.frames(Int64(framesBefore))) * channels)
      resampledAfter = rates.reversed.convert(resampledBefore + after, channels: channels, resamplers: resamplers)?
        .dropFirst(before.count)
    }
    guard let resampledAfter else { return nil }
    self.before = resampledBefore
    self.after = resampledAfter
  }
}

extension Float {
  /// Whether the sample is finite and at most 96 dB above full scale: filters cannot handle larger samples.
  var isValidSample: Bool { magnitude < 65_536 }
}
