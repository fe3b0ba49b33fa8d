/// The tracks that belong together under one title, in playing order: by disc, then by number.
public struct Album: Sendable, Hashable {
  /// The title, or the name of the directory where no tag gave one.
  public var title: String
  /// Who made it, as it is shown; "Various Artists" for a compilation that names nobody, `nil` where unknown.
  public var artist: String?
  /// What to sort the title by, where it differs.
  public var sortTitle: String?
  /// What to sort the artist by, where it differs.
  public var sortArtist: String?
  /// When it was released: the date most of its tracks give.
  public var date: ReleaseDate?
  /// Whether its tracks are by several artists.
  public var isCompilation: Bool
  /// The tracks in playing order; never empty.
  public var tracks: [Track]

  /// An album of these tracks, which are in playing order.
  public init(title: String, artist: String?, isCompilation: Bool = false, tracks: [Track]) {
    self.title = title
    self.artist = artist
    self.isCompilation = isCompilation
    self.tracks = tracks
  }

  /// The album as something to play.
  public var collection: TrackCollection { TrackCollection(title: title, tracks: tracks) }
}
