/// What was measured of loudness (ReplayGain 2.0): a gain brings the music to -18 LUFS.
public struct ReplayGainTags: Sendable, Hashable {
  /// The loudness that gains bring music to, in LUFS.
  public static let referenceLoudness = -18.0
  /// The gains that make sense, in dB; others count as absent.
  public static let gains = -51.0...51.0
  /// The peaks that make sense; others, such as those of tools that wrote integers, count as unknown.
  public static let peaks = 1e-6...10.0

  /// The gain that brings the track to the reference loudness, in dB.
  public var trackGain: Double?
  /// The track's peak; 1.0 is full scale.
  public var trackPeak: Double?
  /// The gain that brings the album to the reference loudness, in dB.
  public var albumGain: Double?
  /// The album's peak; 1.0 is full scale.
  public var albumPeak: Double?

  /// Nothing measured.
  public init() {}

  /// These measurements.
  public init(
    trackGain: Double?, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// The same without what makes no sense: gains outside of ``gains``, peaks outside of ``peaks``.
  public var sane: ReplayGainTags {
    ReplayGainTags(
      trackGain: trackGain.flatMap { Self.gains.contains($0) ? $0 : nil },
      trackPeak: trackPeak.flatMap { Self.peaks.contains($0) ? $0 : nil },
      albumGain: albumGain.flatMap { Self.gains.contains($0) ? $0 : nil },
      albumPeak: albumPeak.flatMap { Self.peaks.contains($0) ? $0 : nil })
  }
}

/// What the user wants of ReplayGain.
public struct ReplayGainSettings: Sendable, Hashable {
  /// Which of the two gains counts.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// None: every file as it is.
    case off
    /// The track's, so that all tracks are equally loud; the album's where the track has none.
    case track
    /// The album's, so that its tracks keep their levels to each other; the track's where there is none.
    case album
    /// The album's while an album plays in order, else the track's.
    case auto
  }

  /// What is done where the gain would take peaks above full scale.
  public enum Clipping: String, Sendable, Hashable, CaseIterable {
    /// The gain is lowered until the peak that was measured fits; where none was, a limiter takes over.
    case peak
    /// A limiter holds the peaks down.
    case limiter
    /// Nothing: they are clipped.
    case none
  }

  /// Which gain counts.
  public var mode: Mode
  /// What is added to the gains that were measured, in dB.
  public var preamp: Double
  /// The gain of tracks that nobody measured, in dB; ``preamp`` is not added to it.
  public var fallbackGain: Double
  /// What is done about clipping.
  public var clipping: Clipping

  /// These settings; without any, ReplayGain is off.
  ///
  /// The fallback is about what today's records need: so a track without a measurement does not stand out.
  public init(
    mode: Mode = .off, preamp: Double = 0, fallbackGain: Double = -6, clipping: Clipping = .peak
  ) {
    self.mode = mode
    self.preamp = preamp
    self.fallbackGain = fallbackGain
    self.clipping = clipping
  }
}

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
