import MusicModel

extension TagFields {
  /// What lies between the reference of R128 tags, -23 LUFS, and that of ReplayGain, -18 LUFS, in dB.
  private static let r128Offset = 5.0

  /// The loudness that was measured, as far as it makes sense.
  ///
  /// R128 tags, which Opus files have (RFC 7845, section 5.2.1), come before `REPLAYGAIN_` tags, which these should not
  /// have. The format has no R128 tag for a peak.
  var replayGain: ReplayGainTags {
    ReplayGainTags(
      trackGain: r128Gain(.r128TrackGain)
        ?? decibelsOrPeak(.trackGain, in: ReplayGainTags.gains),
      trackPeak: decibelsOrPeak(.trackPeak, in: ReplayGainTags.peaks),
      albumGain: r128Gain(.r128AlbumGain)
        ?? decibelsOrPeak(.albumGain, in: ReplayGainTags.gains),
      albumPeak: decibelsOrPeak(.albumPeak, in: ReplayGainTags.peaks))
  }

  /// A gain in 256ths of a decibel, as the gain that ReplayGain would give.
  private func r128Gain(_ field: TagField) -> Double? {
    guard let value = integer(field, in: -32_768...32_767) else { return nil }
    let gain = Double(value) / 256 + Self.r128Offset
    return ReplayGainTags.gains.contains(gain) ? gain : nil
  }
}
