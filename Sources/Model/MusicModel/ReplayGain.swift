// SPDX-License-Identifier: GPL-3.0-or-later

/// ReplayGain 2.0 values of a track and its album. The gains bring music to -18 LUFS.
public struct ReplayGainTags: Sendable, Hashable {
  /// The reference loudness to which gains bring music, in LUFS.
  public static let referenceLoudness = -18.0
  /// The range of plausible gains, in dB. Gains outside it are ignored.
  public static let gains = -51.0...51.0
  /// The range of plausible peaks. Peaks outside it, such as those that some tools wrote as integers, are ignored.
  public static let peaks = 1e-6...10.0

  /// The gain that brings the track to the reference loudness, in dB.
  public var trackGain: Double?
  /// The track's peak; 1.0 is full scale.
  public var trackPeak: Double?
  /// The gain that brings the album to the reference loudness, in dB.
  public var albumGain: Double?
  /// The album's peak; 1.0 is full scale.
  public var albumPeak: Double?

  public init() {}

  public init(
    trackGain: Double?, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// The same values without implausible ones: gains outside ``gains``, and peaks outside ``peaks``.
  public var validated: ReplayGainTags {
    ReplayGainTags(
      trackGain: trackGain.flatMap { Self.gains.contains($0) ? $0 : nil },
      trackPeak: trackPeak.flatMap { Self.peaks.contains($0) ? $0 : nil },
      albumGain: albumGain.flatMap { Self.gains.contains($0) ? $0 : nil },
      albumPeak: albumPeak.flatMap { Self.peaks.contains($0) ? $0 : nil })
  }
}

/// The user's settings for ReplayGain.
public struct ReplayGainSettings: Sendable, Hashable {
  /// Which gain to apply.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// No gain: every file is played unchanged.
    case off
    /// The track's gain, so that all tracks are equally loud; the album's gain if the track has none.
    case track
    /// The album's gain, so that its tracks keep their relative levels; the track's gain if the album has none.
    case album
    /// The album's gain while an album plays in order, otherwise the track's.
    case auto
  }

  /// The measure to take if the gain would raise peaks above full scale.
  public enum Clipping: String, Sendable, Hashable, CaseIterable {
    /// Lower the gain until the measured peak fits; without a measured peak, use a limiter.
    case peak
    /// Use a limiter.
    case limiter
    /// Nothing: peaks are clipped.
    case none
  }

  /// Which gain to apply.
  public var mode: Mode
  /// The gain that is added to measured gains, in dB.
  public var preamp: Double
  /// The gain for tracks that have not been measured, in dB; ``preamp`` is not added to it.
  public var fallbackGain: Double
  /// The measure to take if the gain would raise peaks above full scale.
  public var clipping: Clipping

  /// Creates settings; by default, ReplayGain is off.
  ///
  /// The default fallback gain is about what current recordings need, so that a track that has not been measured does
  /// not stand out.
  public init(
    mode: Mode = .off, preamp: Double = 0, fallbackGain: Double = -6, clipping: Clipping = .peak
  ) {
    self.mode = mode
    self.preamp = preamp
    self.fallbackGain = fallbackGain
    self.clipping = clipping
  }
}

/// The gain applied to a track, and the reason for it.
public struct ReplayGainDecision: Sendable, Hashable, CustomStringConvertible {
  /// No gain: every sample is unchanged.
  public static let off = ReplayGainDecision(gain: 0, factor: 1, needsLimiter: false, description: "off")

  /// The gain in dB, including the preamp, after lowering it for the peak.
  public let gain: Double
  /// The gain as a factor for every sample: positive, finite, and exactly 1 for 0 dB.
  public let factor: Float
  /// Whether a limiter is needed to keep peaks below full scale.
  public let needsLimiter: Bool
  /// The reason as shown to users: "album gain -7.2 dB", "fallback -6.0 dB".
  public let description: String
}

extension ReplayGainSettings {
  /// A gain that may be chosen, with the peak and a description.
  private struct Choice {
    let gain: Double
    let peak: Double?
    let reason: String
  }

  /// Returns the gain for a track with these tags, according to these settings. It does no I/O and may be called on any
  /// thread.
  ///
  /// The album's gain is lowered only for the album's peak, equally for all of its tracks, so there is no jump between
  /// them. The preamp and the fallback are clamped to ±51 dB, and count as 0 dB if they are NaN.
  ///
  /// - Parameter albumPlaysInOrder: Whether the track is played as part of its album, in the album's order.
  public func decision(for tags: ReplayGainTags, albumPlaysInOrder: Bool) -> ReplayGainDecision {
    guard mode != .off else { return .off }
    let prefersAlbum = mode == .album || (mode == .auto && albumPlaysInOrder)
    let choice = choice(tags.validated, prefersAlbum: prefersAlbum)
    let factor = Decibels.factor(choice.gain)
    guard clipping == .peak, let peak = choice.peak, peak * factor > 1 else {
      return ReplayGainDecision(
        gain: choice.gain, factor: Float(factor),
        needsLimiter: needsLimiter(factor, choice, trackPeak: tags.validated.trackPeak),
        description: choice.reason)
    }
    var lowered = Float(1 / peak)
    if Double(lowered) * peak > 1 { lowered = lowered.nextDown }
    let gain = -Decibels.level(peak)
    return ReplayGainDecision(
      gain: gain, factor: lowered, needsLimiter: false,
      description: "\(choice.reason), lowered to \(Decibels.text(gain)) to prevent clipping")
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
    // A decoder of a lossy format may overshoot, so without a measured peak the limiter is needed.
    case .limiter: return peak.map { $0 * factor > 1 } ?? true
    }
  }

  private static func bounded(_ decibels: Double) -> Double {
    decibels.isNaN
      ? 0 : min(max(decibels, ReplayGainTags.gains.lowerBound), ReplayGainTags.gains.upperBound)
  }
}

/// Conversions between amplitude factors and decibels; 20 dB correspond to a factor of 10.
public enum Decibels {
  private static let log2Of10 = 3.321928094887362347870319429489390
  private static let ln2 = 0.693147180559945309417232121458177

  /// Returns the amplitude factor for a gain in decibels: exactly 1 for 0 dB, otherwise within 1e-14 of the exact
  /// value.
  ///
  /// Values beyond ±1,000 dB are clamped to that range; NaN returns NaN.
  public static func factor(_ decibels: Double) -> Double {
    guard !decibels.isNaN else { return .nan }
    let exponent = min(max(decibels, -1_000), 1_000) / 20 * log2Of10
    let whole = exponent.rounded()
    // The power series of e^x, for x from -ln 2 / 2 to ln 2 / 2.
    let x = (exponent - whole) * ln2
    var sum = 1.0
    for divisor in stride(from: 17.0, through: 1, by: -1) { sum = 1 + sum * x / divisor }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }

  /// Returns the level of an amplitude factor in decibels: minus infinity for 0, NaN for a negative factor or NaN.
  public static func level(_ factor: Double) -> Double {
    guard factor > 0 else { return factor == 0 ? -.infinity : .nan }
    guard factor.isFinite else { return .infinity }
    // The logarithm of the significand, which is from 1 to 2, computed with the series of the inverse hyperbolic
    // tangent.
    let significand = factor.significand
    let z = (significand - 1) / (significand + 1)
    var sum = 0.0
    for divisor in stride(from: 41.0, through: 1, by: -2) { sum = sum * z * z + 1 / divisor }
    let log2 = Double(factor.exponent) + 2 * z * sum / ln2
    return log2 * 20 / log2Of10
  }

  /// Returns `decibels` as text, with a sign and one decimal: "-7.2 dB", "+0.5 dB", "0.0 dB".
  public static func text(_ decibels: Double) -> String {
    guard decibels.isFinite, abs(decibels) < 1e6 else { return "\(decibels) dB" }
    let tenths = Int((abs(decibels) * 10).rounded())
    let sign = tenths == 0 ? "" : decibels < 0 ? "-" : "+"
    return "\(sign)\(tenths / 10).\(tenths % 10) dB"
  }
}
