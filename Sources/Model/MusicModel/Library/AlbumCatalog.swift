// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds albums from what a user types.
public protocol AlbumCatalog: Sendable {
  /// Returns the album that `text` names, as a title or as ARTIST/TITLE.
  func findAlbum(_ text: String) throws(LibraryError) -> Match<AlbumName>

  /// Returns the album with this id as it is on the disk: directories of its files that have changed are scanned first.
  ///
  /// Returns `nil` if the album no longer exists. If the index cannot be updated, returns its known tracks whose files
  /// still exist.
  func presentAlbum(_ id: Int64) throws(LibraryError) -> Album?

  /// Returns the known tracks of the album that `text` names, in playing order; `nil` if it names no album or several.
  ///
  /// Unlike ``findAlbum(_:)``, it does not look for suggestions.
  func tracks(ofAlbum text: String) throws(LibraryError) -> [Track]?

  /// Returns at most `limit` albums that complete `text` (a title or ARTIST/TITLE), among those with a track that
  /// matches `query`. Returns none if the library was never scanned.
  func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [CompletedAlbum]

  /// Returns at most `limit` values of `kind` that complete `text`, among the tracks that match `query`. Values that
  /// begin with the text come first, then those with a word that does. Returns none if the library was never scanned.
  func values(
    of kind: LibraryFilters.Kind, completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [String]
}

/// The result of a look-up.
public enum Match<Value: Sendable>: Sendable {
  /// The single best match.
  case found(Value)
  /// Several equally good matches; at least two, in the order in which they were listed.
  case ambiguous([Value])
  /// No match; at most three suggestions, the best first.
  case none(suggestions: [Value])
}

extension Match: Equatable where Value: Equatable {}

/// The names of an album, as returned and suggested by look-ups.
public struct AlbumName: Sendable, Hashable, Identifiable {
  /// The album's id in the index.
  public let id: Int64
  /// The title.
  public let title: String
  /// The artist; `nil` if unknown.
  public let artist: String?

  /// Creates the names of the album with this id.
  public init(id: Int64, title: String, artist: String?) {
    self.id = id
    self.title = title
    self.artist = artist
  }
}

/// An album that completes a title that is being typed.
public struct CompletedAlbum: Sendable, Hashable {
  /// The names of the album.
  public let name: AlbumName
  /// Whether another album of the library has the same title, so that the title alone is ambiguous.
  public let isAmbiguous: Bool
  /// Whether it was found by the artist before a slash, or by its artist alone.
  public let isByArtist: Bool

  /// Creates a completion to the album `name`.
  public init(_ name: AlbumName, isAmbiguous: Bool, isByArtist: Bool) {
    self.name = name
    self.isAmbiguous = isAmbiguous
    self.isByArtist = isByArtist
  }
}
