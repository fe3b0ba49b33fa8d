import MusicModel

/// An album of tracks that were read together, ready to be written: so it is, where nothing else depends on their
/// grouping.
struct PreparedAlbum: Sendable {
  let record: AlbumRecord
  /// Its tracks in playing order, each with its place among those that were read together.
  let tracks: [(place: Int, track: PreparedTrack)]

  /// The albums of these tracks.
  static func albums(of records: [TrackRecord], maker: inout TrackRecordMaker) -> [PreparedAlbum] {
    var albums: [PreparedAlbum] = []
    for (album, places) in AlbumGrouping.grouped(records.map(\.track)) {
      var names = AlbumNames(album, maker: &maker)
      var tracks: [(place: Int, track: PreparedTrack)] = []
      tracks.reserveCapacity(places.count)
      for (track, place) in zip(album.tracks, places) {
        let shown = ShownFields(track)
        tracks.append((place, PreparedTrack(records[place], shown: shown, in: &names, maker: &maker)))
      }
      albums.append(PreparedAlbum(record: AlbumRecord(album), tracks: tracks))
    }
    return albums
  }
}
