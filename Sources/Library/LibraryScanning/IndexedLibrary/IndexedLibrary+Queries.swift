// SPDX-License-Identifier: GPL-3.0-or-later

public import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
public import Tagging

extension IndexedLibrary: BrowsableLibrary {
  /// Whether every existing directory of the library has been scanned, so that a file that is not in the index is not
  /// on disk either. At least one directory must have been scanned.
  public var isScanned: Bool {
    get throws(LibraryError) {
      let unscanned = try mapError { () throws(LibraryIndexError) in
        try index.read { database in
          let row = IndexStatement(database, "SELECT 1 FROM library WHERE root = ? AND scanned IS NOT NULL")
          return try roots.paths.filter { path in
            row.bind(path.systemBytes)
            defer { row.reset() }
            return try !row.step()
          }
        }
      }
      return unscanned.count < roots.all.count && unscanned.allSatisfy { LibraryPresence($0).error != nil }
    }
  }

  /// Updates the part of the library in `scope` from the disk; see `LibraryRepository`.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    switch scope {
    case .everything: try scan(progress: progress, isCancelled: isCancelled)
    case .directories(let directories):
      try update(directories: Array(directories), recursively: true, isCancelled: isCancelled)
    case .rereading(let scope):
      try rereadingAll.scan(scope, progress: progress, isCancelled: isCancelled)
    }
  }

  /// Returns a page of the tracks that match `query`.
  public func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry> {
    let query = try resolved(query)
    return try withReader { try $0.tracks(query, order: order, window: window) } ?? LibraryPage([])
  }

  /// Returns a page of the albums that have a track that matches `query`.
  public func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry> {
    let query = try resolved(query)
    return try withReader { try $0.albums(query, order: order, window: window) } ?? LibraryPage([])
  }

  /// Returns the number of items in a listing.
  public func count(of listing: LibraryListing, matching query: LibraryQuery) throws(LibraryError) -> Int {
    let query = try resolved(query)
    return try withReader { try $0.count(of: listing, matching: query) } ?? 0
  }

  /// Returns a page of the artists that have a track that matches `query`, sorted by sort name.
  public func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    let query = try resolved(query)
    return try withReader { try $0.artists(query, window: window) } ?? LibraryPage([])
  }

  /// Returns a page of the genres that have a track that matches `query`, sorted by name.
  public func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    let query = try resolved(query)
    return try withReader { try $0.genres(query, window: window) } ?? LibraryPage([])
  }

  /// Searches the tracks that match `query` for `text`, which may end within a word. Returns at most `limit` results,
  /// the best first.
  public func search(
    _ text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [SearchHit] {
    let query = try resolved(query)
    return try withReader { try $0.search(text, among: query, limit: limit) } ?? []
  }

  /// Returns the album with this ID and its tracks in playing order, as stored in the index, or `nil` if there is none.
  public func album(_ id: Int64) throws(LibraryError) -> Album? {
    try withAlbumLookup { try $0.album(id) } ?? nil
  }

  /// Returns a page of the files and directories that could not be added to the library, sorted by path.
  public func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry> {
    try withReader { try $0.problems(window: window) } ?? LibraryPage([])
  }

  /// The number of files and directories that could not be added to the library; 0 if the index cannot be read.
  public var problemCount: Int {
    let count = try? index.withReader(roots) { try $0.problemCount() }
    return (count ?? nil) ?? 0
  }

  /// Looks up the album that `text` names by its title or as ARTIST/TITLE; see `AlbumLookup`.
  public func findAlbum(_ text: String) throws(LibraryError) -> Match<AlbumName> {
    try withAlbumLookup { try $0.find(text) } ?? .none(suggestions: [])
  }

  public func albums(mistypedAs text: String) throws(LibraryError) -> [AlbumName] {
    try withAlbumLookup { try $0.albums(mistypedAs: text) } ?? []
  }

  public func corrections(of text: String) throws(LibraryError) -> [String] {
    try withAlbumLookup { try $0.corrections(of: text) } ?? []
  }

  /// Returns the album with this ID as it is on disk now. Directories of its files that have changed are scanned first.
  ///
  /// Returns `nil` if the album no longer exists. If the index cannot be updated, returns the indexed tracks whose
  /// files still exist.
  public func refreshedAlbum(_ id: Int64) throws(LibraryError) -> Album? {
    let (rootBytes, directories) = try mapError { () throws(LibraryIndexError) in
      try index.read { try AlbumLookup.directories(ofAlbum: id, $0) }
    }
    let stale = directories.compactMap { path, time in
      let directory = FilePath(systemBytes: path.absolute(in: rootBytes))
      return (try? FileStatus(of: directory))?.modificationTime == time ? nil : path
    }
    let root = roots.paths.first { $0.systemBytes == rootBytes }
    guard let root, !stale.isEmpty else { return try album(id) }
    do throws(LibraryError) {
      _ = try scan(
        root, .directories(stale, recursively: false), timeout: Self.shortScanTimeout, progress: { _ in },
        isCancelled: { false })
      return try album(id)
    } catch {
      guard error.kind == .index else { throw error }
      guard var album = try album(id) else { return nil }
      album.tracks.removeAll { (try? FileStatus(of: $0.path))?.kind != .regular }
      return album.tracks.isEmpty ? nil : album
    }
  }

  /// Runs a query on this library. Returns `nil` if none of the library's directories is in the index.
  func withReader<Value>(_ body: (IndexReader) throws -> Value) throws(LibraryError) -> Value? {
    try mapError { () throws(LibraryIndexError) in try index.withReader(roots, body) }
  }

  /// Looks up albums in this library, within one read transaction. Returns `nil` if none of the library's directories
  /// is in the index.
  func withAlbumLookup<Value: Sendable>(_ body: (AlbumLookup) throws -> Value) throws(LibraryError) -> Value? {
    try mapError { () throws(LibraryIndexError) in
      try index.inReadTransaction(roots) { try body(AlbumLookup(database: $0, libraries: $1)) }
    }
  }
}

extension IndexedLibrary {
  /// Returns at most `limit` albums whose names complete `text` (a title or ARTIST/TITLE; see `AlbumCompletion`),
  /// among the albums with a track that matches `query`. Returns an empty array if the library was never scanned.
  public func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [CompletedAlbum] {
    let query = try resolved(query)
    return try withReader { try AlbumCompletion(reader: $0, query: query, limit: limit).albums(text) } ?? []
  }

  /// Returns at most `limit` values of `kind` that complete `text`, among those of the tracks that match `query`.
  /// Values that begin with the text come first, then values with another word that does. Returns an empty array if the
  /// library was never scanned.
  public func values(
    of kind: LibraryFilters.Kind, completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [String] {
    let query = try resolved(query)
    return try withReader { reader in
      let completion = NameCompletion(reader: reader, query: query, limit: limit)
      let prefix = text.lowercased()
      switch kind {
      case .artist: return try completion.names(.artists, text)
      case .genre: return try completion.names(.genres, text)
      case .decade: return try completion.decades().map { "\($0)s" }.filter { $0.hasPrefix(prefix) }
      case .format: return try completion.formats().filter { $0.lowercased().hasPrefix(prefix) }
      }
    } ?? []
  }

  /// Returns the indexed tracks of the album that `text` names, in playing order; `nil` if the text matches no album or
  /// more than one.
  ///
  /// Unlike ``findAlbum(_:)``, this does not look for suggestions.
  public func tracks(ofAlbum text: String) throws(LibraryError) -> [Track]? {
    try withAlbumLookup { lookup in
      guard case .found(let name)? = try lookup.match(text) else { return nil }
      return try lookup.album(name.id)?.tracks
    } ?? nil
  }
}

extension IndexedLibrary {
  /// Calls `body` with a browser of this library. Returns `nil` if none of the library's directories is in the index.
  /// Blocks until the disk has been read.
  ///
  /// - Parameter isQuick: Whether `body` reads only a few rows. It then does not wait for queries that read many.
  public func browse<Value>(
    isQuick: Bool = false, _ body: (TrackBrowser) throws -> Value
  ) throws(LibraryError) -> Value? {
    // This does not use GRDB's `read`: switching a connection between read-only and writable makes SQLite prepare all
    // statements again.
    try mapError { () throws(LibraryIndexError) in
      try index.inReadTransaction(roots, isQuick: isQuick) { database, libraries in
        try body(TrackBrowser(database, libraries: libraries))
      }
    }
  }
}

extension IndexedLibrary {
  /// Returns the track of a file, which need not be in the library.
  public func unindexedTrack(at path: FilePath) throws(LibraryProblem) -> Track {
    try reader.track(at: path)
  }
}
