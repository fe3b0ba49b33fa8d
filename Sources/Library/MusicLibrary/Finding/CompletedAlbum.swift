/// An album that may be meant by a title that is being typed.
public struct CompletedAlbum: Sendable, Hashable {
  /// The album by its names.
  public let name: AlbumName
  /// Whether another album of the library has the same title, so that this alone does not find it.
  public let isAmbiguous: Bool
  /// Whether it was found by what stands before a slash, or by its artist alone.
  public let isByArtist: Bool

  /// The album `name`.
  public init(_ name: AlbumName, isAmbiguous: Bool, isByArtist: Bool) {
    self.name = name
    self.isAmbiguous = isAmbiguous
    self.isByArtist = isByArtist
  }
}
