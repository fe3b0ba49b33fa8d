// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Screens
import Synchronization
import SystemPackage
import Tagging
import UnicodeText

/// A library in which the music to play is looked up. Its calls block on the disk and may be made on any thread.
protocol CollectionSource: Sendable {
  /// The music directories.
  var roots: LibraryRoots { get }

  /// The index of the library, if it has been opened.
  var openIndex: (any BrowsableLibrary)? { get }

  /// Opens the index if it exists and is sound, so that the next call does not have to wait for that. Changes nothing.
  func prepare()

  /// Returns the album that `text` names.
  func album(named text: String) throws(CommandError) -> Match<AlbumName>

  /// Returns the album with this ID as it is on disk now; `nil` if it is missing.
  func presentAlbum(_ id: Int64) throws(CommandError) -> Album?

  /// Returns the tracks that match the query `text`; `nil` if that is only words.
  ///
  /// - Throws: `CommandError`, also for a query with a syntax error.
  func tracks(answering text: String) throws(CommandError) -> [Track]?

  /// Returns the tracks whose title matches `text`: by the whole title, else by its beginning, else by words in it.
  func tracks(titled text: String) throws(CommandError) -> [Track]

  /// Returns the tracks of the artist with this name.
  func tracks(byArtist name: String) throws(CommandError) -> [Track]

  /// Returns all albums, in the order of listings.
  func allAlbums() throws(CommandError) -> [Album]

  /// Updates the library from the disk, if possible.
  func catchUp() throws(CommandError)
}

extension AlbumName {
  /// The text that finds this album again.
  var text: String { artist.map { "\($0)/\(title)" } ?? title }
}

/// Looks up music in the index, which is opened on first use.
final class IndexSource: CollectionSource {
  /// The maximum number of tracks with one title that are compared.
  private static let titleLimit = 1_000

  private let request: LibraryRequest
  private let open: Lazy<any BrowsableLibrary>
  private let openPresent: @Sendable (LibraryRequest) -> (any BrowsableLibrary)?
  private let language: QueryLanguage

  /// Creates a source for the library of `request`. `open` opens it on first use; `openPresent` may have done so
  /// earlier, if the index exists.
  init(
    _ request: LibraryRequest, language: QueryLanguage,
    openPresent: @escaping @Sendable (LibraryRequest) -> (any BrowsableLibrary)? = { _ in nil },
    open: @escaping @Sendable (LibraryRequest) throws(CommandError) -> any BrowsableLibrary
  ) {
    self.request = request
    self.language = language
    self.openPresent = openPresent
    self.open = Lazy { () throws(CommandError) in try open(request) }
  }

  var roots: LibraryRoots { request.roots }

  /// The index, if it has been opened.
  var openIndex: (any BrowsableLibrary)? { open.present }

  func prepare() { open.prepare { openPresent(request) } }

  func album(named text: String) throws(CommandError) -> Match<AlbumName> {
    let index = try index()
    return try ask { () throws(LibraryError) in try index.findAlbum(text) }
  }

  func presentAlbum(_ id: Int64) throws(CommandError) -> Album? {
    let index = try index()
    return try ask { () throws(LibraryError) in try index.presentAlbum(id) }
  }

  func tracks(answering text: String) throws(CommandError) -> [Track]? {
    let query: LibraryQuery
    do throws(LibraryQueryError) { query = try language.query(text, LibraryFilters()) } catch {
      throw CommandError(error)
    }
    return query.isPlain ? nil : try tracks(query)
  }

  func tracks(titled text: String) throws(CommandError) -> [Track] {
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

  func tracks(byArtist name: String) throws(CommandError) -> [Track] {
    try tracks(.text(.artist, TextPattern(name, kind: .exact)))
  }

  func allAlbums() throws(CommandError) -> [Album] {
    let index = try index()
    return try ask { () throws(LibraryError) in
      let entries = try index.albums(.everything, order: LibraryOrder(), window: .init()).elements
      var albums: [Album] = []
      for entry in entries {
        if let album = try index.album(entry.id) { albums.append(album) }
      }
      return albums
    }
  }

  func catchUp() throws(CommandError) {
    let index = try index()
    // If the changes cannot be stored, the index still answers from what it knows.
    _ = try? index.scan(progress: { _ in }, isCancelled: { false })
  }

  private func tracks(_ query: LibraryQuery, limit: Int? = nil) throws(CommandError) -> [Track] {
    let index = try index()
    let page = try ask { () throws(LibraryError) in
      try index.tracks(query, order: LibraryOrder(), window: .init(limit: limit))
    }
    return page.elements.map(\.track).filter(\.isPresent)
  }

  /// Returns the index, after a scan if it was never scanned.
  private func index() throws(CommandError) -> any BrowsableLibrary {
    let index = try open.value()
    let isScanned = try ask { () throws(LibraryError) in try index.isScanned }
    if !isScanned {
      _ = try ask { () throws(LibraryError) in try index.scan(progress: { _ in }, isCancelled: { false }) }
    }
    return index
  }

  private func ask<Value>(_ body: () throws(LibraryError) -> Value) throws(CommandError) -> Value {
    do throws(LibraryError) { return try body() } catch { throw CommandError(error) }
  }
}

extension Track {
  /// Whether its file exists.
  fileprivate var isPresent: Bool { (try? FileStatus(of: path))?.kind == .regular }
}

extension LibraryQuery {
  /// Whether it is only words that may match any field.
  fileprivate var isPlain: Bool {
    switch self {
    case .everything: true
    case .text(.anywhere, let pattern): pattern.kind != .exact
    case .all(let parts): parts.allSatisfy(\.isPlain)
    case .text, .number, .added, .not, .any: false
    }
  }
}

/// A value that is created on first use. If that fails, the next use tries again. Any thread; concurrent callers wait.
final class Lazy<Value: Sendable>: Sendable {
  private struct Maker: Sendable {
    let make: @Sendable () throws(CommandError) -> Value
  }

  private let maker: Maker
  private let made = Mutex<Value?>(nil)

  /// Creates a value that `make` will produce.
  init(_ make: @escaping @Sendable () throws(CommandError) -> Value) { maker = Maker(make: make) }

  /// The value, if it has been created. Waits while it is being created.
  var present: Value? { made.withLock { $0 } }

  /// Creates the value with `attempt`, which may return `nil`, unless it exists.
  func prepare(_ attempt: () -> Value?) {
    made.withLock { made in
      if made == nil { made = attempt() }
    }
  }

  /// Returns the value, creating it if needed.
  func value() throws(CommandError) -> Value {
    let result: Result<Value, CommandError> = made.withLock { made in
      if let made { return .success(made) }
      return Result { () throws(CommandError) in
        let value = try maker.make()
        made = value
        return value
      }
    }
    return try result.get()
  }
}
