import AudioCore

/// What two stretches of sound that join at different sample rates are at each other's rate.
///
/// Close to the join, a filter needs both, but each is known at one rate only. So they are converted by turns, each
/// time with what the other one is known to be: every round leaves at most half of what was wrong at the join, most
/// often a tenth. (It is the method of alternating projections, after Papoulis and Gerchberg.)
struct Seam {
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
