public import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
public import Tagging

extension IndexedLibrary: BrowsableLibrary {
  /// Whether it was ever read to its end, so that what is not in the index is not on the disk. Of several directories,
  /// one that was never read because it is not there does not count.
  public var isScanned: Bool {
    get throws(LibraryError) {
      let unread = try fault { () throws(LibraryIndexError) in
        try index.read { database in
          let row = try IndexStatement(database, "SELECT 1 FROM library WHERE root = ? AND scanned IS NOT NULL")
          return try roots.paths.filter { path in
            row.bind(path.systemBytes)
            defer { row.reset() }
            return try !row.step()
          }
        }
      }
      return unread.count < roots.all.count && unread.allSatisfy { LibraryPresence($0).error != nil }
    }
  }

  /// Reads what has changed in a part of the library; see `LibraryRepository`.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    switch scope {
    case .everything: try scan(progress: progress, isCancelled: isCancelled)
    case .directories(let directories):
      try update(directories: Array(directories), recursively: true, isCancelled: isCancelled)
    case .again(let scope):
      try readingAll.scan(scope, progress: progress, isCancelled: isCancelled)
    }
  }

  /// The tracks of which `query` is true.
  public func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry> {
    try reading { try $0.tracks(query, order: order, window: window) } ?? LibraryPage([])
  }

  /// The albums with a track of which `query` is true.
  public func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry> {
    try reading { try $0.albums(query, order: order, window: window) } ?? LibraryPage([])
  }

  /// The artists with a track of which `query` is true, by sort name.
  public func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    try reading { try $0.artists(query, window: window) } ?? LibraryPage([])
  }

  /// The genres with a track of which `query` is true, by name.
  public func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    try reading { try $0.genres(query, window: window) } ?? LibraryPage([])
  }

  /// What `text` finds among the tracks of which `query` is true, best first.
  public func search(
    _ text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [SearchHit] {
    try reading { try $0.search(text, among: query, limit: limit) } ?? []
  }

  /// The album with this id and its tracks in playing order, as the index has it; `nil` where there is none.
  public func album(_ id: Int64) throws(LibraryError) -> Album? {
    try looking { try $0.album(id) } ?? nil
  }

  /// The files and directories that cannot be in the library, by path.
  public func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry> {
    try reading { try $0.problems(window: window) } ?? LibraryPage([])
  }

  /// How many files and directories cannot be in the library; 0 where the index cannot tell.
  public var problemCount: Int {
    let count = try? index.reading(roots) { try $0.problemCount() }
    return (count ?? nil) ?? 0
  }

  /// The album that `text` names: by its title, or ARTIST/TITLE; see `AlbumLookup`.
  public func findAlbum(_ text: String) throws(LibraryError) -> Match<AlbumName> {
    try looking { try $0.find(text) } ?? .none(suggestions: [])
  }

  /// The album with this id as the disk has it: where a directory of its files has changed, that is read first.
  ///
  /// `nil` where the album is gone. Where what changed cannot be kept, it is the tracks that are known and still there.
  public func presentAlbum(_ id: Int64) throws(LibraryError) -> Album? {
    let (bytes, directories) = try fault { () throws(LibraryIndexError) in
      try index.read { try AlbumLookup.directories(ofAlbum: id, $0) }
    }
    let stale = directories.compactMap { path, time in
      let directory = FilePath(systemBytes: path.absolute(in: bytes))
      return (try? FileStatus(of: directory))?.modificationTime == time ? nil : path
    }
    let root = roots.paths.first { $0.systemBytes == bytes }
    guard let root, !stale.isEmpty else { return try album(id) }
    do throws(LibraryError) {
      _ = try scan(
        root, .directories(stale, recursively: false), patience: Self.shortPatience, progress: { _ in },
        isCancelled: { false })
      return try album(id)
    } catch {
      guard error.kind == .index else { throw error }
      guard var album = try album(id) else { return nil }
      album.tracks.removeAll { (try? FileStatus(of: $0.path))?.kind != .regular }
      return album.tracks.isEmpty ? nil : album
    }
  }

  /// What `body` reads of this library; `nil` where nothing is known of it.
  func reading<Value>(_ body: (IndexReader) throws -> Value) throws(LibraryError) -> Value? {
    try fault { () throws(LibraryIndexError) in try index.reading(roots, body) }
  }

  /// What `body` looks up in this library, as a player does when it starts; `nil` where nothing is known of it.
  func looking<Value: Sendable>(_ body: (AlbumLookup) throws -> Value) throws(LibraryError) -> Value? {
    try fault { () throws(LibraryIndexError) in
      try index.readingSnapshot(roots) { try body(AlbumLookup(database: $0, libraries: $1)) }
    }
  }
}

extension IndexedLibrary {
  /// The albums with a track of which `query` is true that may be meant by `text`, which is being typed: a title, or
  /// ARTIST/TITLE; see `AlbumCompletion`. At most `limit`; none of a library that was never read.
  public func albums(
    completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [CompletedAlbum] {
    try reading { try AlbumCompletion(reader: $0, query: query, limit: limit).albums(text) } ?? []
  }

  /// The values of `kind` that a track of which `query` is true has, and that may be meant by `text`, which is being
  /// typed: those that begin so first, then those with a word that does. At most `limit`; none of a library that was
  /// never read.
  public func values(
    of kind: LibraryFilters.Kind, completing text: String, among query: LibraryQuery, limit: Int
  ) throws(LibraryError) -> [String] {
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
  public func tracks(ofAlbum text: String) throws(LibraryError) -> [Track]? {
    try looking { lookup in
      guard case .found(let name)? = try lookup.match(text) else { return nil }
      return try lookup.album(name.id)?.tracks
    } ?? nil
  }
}

extension IndexedLibrary {
  /// Gives `body` a browser of this library; `nil` where nothing is known of it. Blocks as all that asks the library
  /// does; where `isQuick`, which is for a few rows, not behind others that look at many.
  public func browse<Value>(
    isQuick: Bool = false, _ body: (TrackBrowser) throws -> Value
  ) throws(LibraryError) -> Value? {
    // Not by GRDB's way to read: to forbid and allow writing has SQLite compile all statements anew.
    try fault { () throws(LibraryIndexError) in
      try index.readingSnapshot(roots, isQuick: isQuick) { database, libraries in
        try body(TrackBrowser(database, libraries: libraries))
      }
    }
  }
}

extension IndexedLibrary {
  /// The track in a file that need not be in the library.
  public func unindexedTrack(at path: FilePath) throws(LibraryProblem) -> Track {
    try reader.track(at: path)
  }
}
