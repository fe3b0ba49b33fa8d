/// By how much a track is made louder or softer, and why.
public struct ReplayGainDecision: Sendable, Hashable, CustomStringConvertible {
  /// Every sample as it is.
  public static let off = ReplayGainDecision(gain: 0, factor: 1, needsLimiter: false, description: "off")

  /// The gain in dB, with the preamp and after it was lowered for the peak.
  public let gain: Double
  /// The same as a factor for every sample; above 0, finite, and exactly 1 for 0 dB.
  public let factor: Float
  /// Whether a limiter has to hold peaks below full scale.
  public let needsLimiter: Bool
  /// What decided, for people: "album gain -7.2 dB", "fallback -6.0 dB".
  public let description: String
}

extension ReplayGainSettings {
  /// One of the measurements, with what is to be said of it.
  private struct Choice {
    let gain: Double
    let peak: Double?
    let reason: String
  }

  /// What these settings make of a track with these measurements. Pure; any thread.
  ///
  /// The album's gain is lowered by the album's peak alone, the same for all of its tracks: there is no jump where they
  /// join. The preamp and the fallback count as the nearest of ±51 dB where they lie beyond it, and as 0 dB where they
  /// are no numbers.
  ///
  /// - Parameter albumPlaysInOrder: whether the track plays as a part of its album here, in the album's order.
  public func decision(for tags: ReplayGainTags, albumPlaysInOrder: Bool) -> ReplayGainDecision {
    guard mode != .off else { return .off }
    let prefersAlbum = mode == .album || (mode == .auto && albumPlaysInOrder)
    let choice = choice(tags.sane, prefersAlbum: prefersAlbum)
    let factor = Decibels.factor(choice.gain)
    guard clipping == .peak, let peak = choice.peak, peak * factor > 1 else {
      return ReplayGainDecision(
        gain: choice.gain, factor: Float(factor),
        needsLimiter: needsLimiter(factor, choice, trackPeak: tags.sane.trackPeak),
        description: choice.reason)
    }
    var lowered = Float(1 / peak)
    if Double(lowered) * peak > 1 { lowered = lowered.nextDown }
    let gain = -Decibels.level(peak)
    return ReplayGainDecision(
      gain: gain, factor: lowered, needsLimiter: false,
      description: "\(choice.reason), lowered to \(Decibels.text(gain)) for the peak")
  }

  private func choice(_ tags: ReplayGainTags, prefersAlbum: Bool) -> Choice {
    let added = Self.bounded(preamp)
    let preampText = added == 0 ? "" : ", preamp \(Decibels.text(added))"
    // The album's peak is never below the track's.
    let track = tags.trackGain.map { gain in
      Choice(
        gain: gain + added, peak: tags.trackPeak ?? tags.albumPeak,
        reason: "track gain \(Decibels.text(gain))\(preampText)")
    }
    let album = tags.albumGain.map { gain in
      Choice(
        gain: gain + added, peak: tags.albumPeak,
        reason: "album gain \(Decibels.text(gain))\(preampText)")
    }
    if let first = prefersAlbum ? album ?? track : track ?? album { return first }
    let fallback = Self.bounded(fallbackGain)
    return Choice(
      gain: fallback, peak: tags.trackPeak ?? tags.albumPeak, reason: "fallback \(Decibels.text(fallback))")
  }

  private func needsLimiter(_ factor: Double, _ choice: Choice, trackPeak: Double?) -> Bool {
    let peak = trackPeak ?? choice.peak
    switch clipping {
    case .none: return false
    case .peak: return peak.map { $0 * factor > 1 } ?? (factor > 1)
    // A decoder of a lossy format may overshoot, so without a measurement the limiter stands by.
    case .limiter: return peak.map { $0 * factor > 1 } ?? true
    }
  }

  private static func bounded(_ decibels: Double) -> Double {
    decibels.isNaN
      ? 0 : min(max(decibels, ReplayGainTags.gains.lowerBound), ReplayGainTags.gains.upperBound)
  }
}
