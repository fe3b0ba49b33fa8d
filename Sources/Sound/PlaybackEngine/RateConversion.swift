import AudioCore

/// From one sample rate to another, in Hz.
struct RateConversion: Equatable {
  let from: Int
  let to: Int

  /// The other way round.
  var reversed: RateConversion { RateConversion(from: to, to: from) }

  /// How many frames have to pass until a frame of either rate falls on one of the other again.
  var period: Int {
    var (divisor, rest) = (from, to)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return from / divisor
  }

  /// How many frames last as long as `frames` did, rounded.
  func frames(_ frames: Int64) -> Int64 {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: Int64(from))
    return whole * Int64(to) + (2 * rest * Int64(to) + Int64(from)) / (2 * Int64(from))
  }

  /// All of `frames` as a stream of its own; `nil` where there is no memory.
  func convert(_ frames: ArraySlice<Float>, channels: Int, resamplers: ResamplerFactory) -> ArraySlice<Float>? {
    guard from != to else { return frames }
    guard let resampler = resamplers(from, to, channels) else { return nil }
    let due = Int(self.frames(Int64(frames.count / channels))) * channels
    return unsafe [Float](unsafeUninitializedCapacity: due) { buffer, filled in
      var offered = frames.map { $0.isSound ? $0 : 0 }[...]
      while filled < due {
        let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled..<due])
        let (taken, put) =
          unsafe offered.isEmpty
          ? (0, resampler.finish(into: room))
          : offered.withUnsafeBufferPointer { unsafe resampler.process($0, into: room) }
        if taken == 0, put == 0 { break }
        offered = offered.dropFirst(taken * channels)
        filled += put * channels
      }
    }[...]
  }
}

/// What two stretches of sound that join at different sample rates are at each other's rate.
///
/// Close to the join, a filter needs both, but each is known at one rate only. So they are converted by turns, each
/// time with what the other one is known to be: every round leaves at most half of what was wrong at the join, most
/// often a tenth. (It is the method of alternating projections, after Papoulis and Gerchberg.)
struct ResampleBoundary {
  private static let rounds = 8

  /// The end of what comes before, at the rate of what comes behind.
  let before: ArraySlice<Float>
  /// How many frames it was at its own rate: they last as long as whole frames of the other rate.
  let framesBefore: Int
  /// The beginning of what comes behind, at the rate of what comes before.
  let behind: ArraySlice<Float>

  /// The seam of `before`, at the first rate of `rates`, and `behind`, at the second, in frames of `channels` samples;
  /// `nil` where there is no memory.
  init?(
    _ before: ArraySlice<Float>, _ behind: ArraySlice<Float>, rates: RateConversion, channels: Int,
    resamplers: ResamplerFactory
  ) {
    framesBefore = before.count / channels / rates.period * rates.period
    let before = before.suffix(framesBefore * channels)
    var ahead = rates.reversed.convert(behind, channels: channels, resamplers: resamplers)
    var past: ArraySlice<Float> = []
    for _ in 0..<Self.rounds {
      guard let known = ahead,
        let forth = rates.convert(before + known, channels: channels, resamplers: resamplers)
      else { return nil }
      past = forth.prefix(Int(rates.frames(Int64(framesBefore))) * channels)
      ahead = rates.reversed.convert(past + behind, channels: channels, resamplers: resamplers)?
        .dropFirst(before.count)
    }
    guard let ahead else { return nil }
    self.before = past
    self.behind = ahead
  }
}

extension Float {
  /// Whether it is a number, and no more than 96 dB above full scale: filters make no number of what is larger.
  var isSound: Bool { magnitude < 65_536 }
}
