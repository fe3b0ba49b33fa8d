/// Makes frames of one number of channels out of frames of another, by the coefficients of Recommendation ITU-R BS.775.
///
/// The channels are in the order of WAVE (and of FLAC, RFC 9639, section 9.1.3): 3 are L R C, 4 are L R Ls Rs, 5 are
/// L R C Ls Rs, 6 are 5.1 (L R C LFE Ls Rs), 7 are 6.1 (L R C LFE Cs Ls Rs), 8 are 7.1 (L R C LFE Lb Rb Ls Rs). What
/// lies behind the listener goes to Ls and Rs, at -3 dB where it shares them. LFE is left out where there is none.
///
/// The coefficients are divided by the greatest sum of those of one output: full scale on all channels at once is full
/// scale, so that no peak can clip, and the balance of the channels stays. It is constant, so that no level pumps.
public struct ChannelMix: Sendable, Equatable {
  /// Samples in a frame that goes in.
  public let from: Int
  /// Samples in a frame that comes out.
  public let to: Int

  /// For each input, what it adds to each output.
  let columns: [SIMD8<Float>]

  /// From one of `AudioFormat.channelCounts` to 1, 2 or 6; `nil` for any other pair, unless both are the same.
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
    guard let speakers = Self.speakers(to) else { return nil }
    let columns = Self.sources[from - 1].map { source in
      source.reduce(SIMD8<Float>.zero) { $0 + speakers[$1.speaker.rawValue] * $1.gain }
    }
    let sums = columns.reduce(.zero, +)
    self.columns = columns.map { $0 / sums.max() }
  }

  /// Puts the mix of every whole frame of `input` at the beginning of `output`, and gives the number of frames: as
  /// many as `output` has room for. The two do not overlap.
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
  /// The places of 5.1, which every layout is brought to first.
  private enum Speaker: Int { case left, right, centre, lfe, leftSurround, rightSurround }

  private typealias Feed = (speaker: Speaker, gain: Float)

  /// 1 / sqrt(2): -3 dB.
  private static let half = Float(0.5).squareRoot()

  /// For each number of channels, from 1 on, where its channels go in 5.1.
  private static var sources: [[[Feed]]] {
    let front: [[Feed]] = [[(.left, 1)], [(.right, 1)]]
    let centre: [[Feed]] = [[(.centre, 1)]]
    let lfe: [[Feed]] = [[(.lfe, 1)]]
    let surround: [[Feed]] = [[(.leftSurround, 1)], [(.rightSurround, 1)]]
    let shared: [[Feed]] = [[(.leftSurround, half)], [(.rightSurround, half)]]
    let behind: [[Feed]] = [[(.leftSurround, half), (.rightSurround, half)]]
    return [
      centre, front, front + centre, front + surround, front + centre + surround,
      front + centre + lfe + surround, front + centre + lfe + behind + surround,
      front + centre + lfe + shared + shared,
    ]
  }

  /// What each speaker of 5.1 adds to each of `count` channels, or `nil` where that is not defined.
  private static func speakers(_ count: Int) -> [SIMD8<Float>]? {
    switch count {
    case 1: [half, half, 1, 0, 0.5, 0.5].map { only(0) * $0 }
    case 2: [only(0), only(1), (only(0) + only(1)) * half, .zero, only(0) * half, only(1) * half]
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

/// Converts a stream of interleaved frames from one sample rate to another, continuously. Belongs to one thread at a
/// time.
public protocol Resampler: AnyObject {
  /// Takes frames from the beginning of `input` and puts those that are ready at the beginning of `output`; gives the
  /// number of frames that were taken and put.
  ///
  /// Takes nothing only where `output` was filled. The frames that are put begin with the first one of the stream:
  /// there is no delay to be skipped.
  func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (taken: Int, put: Int)

  /// Puts frames that are left when the stream has ended at the beginning of `output`, and gives their number, 0 when
  /// nothing is left. In all, as many frames come out as went in, times the ratio of the rates, rounded.
  func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int
}

/// Makes a resampler from one sample rate to another, in Hz, for frames of so many channels; `nil` where there is no
/// memory.
public typealias ResamplerFactory =
  @Sendable (_ from: Int, _ to: Int, _ channels: Int) -> (any Resampler)?
