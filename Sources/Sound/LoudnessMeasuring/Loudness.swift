// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The loudness of a track (ITU-R BS.1770-4, EBU R 128).
public struct TrackLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` for silence and for less than 400 ms of audio.
  public var integrated: Double?
  /// The loudness range in LU (EBU Tech 3342); `nil` for silence, for less than 3 s of audio, and if the format changes
  /// within the file.
  public var range: Double?
  /// The highest true peak of all channels, after oversampling to at least 176 kHz; 1.0 is full scale, 0 silence.
  public var truePeak: Double

  /// Creates the loudness of a track.
  public init(integrated: Double?, range: Double?, truePeak: Double) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }
}

/// The loudness of an album, measured as if its tracks were one piece; silent passages are gated as specified by EBU R
/// 128.
public struct AlbumLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` if no track has one.
  public var integrated: Double?
  /// The highest true peak of the tracks; 1.0 is full scale.
  public var truePeak: Double

  /// Creates the loudness of an album.
  public init(integrated: Double?, truePeak: Double) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// Computes the loudness of the album that consists of `tracks`, in any order; formats may differ. No other thread
  /// may use the tracks at the same time.
  ///
  /// - Throws: `LoudnessError.outOfMemory` or `noLibrary`.
  public init(of tracks: [MeasuredTrack]) throws(LoudnessError) {
    self.init(
      integrated: try LoudnessState.integrated(tracks.flatMap(\.states)),
      truePeak: tracks.lazy.map(\.loudness.truePeak).max() ?? 0)
  }
}

/// A measured track, with the state that is needed to measure its album. The state takes 1.2 MB per hour of a track of
/// up to 6 h, and 16 kB for a track that is longer or of unknown length.
public final class MeasuredTrack: Sendable {
  /// The loudness of the track.
  public let loudness: TrackLoudness
  /// The error that ended the file before its stated end; `nil` if there was none. The part that could be read is
  /// measured.
  public let failure: DecodingError?

  /// The state of each format in the file; hardly ever more than one.
  let states: [LoudnessState]

  init(loudness: TrackLoudness, failure: DecodingError?, states: [LoudnessState]) {
    self.loudness = loudness
    self.failure = failure
    self.states = states
  }
}
