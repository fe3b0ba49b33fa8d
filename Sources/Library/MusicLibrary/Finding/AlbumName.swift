/// An album by its names: what a lookup finds, and offers where there are several.
public struct AlbumName: Sendable, Hashable, Identifiable {
  /// The album's id in the index.
  public let id: Int64
  /// The title.
  public let title: String
  /// Who made it; `nil` where unknown.
  public let artist: String?

  /// The album `id` by these names.
  public init(id: Int64, title: String, artist: String?) {
    self.id = id
    self.title = title
    self.artist = artist
  }
}
