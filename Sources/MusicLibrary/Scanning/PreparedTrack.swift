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
    words = TrackWords(
      title: TrackWords.words(
        ofTitle: record.titleWords(of: shown), sortTitle: record.track.sortNames.title),
      artist: record.artistWords, album: album.words(with: record.track.album, maker: &maker),
      albumArtist: albumArtists.words, genre: record.genreWords, composer: record.composerWords)
    names = TrackNames(artists: record.artists, albumArtists: albumArtists.names, genres: record.genres)
  }

  /// A track that stays in the album that it was in, until its group is decided anew.
  init(_ record: TrackRecord, in former: FormerTrack) {
    // What grouping worked out, it will again.
    let tagged = ShownFields(record.track)
    shown = tagged == former.tagged ? former.shown : tagged
    words = TrackWords(
      title: TrackWords.words(
        ofTitle: record.titleWords(of: shown), sortTitle: record.track.sortNames.title),
      artist: record.artistWords, album: former.words.album, albumArtist: former.words.albumArtist,
      genre: record.genreWords, composer: record.composerWords)
    names = TrackNames(
      artists: record.artists, albumArtists: [], genres: record.genres,
      formerAlbumArtists: former.words.albumArtist)
  }
}
