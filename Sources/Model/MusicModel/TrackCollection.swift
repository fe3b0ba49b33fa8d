/// Tracks in an order, under a name: an album, a directory, a file alone. It is what goes into the queue.
public struct TrackCollection: Sendable, Hashable {
  /// The name to show.
  public var title: String
  /// Who made it, where that is one name.
  public var artist: String?
  /// The tracks in playing order.
  public var tracks: TrackList

  /// A collection of these tracks, which are in playing order.
  public init(title: String, artist: String? = nil, tracks: TrackList) {
    self.title = title
    self.artist = artist
    self.tracks = tracks
  }

  /// A collection of these tracks, which are in playing order.
  public init(title: String, artist: String? = nil, tracks: [Track]) {
    self.init(title: title, artist: artist, tracks: TrackList(tracks))
  }
}
