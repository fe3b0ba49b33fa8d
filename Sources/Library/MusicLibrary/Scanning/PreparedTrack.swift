import MusicModel
import UnicodeText

/// What an album makes of one of its tracks.
struct PreparedTrack: Sendable {
  let shown: ShownFields
  let words: TrackWords
  let names: TrackNames

  /// A track of the album of these names, in which it is shown so.
  init(
    _ record: TrackRecord, shown: ShownFields, in album: inout AlbumNames, maker: inout TrackRecordMaker
  ) {
    self.shown = shown
    let albumArtists = album.artists(with: record.albumArtists)
    words = Self.words(
      record, shown, album: album.words(with: record.track.album, maker: &maker),
      albumArtist: albumArtists.words)
    names = TrackNames(artists: record.artists, albumArtists: albumArtists.names, genres: record.genres)
  }

  /// A track that stays in the album that it was in, until its group is decided anew.
  init(_ record: TrackRecord, in former: FormerTrack) {
    // What grouping worked out, it will again.
    let tagged = ShownFields(record.track)
    shown = tagged == former.tagged ? former.shown : tagged
    words = Self.words(
      record, shown, album: former.words.album, albumArtist: former.words.albumArtist)
    names = TrackNames(
      artists: record.artists, albumArtists: [], genres: record.genres,
      formerAlbumArtists: former.words.albumArtist)
  }

  /// What the track is found by, shown so, in an album that is found by `album` and `albumArtist`.
  private static func words(
    _ record: TrackRecord, _ shown: ShownFields, album: String, albumArtist: String
  ) -> TrackWords {
    TrackWords(
      title: TrackWords.words(
        ofTitle: record.titleWords(of: shown), sortTitle: record.track.sortNames.title),
      artist: record.artistWords, album: album, albumArtist: albumArtist, genre: record.genreWords,
      composer: record.composerWords)
  }
}
