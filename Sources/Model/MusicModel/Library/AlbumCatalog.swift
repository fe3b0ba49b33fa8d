/// Finds albums by what a user types.
public protocol AlbumCatalog: Sendable {
  /// The album that `text` names: by its title, or ARTIST/TITLE.
  func findAlbum(_ text: String) throws(LibraryError) -> Match<AlbumName>

  /// The album with this id as the disk has it: where a directory of its files has changed, that is read first.
  ///
  /// `nil` where the album is gone. Where what changed cannot be kept, it is the tracks that are known and still there.
  func presentAlbum(_ id: Int64) throws(LibraryError) -> Album?

  /// The tracks of the one album that `text` names, in playing order, as they are known; `nil` where none or several
  /// are named.
  ///
  /// Unlike ``findAlbum(_:)``, it looks for no suggestions.
  func tracks(ofAlbum text: String) throws(LibraryError) -> [Track]?

  /// The albums with a track of which `query` is true that may be meant by `text`, which is being typed: a title, or
  /// ARTIST/TITLE. At most `limit`; none of a library that was never read.
  func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [CompletedAlbum]

  /// The values of `kind` that a track of which `query` is true has, and that may be meant by `text`, which is being
  /// typed: those that begin so first, then those with a word that does. At most `limit`; none of a library that was
  /// never read.
  func values(
    of kind: LibraryFilters.Kind, completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [String]
}

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
