// SPDX-License-Identifier: GPL-3.0-or-later

/// A conversion of frames from one number of channels to another, with the coefficients of Recommendation ITU-R BS.775.
///
/// The channels are those of ``Speaker/speakers(channels:)``. Rear and side channels are mixed into the surround
/// channels of 5.1, at -3 dB if two share them. LFE is dropped if the output has none.
///
/// For each output channel, the coefficients are added up, and all coefficients are divided by the largest of these
/// sums. So full scale on all input channels stays full scale, no peak can clip, and the balance between channels stays
/// the same. The divisor is constant, so the level does not pump.
public struct ChannelMix: Sendable, Equatable {
  /// The number of channels of the input.
  public let from: Int
  /// The number of channels of the output.
  public let to: Int

  /// For each input channel, its coefficient in each output channel.
  let columns: [SIMD8<Float>]

  /// Creates a mix from any of `AudioFormat.channelCounts` to 1, 2 or 6 channels, or to the same number; returns `nil`
  /// for all other pairs.
  ///
  /// Mono is WAVE's front centre: it goes to both channels of stereo, and to the centre of 5.1. Stereo stays in front.
  public init?(from: Int, to: Int) {
    guard AudioFormat.channelCounts.contains(from), AudioFormat.channelCounts.contains(to) else { return nil }
    self.from = from
    self.to = to
    if from == to {
      columns = (0..<from).map { Self.only($0) }
      return
    }
    guard let outputs = Self.outputs(to) else { return nil }
    let columns = Self.sources(from).map { source in
      source.reduce(SIMD8<Float>.zero) { $0 + outputs[$1.channel.rawValue] * $1.gain }
    }
    let sums = columns.reduce(.zero, +)
    self.columns = columns.map { $0 / sums.max() }
  }

  /// Mixes whole frames of `input` into the beginning of `output`. The buffers must not overlap.
  ///
  /// - Returns: The number of frames mixed: all of `input`, or as many as `output` has room for.
  public func apply(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> Int {
    let frames = min(input.count / from, output.count / to)
    unsafe columns.withUnsafeBufferPointer { columns in
      for frame in 0..<frames {
        var sum = SIMD8<Float>.zero
        for channel in 0..<from { unsafe sum += input[frame &* from &+ channel] * columns[channel] }
        for channel in 0..<to { unsafe output[frame &* to &+ channel] = sum[channel] }
      }
    }
    return frames
  }
}

extension ChannelMix {
  /// The channels of 5.1, the intermediate layout of every conversion.
  private enum Channel: Int { case left, right, centre, lfe, leftSurround, rightSurround }

  /// The gain that halves the power, 1 / sqrt(2) or -3 dB.
  private static let halfPower = Float(0.5).squareRoot()

  /// Returns the channels of 5.1, with their gains, that each of `count` channels feeds.
  private static func sources(_ count: Int) -> [[(channel: Channel, gain: Float)]] {
    let speakers = Speaker.speakers(channels: count)
    let surroundGain = speakers.contains(.rearLeft) && speakers.contains(.sideLeft) ? halfPower : 1
    return speakers.map { speaker in
      switch speaker {
      case .frontLeft: [(.left, 1)]
      case .frontRight: [(.right, 1)]
      case .mono, .frontCentre: [(.centre, 1)]
      case .lowFrequency: [(.lfe, 1)]
      case .rearLeft, .sideLeft: [(.leftSurround, surroundGain)]
      case .rearRight, .sideRight: [(.rightSurround, surroundGain)]
      case .rearCentre: [(.leftSurround, halfPower), (.rightSurround, halfPower)]
      }
    }
  }

  /// Returns the coefficients of each channel of 5.1 in each of `count` channels; `nil` if that layout is not defined.
  private static func outputs(_ count: Int) -> [SIMD8<Float>]? {
    switch count {
    case 1: [halfPower, halfPower, 1, 0, 0.5, 0.5].map { only(0) * $0 }
    case 2: [only(0), only(1), (only(0) + only(1)) * halfPower, .zero, only(0) * halfPower, only(1) * halfPower]
    case 6: (0..<6).map { only($0) }
    default: nil
    }
  }

  private static func only(_ channel: Int) -> SIMD8<Float> {
    var column = SIMD8<Float>.zero
    column[channel] = 1
    return column
  }
}

/// Converts a stream of interleaved frames from one sample rate to another. Only one thread at a time may use it.
public protocol Resampler: AnyObject {
  /// Resamples frames from the beginning of `input` into the beginning of `output`.
  ///
  /// It consumes at least one frame, unless `output` was filled. The first output frame corresponds to the first input
  /// frame: there is no delay to skip.
  ///
  /// - Returns: The number of frames consumed and the number produced.
  func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int)

  /// Writes frames that are left after the end of the stream to the beginning of `output`.
  ///
  /// In all, as many frames come out as went in, times the ratio of the rates, rounded.
  ///
  /// - Returns: The number of frames written; 0 when none are left.
  func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int
}

/// A function that creates a resampler between two sample rates, in Hz, for frames of `channels` samples; it returns
/// `nil` if memory runs out.
public typealias ResamplerFactory =
  @Sendable (_ from: Int, _ to: Int, _ channels: Int) -> (any Resampler)?

/// A function that creates a stretcher, which changes the speed of frames of `channels` samples, and returns `nil` if
/// that is not possible. It has the form of a resampler: as many frames come out as went in, divided by the speed.
public typealias StretcherFactory =
  @Sendable (_ speed: PlaybackSpeed, _ sampleRate: Int, _ channels: Int) -> (any Resampler)?
