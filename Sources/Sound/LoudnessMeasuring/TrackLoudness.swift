import MusicModel

/// How loud a track is (ITU-R BS.1770-4, EBU R 128).
public struct TrackLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` for silence, and for less than 400 ms of sound, which has none.
  public var integrated: Double?
  /// The loudness range in LU (EBU Tech 3342); `nil` for less than 3 s of sound, and for silence.
  public var range: Double?
  /// The true peak, of all channels: the highest sample after oversampling to at least 176 kHz; 1.0 is full scale, 0
  /// silence.
  public var truePeak: Double
  /// The highest sample of all channels; 1.0 is full scale, 0 silence.
  public var samplePeak: Double
  /// How long the track lasts.
  public var duration: Duration

  /// A loudness of these numbers.
  public init(
    integrated: Double?, range: Double?, truePeak: Double, samplePeak: Double, duration: Duration
  ) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
    self.samplePeak = samplePeak
    self.duration = duration
  }

  /// The ReplayGain in dB, where there is a loudness.
  public var gain: Double? { integrated.map { ReplayGainTags.referenceLoudness - $0 } }
}
