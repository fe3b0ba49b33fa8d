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

/// A library in which the music to play is looked up. Its index is opened on first use. Calls block while the disk is
/// read. Safe to use from any thread.
package final class IndexSource: Sendable {
  /// The maximum number of tracks that are compared with a title.
  private static let titleLimit = 1_000

  private let request: LibraryRequest
  /// The index, once it has been opened. Other callers wait while it is being opened.
  private let opened = Mutex<(any BrowsableLibrary)?>(nil)
  private let open: @Sendable (LibraryRequest) throws(PlayerError) -> any BrowsableLibrary
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
    self.open = open
  }

  /// The music directories of the library.
  package var roots: LibraryRoots { request.roots }

  /// The index; `nil` if it has not been opened.
  package var openIndex: (any BrowsableLibrary)? { opened.withLock(\.self) }

  /// Opens the index if it exists and is intact, so that the next call does not have to. Changes nothing.
  package func prepare() {
    opened.withLock { opened in
      if opened == nil { opened = openPresent(request) }
    }
  }

  /// Returns the album to which `text` refers, the candidates if it is ambiguous, or suggestions if there is none.
  package func album(named text: String) throws(PlayerError) -> Match<AlbumName> {
    try query { index throws(LibraryError) in try index.findAlbum(text) }
  }

  /// Returns the albums from whose names `text` differs by slips of a finger; see `AlbumCatalog`.
  package func albums(mistypedAs text: String) throws(PlayerError) -> [AlbumName] {
    try query { index throws(LibraryError) in try index.albums(mistypedAs: text) }
  }

  /// Returns the tracks from whose titles `text` differs by slips of a finger.
  package func tracks(mistypedAs text: String) throws(PlayerError) -> [Track] {
    var found: [Track] = []
    for text in try query({ index throws(LibraryError) in try index.corrections(of: text) }) {
      for track in try tracks(titled: text) where !found.contains(track) { found.append(track) }
    }
    return found
  }

  /// Returns the album with this ID as it is in the index; `nil` if it no longer exists.
  package func album(_ id: Int64) throws(PlayerError) -> Album? {
    try query { index throws(LibraryError) in try index.album(id) }
  }

  /// Returns the artists with the name `text`. If there are none, returns those whose names contain its words.
  package func artists(named text: String) throws(PlayerError) -> [NameEntry] {
    let words = text.searchWords
    guard words.contains(where: { $0 != " " }) else { return [] }
    return try query { index throws(LibraryError) in
      for kind in [TextPattern.Kind.exact, .words] {
        let pattern = TextPattern(text, kind: kind)
        let artists = try index.artists(.text(.artist, pattern), window: .init(limit: Self.titleLimit))
        // A track that matches may have other artists, too.
        let found = artists.elements.filter { artist in
          kind == .exact
            ? artist.name.foldedForMatching == text.foldedForMatching : artist.name.searchWords.contains(words)
        }
        if !found.isEmpty { return found }
      }
      return []
    }
  }

  /// Returns at most `limit` albums with a track of the artist `name`, the oldest first.
  package func albums(byArtist name: String, limit: Int) throws(PlayerError) -> [AlbumName] {
    try query { index throws(LibraryError) in
      try index.albums(
        .text(.artist, TextPattern(name, kind: .exact)), order: LibraryOrder(.year), window: .init(limit: limit))
    }.elements.map { AlbumName(id: $0.id, title: $0.title, artist: $0.artist) }
  }

  /// Returns the album with this ID as it is on the disk now; `nil` if it no longer exists.
  package func refreshedAlbum(_ id: Int64) throws(PlayerError) -> Album? {
    try query { index throws(LibraryError) in try index.refreshedAlbum(id) }
  }

  /// Returns the tracks that match the query `text`; `nil` if the query consists of words only.
  ///
  /// - Throws: `PlayerError` if the query is invalid, or the index cannot be read.
  package func tracks(answering text: String) throws(PlayerError) -> [Track]? {
    let query: LibraryQuery
    do throws(LibraryQueryError) { query = try language.query(text, LibraryFilters()) } catch {
      throw PlayerError(error)
    }
    return query.isPlain ? nil : try tracks(matching: query)
  }

  /// Returns the tracks whose title is `text`. If there are none, returns those whose title begins with `text`, or
  /// otherwise those whose title contains its words.
  package func tracks(titled text: String) throws(PlayerError) -> [Track] {
    guard text.searchWords.contains(where: { $0 != " " }) else { return [] }
    for kind in [TextPattern.Kind.exact, .beginning] {
      let tracks = try tracks(matching: .text(.title, TextPattern(text, kind: kind)), limit: Self.titleLimit)
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
    try tracks(matching: .text(.artist, TextPattern(name, kind: .exact)))
  }

  /// Returns the tracks that match `query`, at most `limit` if that is given.
  package func tracks(matching query: LibraryQuery, limit: Int? = nil) throws(PlayerError) -> [Track] {
    try self.query { index throws(LibraryError) in
      try index.tracks(query, order: LibraryOrder(), window: .init(limit: limit))
    }.elements.map(\.track).filter(\.isPresent)
  }

  /// Returns all albums, in the order in which listings show them.
  package func allAlbums() throws(PlayerError) -> [Album] {
    try query { index throws(LibraryError) in
      var albums: [Album] = []
      for entry in try index.albums(.everything, order: LibraryOrder(), window: .init()).elements {
        if let album = try index.album(entry.id) { albums.append(album) }
      }
      return albums
    }
  }

  /// Updates the index from the disk, if possible.
  package func update() throws(PlayerError) {
    guard scans else { return }
    // If the changes cannot be stored, the index is used as it is.
    try query { index in _ = try? index.scan(progress: { _ in }, isCancelled: { false }) }
  }

  /// Calls `body` with the index. If the library has never been scanned, scans it first.
  private func query<Value>(_ body: (any BrowsableLibrary) throws(LibraryError) -> Value) throws(PlayerError) -> Value {
    let index = try opened.withLock { opened throws(PlayerError) in
      let index = if let opened { opened } else { try open(request) }
      opened = index
      return index
    }
    return try LocalPlayer.reading { () throws(LibraryError) in
      if try !index.isScanned {
        if scans { _ = try index.scan(progress: { _ in }, isCancelled: { false }) } else { awaitScan() }
      }
      return try body(index)
    }
  }
}

extension AlbumName {
  /// The text that refers to this album.
  package var text: String { artist.map { "\($0)/\(title)" } ?? title }
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
