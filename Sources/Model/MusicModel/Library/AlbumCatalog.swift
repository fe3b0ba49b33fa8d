/// What a query found.
public enum Match<Value: Sendable>: Sendable {
  /// The one that answers best.
  case found(Value)
  /// Several that answer equally well; at least two, in the order in which they were listed.
  case ambiguous([Value])
  /// None; with what the user may have meant, best first, at most three.
  case none(suggestions: [Value])
}

extension Match: Equatable where Value: Equatable {}

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
