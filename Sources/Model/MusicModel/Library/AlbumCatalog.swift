// SPDX-License-Identifier: GPL-3.0-or-later

/// Looks up albums, and completes names, from text that a user types.
public protocol AlbumCatalog: Sendable {
  /// Looks up the album that `text` names by its title or as ARTIST/TITLE.
  func findAlbum(_ text: String) throws(LibraryError) -> Match<AlbumName>

  /// Returns the albums from whose names `text` differs by one slip of a finger in a word of five or more letters, or
  /// in several such words.
  func albums(mistypedAs text: String) throws(LibraryError) -> [AlbumName]

  /// Returns the texts in the words of the library from which `text` differs in this way.
  func corrections(of text: String) throws(LibraryError) -> [String]

  /// Returns the album with this ID as it is on disk now. Directories of its files that have changed are scanned first.
  ///
  /// Returns `nil` if the album no longer exists. If the index cannot be updated, returns the indexed tracks whose
  /// files still exist.
  func refreshedAlbum(_ id: Int64) throws(LibraryError) -> Album?

  /// Returns the indexed tracks of the album that `text` names, in playing order; `nil` if the text matches no album or
  /// more than one.
  ///
  /// Unlike ``findAlbum(_:)``, this does not look for suggestions.
  func tracks(ofAlbum text: String) throws(LibraryError) -> [Track]?

  /// Returns at most `limit` albums whose names complete `text` (a title or ARTIST/TITLE), among the albums with a
  /// track that matches `query`. Returns an empty array if the library was never scanned.
  func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [CompletedAlbum]

  /// Returns at most `limit` values of `kind` that complete `text`, among those of the tracks that match `query`.
  /// Values that begin with the text come first, then values with another word that does. Returns an empty array if the
  /// library was never scanned.
  func values(
    of kind: LibraryFilters.Kind, completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [String]
}

/// The result of looking up a name.
public enum Match<Value: Sendable>: Sendable {
  /// The single best match.
  case found(Value)
  /// Two or more equally good matches, in the order in which they were listed.
  case ambiguous([Value])
  /// No match, with at most three suggestions, the best first.
  case none(suggestions: [Value])
}

extension Match: Equatable where Value: Equatable {}

/// The title and the artist of an album, as returned and suggested by look-ups.
public struct AlbumName: Sendable, Hashable, Identifiable {
  /// The album's ID in the index.
  public let id: Int64
  public let title: String
  /// The artist; `nil` if unknown.
  public let artist: String?

  public init(id: Int64, title: String, artist: String?) {
    self.id = id
    self.title = title
    self.artist = artist
  }
}

/// An album that is offered as a completion of what a user is typing.
public struct CompletedAlbum: Sendable, Hashable {
  /// The ID, the title and the artist of the album.
  public let name: AlbumName
  /// Whether another album of the library has the same title, so that the title alone is ambiguous.
  public let isAmbiguous: Bool
  /// Whether the album was found by an artist before a slash, or by its artist alone.
  public let isByArtist: Bool

  /// Creates a completion that offers the album `name`.
  public init(_ name: AlbumName, isAmbiguous: Bool, isByArtist: Bool) {
    self.name = name
    self.isAmbiguous = isAmbiguous
    self.isByArtist = isByArtist
  }
}
