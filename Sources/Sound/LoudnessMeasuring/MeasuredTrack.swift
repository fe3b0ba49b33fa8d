public import AudioCore

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
