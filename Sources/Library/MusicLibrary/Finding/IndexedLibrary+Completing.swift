public import MusicModel

extension IndexedLibrary {
  /// The albums with a track of which `query` is true that may be meant by `text`, which is being typed: a title, or
  /// ARTIST/TITLE; see `AlbumCompletion`. At most `limit`; none of a library that was never read.
  public func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryFault) -> [CompletedAlbum] {
    try reading { try AlbumCompletion(reader: $0, query: query, limit: limit).albums(text) } ?? []
  }

  /// The values of `kind` that a track of which `query` is true has, and that may be meant by `text`, which is being
  /// typed: those that begin so first, then those with a word that does. At most `limit`; none of a library that was
  /// never read.
  public func values(
    of kind: LibraryFilters.Kind, completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryFault) -> [String] {
    try reading { reader in
      let completion = NameCompletion(reader: reader, query: query, limit: limit)
      let beginning = text.lowercased()
      switch kind {
      case .artist: return try completion.names(.artists, text)
      case .genre: return try completion.names(.genres, text)
      case .decade: return try completion.decades().map { "\($0)s" }.filter { $0.hasPrefix(beginning) }
      case .format: return try completion.formats().filter { $0.lowercased().hasPrefix(beginning) }
      }
    } ?? []
  }

  /// The tracks of the one album that `text` names, in playing order, as they are in the index; `nil` where none or
  /// several are named.
  ///
  /// Unlike ``findAlbum(_:)``, it looks for no suggestions.
  public func tracks(ofAlbum text: String) throws(LibraryFault) -> [Track]? {
    try looking { lookup in
      guard case .found(let name)? = try lookup.match(text) else { return nil }
      return try lookup.album(name.id)?.tracks
    } ?? nil
  }
}
