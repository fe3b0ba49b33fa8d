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
      let unscanned = try index.read { database in
        let row = IndexStatement(database, "SELECT 1 FROM library WHERE root = ? AND scanned IS NOT NULL")
        return try roots.paths.filter { try !row.hasRow($0.systemBytes) }
      }
      return unscanned.count < roots.all.count && unscanned.allSatisfy { LibraryPresence($0).error != nil }
    }
  }

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

  public func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry> {
    let query = try resolved(query)
    return try withReader { try $0.tracks(query, order: order, window: window) } ?? LibraryPage([])
  }

  public func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry> {
    let query = try resolved(query)
    return try withReader { try $0.albums(query, order: order, window: window) } ?? LibraryPage([])
  }

  public func count(of listing: LibraryListing, matching query: LibraryQuery) throws(LibraryError) -> Int {
    let query = try resolved(query)
    return try withReader { try $0.count(of: listing, matching: query) } ?? 0
  }

  public func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    let query = try resolved(query)
    return try withReader { try $0.artists(query, window: window) } ?? LibraryPage([])
  }

  public func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    let query = try resolved(query)
    return try withReader { try $0.genres(query, window: window) } ?? LibraryPage([])
  }

  public func search(
    _ text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [SearchHit] {
    let query = try resolved(query)
    return try withReader { try $0.search(text, among: query, limit: limit) } ?? []
  }

  public func album(_ id: Int64) throws(LibraryError) -> Album? {
    try withAlbumLookup { try $0.album(id) } ?? nil
  }

  public func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry> {
    try withReader { try $0.problems(window: window) } ?? LibraryPage([])
  }

  public var problemCount: Int {
    let count = try? index.withReader(roots) { try $0.problemCount() }
    return (count ?? nil) ?? 0
  }

  public func findAlbum(_ text: String) throws(LibraryError) -> Match<AlbumName> {
    try withAlbumLookup { try $0.find(text) } ?? .none(suggestions: [])
  }

  public func albums(mistypedAs text: String) throws(LibraryError) -> [AlbumName] {
    try withAlbumLookup { try $0.albums(mistypedAs: text) } ?? []
  }

  public func corrections(of text: String) throws(LibraryError) -> [String] {
    try withAlbumLookup { try $0.corrections(of: text) } ?? []
  }

  public func refreshedAlbum(_ id: Int64) throws(LibraryError) -> Album? {
    let (rootBytes, directories) = try index.read { try AlbumLookup.directories(ofAlbum: id, $0) }
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
    try index.withReader(roots, body)
  }

  /// Looks up albums in this library, within one read transaction. Returns `nil` if none of the library's directories
  /// is in the index.
  func withAlbumLookup<Value: Sendable>(_ body: (AlbumLookup) throws -> Value) throws(LibraryError) -> Value? {
    try index.inReadTransaction(roots) { try body(AlbumLookup(database: $0, libraries: $1)) }
  }
}

extension IndexedLibrary {
  public func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [CompletedAlbum] {
    let query = try resolved(query)
    return try withReader { try AlbumCompletion(reader: $0, query: query, limit: limit).albums(text) } ?? []
  }

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

  public func tracks(ofAlbum text: String) throws(LibraryError) -> [Track]? {
    try withAlbumLookup { lookup in
      guard case .found(let name)? = try lookup.match(text) else { return nil }
      return try lookup.album(name.id)?.tracks
    } ?? nil
  }
}

extension IndexedLibrary {
  public func browse<Value>(
    isQuick: Bool = false, _ body: (TrackBrowser) throws -> Value
  ) throws(LibraryError) -> Value? {
    // This does not use GRDB's `read`: switching a connection between read-only and writable makes SQLite prepare all
    // statements again.
    try index.inReadTransaction(roots, isQuick: isQuick) { database, libraries in
      try body(TrackBrowser(database, libraries: libraries))
    }
  }
}

extension IndexedLibrary {
  public func unindexedTrack(at path: FilePath) throws(LibraryProblem) -> Track {
    try reader.track(at: path)
  }
}
