public import MusicModel

/// A playlist as something to play.
public struct LoadedPlaylist: Sendable, Equatable {
  /// The tracks in order, under the playlist's title or its file's name. Files that are missing are in it, as the
  /// playlist describes them; addresses, and what is out of reach, are not.
  public var collection: TrackCollection
  /// The entries that cannot be played, in order.
  public var problems: [ResolvedEntry]
  /// How many of the entries can be.
  public var foundCount: Int
}
