extension TrackPacker {
  /// The bits of the fields in which `track` is not the same as `base`, byte by byte.
  static func differences(_ track: Track, _ base: Track) -> UInt64 {
    var mask: UInt64 = 0
    for field in TrackField.allCases where !isSame(field, track, base) { mask |= field.bit }
    return mask
  }

  private static func isSame(_ field: TrackField, _ one: Track, _ other: Track) -> Bool {
    let (gain, otherGain) = (one.replayGain, other.replayGain)
    return switch field {
    case .duration: one.duration == other.duration
    case .number: one.number == other.number
    case .path: one.path == other.path
    case .title: isSame(one.title, other.title)
    case .trackGain:
      isSame(gain.trackGain, otherGain.trackGain) && isSame(gain.trackPeak, otherGain.trackPeak)
    case .artists: isSame(one.artists, other.artists)
    case .segment: one.segment == other.segment
    case .album: isSame(one.album, other.album)
    case .albumArtists: isSame(one.albumArtists, other.albumArtists)
    case .genres: isSame(one.genres, other.genres)
    case .composers: isSame(one.composers, other.composers)
    case .disc: one.disc == other.disc
    case .date: one.date == other.date
    case .isCompilation: one.isCompilation == other.isCompilation
    case .sortNames: isSame(one.sortNames, other.sortNames)
    case .albumGain:
      isSame(gain.albumGain, otherGain.albumGain) && isSame(gain.albumPeak, otherGain.albumPeak)
    case .musicBrainzAlbumID: isSame(one.musicBrainzAlbumID, other.musicBrainzAlbumID)
    case .audio: one.audio == other.audio
    case .furtherAlbumTags: isSame(one, other, ofAlbum: true)
    case .furtherTrackTags: isSame(one, other, ofAlbum: false)
    case .range: one.range == other.range
    }
  }

  // Texts that mean the same are equal, even where their bytes differ.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one == other && one.utf8.elementsEqual(other.utf8)
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return isSame(one, other)
  }

  private static func isSame(_ one: [String], _ other: [String]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
  }

  private static func isSame(_ one: SortNames, _ other: SortNames) -> Bool {
    isSame(one.title, other.title) && isSame(one.artist, other.artist) && isSame(one.album, other.album)
      && isSame(one.albumArtist, other.albumArtist)
  }

  private static func isSame(_ one: Track, _ other: Track, ofAlbum isOfAlbum: Bool) -> Bool {
    // Most tracks have none.
    if one.furtherTags.values.isEmpty, other.furtherTags.values.isEmpty { return true }
    let (mine, others) = (
      one.furtherTags.part(ofAlbum: isOfAlbum), other.furtherTags.part(ofAlbum: isOfAlbum)
    )
    return mine.elementsEqual(others) { $0.kind == $1.kind && isSame($0.text, $1.text) }
  }

  private static func isSame(_ one: Double?, _ other: Double?) -> Bool {
    one?.bitPattern == other?.bitPattern
  }
}
