// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
package import LibraryScanning
package import MusicModel
import Platform
package import PlayerFlow
import Synchronization
import SystemPackage
package import Tagging
import UnicodeText

/// A library in which the music to play is looked up. Calls block while the disk is read. Safe to use from any thread.
package protocol CollectionSource: Sendable {
  /// The music directories of the library.
  var roots: LibraryRoots { get }

  /// The index of the library; `nil` if it has not been opened.
  var openIndex: (any BrowsableLibrary)? { get }

  /// Opens the index if it exists and is intact, so that the next call does not have to. Changes nothing.
  func prepare()

  /// Returns the album to which `text` refers, the candidates if it is ambiguous, or suggestions if there is none.
  func album(named text: String) throws(PlayerError) -> Match<AlbumName>

  /// Returns the albums from whose names `text` differs by slips of a finger; see `AlbumCatalog`.
  func albums(mistypedAs text: String) throws(PlayerError) -> [AlbumName]

  /// Returns the tracks from whose titles `text` differs by slips of a finger.
  func tracks(mistypedAs text: String) throws(PlayerError) -> [Track]

  /// Returns the album with this ID as it is in the index; `nil` if it no longer exists.
  func album(_ id: Int64) throws(PlayerError) -> Album?

  /// Returns the artists with the name `text`. If there are none, returns those whose names contain its words.
  func artists(named text: String) throws(PlayerError) -> [NameEntry]

  /// Returns at most `limit` albums with a track of the artist `name`, the oldest first.
  func albums(byArtist name: String, limit: Int) throws(PlayerError) -> [AlbumName]

  /// Returns the album with this ID as it is on the disk now; `nil` if it no longer exists.
  func refreshedAlbum(_ id: Int64) throws(PlayerError) -> Album?

  /// Returns the tracks that match the query `text`; `nil` if the query consists of words only.
  ///
  /// - Throws: `PlayerError` if the query is invalid, or the index cannot be read.
  func tracks(answering text: String) throws(PlayerError) -> [Track]?

  /// Returns the tracks whose title is `text`. If there are none, returns those whose title begins with `text`, or
  /// otherwise those whose title contains its words.
  func tracks(titled text: String) throws(PlayerError) -> [Track]

  func tracks(byArtist name: String) throws(PlayerError) -> [Track]

  /// Returns the tracks that match `query`.
  func tracks(matching query: LibraryQuery) throws(PlayerError) -> [Track]

  /// Returns all albums, in the order in which listings show them.
  func allAlbums() throws(PlayerError) -> [Album]

  /// Updates the index from the disk, if possible.
  func update() throws(PlayerError)
}

extension AlbumName {
  /// The text that refers to this album.
  package var text: String { artist.map { "\($0)/\(title)" } ?? title }
}

/// Looks up music in an index, which is opened on first use.
package final class IndexSource: CollectionSource {
  /// The maximum number of tracks that are compared with a title.
  private static let titleLimit = 1_000

  private let request: LibraryRequest
  private let open: Lazy<any BrowsableLibrary>
  private let openPresent: @Sendable (LibraryRequest) -> (any BrowsableLibrary)?
  private let language: QueryLanguage
  private let scans: Bool
  private let awaitScan: @Sendable () -> Void

  /// Creates a source for the library of `request`.
  ///
  /// - Parameters:
  ///   - scans: Whether a library that was never scanned, or that does not have the music, is scanned.
  ///   - awaitScan: Waits for the first scan, if it is running. Called if the library was never scanned, and must not
  ///     be scanned.
  ///   - openPresent: Opens the index if it exists. Called by ``prepare()``.
  ///   - open: Opens the index, creating it if needed. Called on first use.
  package init(
    _ request: LibraryRequest, language: QueryLanguage, scans: Bool = true,
    awaitScan: @escaping @Sendable () -> Void = {},
    openPresent: @escaping @Sendable (LibraryRequest) -> (any BrowsableLibrary)? = { _ in nil },
    open: @escaping @Sendable (LibraryRequest) throws(PlayerError) -> any BrowsableLibrary
  ) {
    self.request = request
    self.language = language
    self.scans = scans
    self.awaitScan = awaitScan
    self.openPresent = openPresent
    self.open = Lazy { () throws(PlayerError) in try open(request) }
  }

  package var roots: LibraryRoots { request.roots }

  /// The index; `nil` if it has not been opened.
  package var openIndex: (any BrowsableLibrary)? { open.present }

  package func prepare() { open.prepare { openPresent(request) } }

  package func album(named text: String) throws(PlayerError) -> Match<AlbumName> {
    let index = try index()
    return try queryIndex { () throws(LibraryError) in try index.findAlbum(text) }
  }

  package func albums(mistypedAs text: String) throws(PlayerError) -> [AlbumName] {
    let index = try index()
    return try queryIndex { () throws(LibraryError) in try index.albums(mistypedAs: text) }
  }

  package func tracks(mistypedAs text: String) throws(PlayerError) -> [Track] {
    let index = try index()
    var found: [Track] = []
    for text in try queryIndex({ () throws(LibraryError) in try index.corrections(of: text) }) {
      for track in try tracks(titled: text) where !found.contains(track) { found.append(track) }
    }
    return found
  }

  package func album(_ id: Int64) throws(PlayerError) -> Album? {
    let index = try index()
    return try queryIndex { () throws(LibraryError) in try index.album(id) }
  }

  package func artists(named text: String) throws(PlayerError) -> [NameEntry] {
    let words = text.searchWords
    guard words.contains(where: { $0 != " " }) else { return [] }
    let index = try index()
    for kind in [TextPattern.Kind.exact, .words] {
      let artists = try queryIndex { () throws(LibraryError) in
        try index.artists(.text(.artist, TextPattern(text, kind: kind)), window: .init(limit: Self.titleLimit))
      }
      // A track that matches may have other artists, too.
      let found = artists.elements.filter { artist in
        kind == .exact
          ? artist.name.foldedForMatching == text.foldedForMatching : artist.name.searchWords.contains(words)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  package func albums(byArtist name: String, limit: Int) throws(PlayerError) -> [AlbumName] {
    let index = try index()
    let albums = try queryIndex { () throws(LibraryError) in
      try index.albums(
        .text(.artist, TextPattern(name, kind: .exact)), order: LibraryOrder(.year), window: .init(limit: limit))
    }
    return albums.elements.map { AlbumName(id: $0.id, title: $0.title, artist: $0.artist) }
  }

  package func refreshedAlbum(_ id: Int64) throws(PlayerError) -> Album? {
    let index = try index()
    return try queryIndex { () throws(LibraryError) in try index.refreshedAlbum(id) }
  }

  package func tracks(answering text: String) throws(PlayerError) -> [Track]? {
    let query: LibraryQuery
    do throws(LibraryQueryError) { query = try language.query(text, LibraryFilters()) } catch {
      throw PlayerError(error)
    }
    return query.isPlain ? nil : try tracks(query)
  }

  package func tracks(titled text: String) throws(PlayerError) -> [Track] {
    guard text.searchWords.contains(where: { $0 != " " }) else { return [] }
    for kind in [TextPattern.Kind.exact, .beginning] {
      let tracks = try tracks(.text(.title, TextPattern(text, kind: kind)), limit: Self.titleLimit)
      guard !tracks.isEmpty else { continue }
      switch TrackFinder(tracks).find(title: text) {
      case .found(let index): return [tracks[index]]
      case .ambiguous(let indices): return indices.map { tracks[$0] }
      case .none: return tracks
      }
    }
    return []
  }

  package func tracks(byArtist name: String) throws(PlayerError) -> [Track] {
    try tracks(.text(.artist, TextPattern(name, kind: .exact)))
  }

  package func tracks(matching query: LibraryQuery) throws(PlayerError) -> [Track] { try tracks(query) }

  package func allAlbums() throws(PlayerError) -> [Album] {
    let index = try index()
    return try queryIndex { () throws(LibraryError) in
      let entries = try index.albums(.everything, order: LibraryOrder(), window: .init()).elements
      var albums: [Album] = []
      for entry in entries {
        if let album = try index.album(entry.id) { albums.append(album) }
      }
      return albums
    }
  }

  package func update() throws(PlayerError) {
    guard scans else { return }
    let index = try index()
    // If the changes cannot be stored, the index is used as it is.
    _ = try? index.scan(progress: { _ in }, isCancelled: { false })
  }

  private func tracks(_ query: LibraryQuery, limit: Int? = nil) throws(PlayerError) -> [Track] {
    let index = try index()
    let page = try queryIndex { () throws(LibraryError) in
      try index.tracks(query, order: LibraryOrder(), window: .init(limit: limit))
    }
    return page.elements.map(\.track).filter(\.isPresent)
  }

  /// Returns the index. If the library has never been scanned, scans it first.
  private func index() throws(PlayerError) -> any BrowsableLibrary {
    let index = try open.value()
    let isScanned = try queryIndex { () throws(LibraryError) in try index.isScanned }
    if !isScanned, !scans {
      awaitScan()
    } else if !isScanned {
      _ = try queryIndex { () throws(LibraryError) in try index.scan(progress: { _ in }, isCancelled: { false }) }
    }
    return index
  }

  private func queryIndex<Value>(_ body: () throws(LibraryError) -> Value) throws(PlayerError) -> Value {
    do throws(LibraryError) { return try body() } catch { throw PlayerError(error) }
  }
}

extension Track {
  /// Whether the file of the track exists.
  fileprivate var isPresent: Bool { (try? FileStatus(of: path))?.kind == .regular }
}

extension LibraryQuery {
  /// Whether the query consists only of words that may match any field.
  fileprivate var isPlain: Bool {
    switch self {
    case .everything: true
    case .text(.anywhere, let pattern): pattern.kind != .exact
    case .all(let parts): parts.allSatisfy(\.isPlain)
    case .text, .number, .date, .playlist, .tracks, .not, .any: false
    }
  }
}

/// A value that is created on first use. If that fails, the next use tries again. Safe to use from any thread; other
/// callers wait while the value is being created.
package final class Lazy<Value: Sendable>: Sendable {
  private struct Factory: Sendable {
    let make: @Sendable () throws(PlayerError) -> Value
  }

  private let factory: Factory
  private let storage = Mutex<Value?>(nil)

  /// Creates a lazy value, which `make` will create.
  package init(_ make: @escaping @Sendable () throws(PlayerError) -> Value) { factory = Factory(make: make) }

  /// The value; `nil` if it has not been created. Waits while it is being created.
  package var present: Value? { storage.withLock { $0 } }

  /// Creates the value with `attempt`, unless it exists. If `attempt` returns `nil`, the value is still not created.
  package func prepare(_ attempt: () -> Value?) {
    storage.withLock { stored in
      if stored == nil { stored = attempt() }
    }
  }

  /// Returns the value, creating it if needed.
  package func value() throws(PlayerError) -> Value {
    let result: Result<Value, PlayerError> = storage.withLock { stored in
      if let stored { return .success(stored) }
      return Result { () throws(PlayerError) in
        let value = try factory.make()
        stored = value
        return value
      }
    }
    return try result.get()
  }
}
