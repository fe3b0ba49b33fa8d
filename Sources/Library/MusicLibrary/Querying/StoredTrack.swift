import MusicModel
import Platform
import SystemPackage

/// Rows of `track` as tracks; what another program may have put there does no harm.
enum StoredTrack {
  static let columns = """
    track.id, library.root, directory.path, track.name, track.title, track.artists, track.album_title, track.album_artists, \
    track.genres, track.composers, track.number, track.number_total, track.disc, track.disc_total, \
    track.year, track.month, track.day, track.is_compilation, track.sort_title, track.sort_artist, track.sort_album, \
    track.sort_album_artist, track.track_gain, track.track_peak, track.album_gain, track.album_peak, track.release, \
    track.duration, track.rate, track.channels, track.bits, track.album, track.added, track.segment, track.segment_end, \
    track.tags
    """

  static let tables = """
    CROSS JOIN directory ON directory.id = track.directory CROSS JOIN library ON library.id = track.library
    """

  /// The entry of a row of ``columns``.
  static func entry(_ row: some StoredRow) -> TrackEntry {
    var track = Track(
      path: path(row.bytes(1), row.bytes(2), row.bytes(3)), title: row.text(4) ?? "")
    track.segment = row.integer(33).flatMap { TrackSegment(start: $0, end: row.integer(34)) }
    track.artists = row.texts(5)
    track.album = row.text(6)
    track.albumArtists = row.texts(7)
    track.genres = row.texts(8)
    track.composers = row.texts(9)
    track.number = row.integer(10).map { Ordinal($0, of: row.integer(11)) }
    track.disc = row.integer(12).map { Ordinal($0, of: row.integer(13)) }
    track.date = row.date(14)
    track.isCompilation = row.integer(17) == 1
    track.sortNames.title = row.text(18)
    track.sortNames.artist = row.text(19)
    track.sortNames.album = row.text(20)
    track.sortNames.albumArtist = row.text(21)
    track.replayGain = ReplayGainTags(
      trackGain: row.number(22), trackPeak: row.number(23), albumGain: row.number(24),
      albumPeak: row.number(25))
    track.musicBrainzAlbumID = row.text(26)
    track.duration = row.integer(27).map { .milliseconds($0) }
    if let rate = row.integer(28), let channels = row.integer(29) {
      track.audio = AudioSummary(sampleRate: rate, channels: channels, bitDepth: row.integer(30))
    }
    if let tags = row.text(35) { track.furtherTags = FurtherTags(json: tags) }
    return TrackEntry(
      id: row.long(0) ?? 0, track: track, albumID: row.long(31), added: row.long(32) ?? 0)
  }

  /// The path of these parts, of which some may be empty.
  static func path(_ parts: [UInt8]...) -> FilePath {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count + 1 })
    for part in parts where !part.isEmpty {
      if let last = bytes.last, last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += part.prefix { $0 != 0 }
    }
    return FilePath(systemBytes: bytes)
  }
}
