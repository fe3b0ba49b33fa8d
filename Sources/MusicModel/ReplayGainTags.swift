/// What the tags say of loudness (ReplayGain 2.0).
public struct ReplayGainTags: Sendable, Hashable {
  /// The gain that brings the track to the reference loudness, in dB.
  public var trackGain: Double?
  /// The track's sample peak; 1.0 is full scale.
  public var trackPeak: Double?
  /// The gain that brings the album to the reference loudness, in dB.
  public var albumGain: Double?
  /// The album's sample peak; 1.0 is full scale.
  public var albumPeak: Double?

  /// Nothing measured.
  public init() {}
}
