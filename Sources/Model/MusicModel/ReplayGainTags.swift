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
