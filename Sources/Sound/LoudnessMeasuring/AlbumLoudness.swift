import MusicModel

/// How loud an album is: all of its tracks measured as one piece, silent parts left out as the gates of EBU R 128 say.
public struct AlbumLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` where no track has one.
  public var integrated: Double?
  /// The highest true peak of the tracks; 1.0 is full scale.
  public var truePeak: Double

  /// A loudness of these numbers.
  public init(integrated: Double?, truePeak: Double) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// The loudness of the album of `tracks`, in any order; formats may differ. For one thread at a time for each of the
  /// tracks.
  ///
  /// - Throws: `LoudnessError.outOfMemory`, or `noLibrary`.
  public init(of tracks: [MeasuredTrack]) throws(LoudnessError) {
    self.init(
      integrated: try LoudnessState.integrated(tracks.map(\.state)),
      truePeak: tracks.lazy.map(\.loudness.truePeak).max() ?? 0)
  }

  /// The ReplayGain in dB, where there is a loudness.
  public var gain: Double? { integrated.map { ReplayGainTags.referenceLoudness - $0 } }
}
