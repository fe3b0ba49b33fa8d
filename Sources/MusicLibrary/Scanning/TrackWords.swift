/// What is searched of a track.
struct TrackWords: Sendable, Hashable {
  var title: String
  var artist: String
  var album: String
  var albumArtist: String
  var genre: String
  var composer: String
}
