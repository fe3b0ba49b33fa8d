/// The names to sort by where they differ from those shown ("Davis, Miles", "きょく").
public struct SortNames: Sendable, Hashable {
  /// For the track's title.
  public var title: String?
  /// For the track's artist.
  public var artist: String?
  /// For the album's title.
  public var album: String?
  /// For the album's artist.
  public var albumArtist: String?

  /// Nothing to sort by but the names themselves.
  public init() {}
}
