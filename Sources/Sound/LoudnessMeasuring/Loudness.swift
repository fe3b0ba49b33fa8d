public import AudioCore

/// How loud a track is (ITU-R BS.1770-4, EBU R 128).
public struct TrackLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` for silence, and for less than 400 ms of sound, which has none.
  public var integrated: Double?
  /// The loudness range in LU (EBU Tech 3342); `nil` for less than 3 s of sound, and for silence.
  public var range: Double?
  /// The true peak, of all channels: the highest sample after oversampling to at least 176 kHz; 1.0 is full scale, 0
  /// silence.
  public var truePeak: Double

  /// A loudness of these numbers.
  public init(integrated: Double?, range: Double?, truePeak: Double) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }
}

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
}

/// A track that was measured, with what it takes to measure its album: 16 kB, or, where it is not above 6 h, 1.2 MB an
/// hour.
public final class MeasuredTrack: Sendable {
  /// How loud it is.
  public let loudness: TrackLoudness
  /// Why the file ended before the end that it states, where it did so because something is wrong; what came is
  /// measured.
  public let failure: DecodingError?

  let state: LoudnessState

  init(loudness: TrackLoudness, failure: DecodingError?, state: LoudnessState) {
    self.loudness = loudness
    self.failure = failure
    self.state = state
  }
}
