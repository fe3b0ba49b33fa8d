import MusicModel

/// What a track was that was read anew: where it stays until the group is decided that it is in now.
final class FormerTrack {
  /// The album that it was in, and its place there.
  let placement: TrackRows.Placement
  /// What its tags said.
  let tagged: ShownFields
  /// What grouping made of that.
  let shown: ShownFields
  /// By what it was found as one of the album.
  let words: TrackWords

  /// What `row` with these words was; `nil` where it was in no album.
  init?(_ row: StoredTracks.Row, _ words: TrackWords?) {
    guard let album = row.album, let place = row.place, let words else { return nil }
    placement = TrackRows.Placement(album: album, place: place)
    tagged = row.tagged
    shown = row.shown
    self.words = words
  }
}
