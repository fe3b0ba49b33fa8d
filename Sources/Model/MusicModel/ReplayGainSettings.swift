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
