/// The fields of a track in the order in which a packed record names them: those that differ from track to track come
/// first.
enum TrackField: UInt64, CaseIterable {
  case duration, number, path, title, trackGain, artists, segment, album, albumArtists, genres, composers,
    disc, date
  case isCompilation, sortNames, albumGain, musicBrainzAlbumID, audio
  case furtherAlbumTags, furtherTrackTags
  case range

  /// The field's bit in a record's mask.
  var bit: UInt64 { 1 << rawValue }

  /// All bits that a mask can have.
  static let allBits: UInt64 = (1 << UInt64(allCases.count)) - 1
}
