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

/// A library in which something to play is looked up. Its calls block while the disk does; any thread.
protocol CollectionSource: Sendable {
  /// The directories of music.
  var roots: LibraryRoots { get }

  /// The index of the library, where it was asked already.
  var openIndex: (any BrowsableLibrary)? { get }

  /// Opens the index, where it is there already and nothing is wrong with it, so that whoever asks next does not wait
  /// for that. Changes nothing.
  func prepare()

  /// The album that `text` names.
  func album(named text: String) throws(CommandError) -> Match<AlbumName>

  /// The album with this id as the disk has it now; `nil` where it is gone.
  func presentAlbum(_ id: Int64) throws(CommandError) -> Album?

  /// The tracks of which the query `text` is true; `nil` where it is nothing but words.
  ///
  /// - Throws: `CommandError` also where it is a query that cannot be understood.
  func tracks(answering text: String) throws(CommandError) -> [Track]?

  /// The tracks whose title `text` names: the whole title beats its beginning, and that words in it.
  func tracks(titled text: String) throws(CommandError) -> [Track]

  /// The tracks on which an artist is named so.
  func tracks(byArtist name: String) throws(CommandError) -> [Track]

  /// All albums, in the order of listings.
  func allAlbums() throws(CommandError) -> [Album]

  /// Brings the library in step with the disk, where that is possible.
  func catchUp() throws(CommandError)
}

extension AlbumName {
  /// What finds this album again.
  var text: String { artist.map { "\($0)/\(title)" } ?? title }
}

/// Looks up in the index what is to be played. The index is opened when it is first asked.
final class IndexSource: CollectionSource {
  /// The most tracks of one title that are worth telling apart.
  private static let titleLimit = 1_000

  private let request: LibraryRequest
  private let open: Lazy<any BrowsableLibrary>
  private let openPresent: @Sendable (LibraryRequest) -> (any BrowsableLibrary)?
  private let language: QueryLanguage

  /// The library that `request` names, opened by `open`, or before by `openPresent`, where that can be.
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

  /// The index, where it was asked already.
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
    // What is known answers where what changed cannot be kept.
    _ = try? index.scan(progress: { _ in }, isCancelled: { false })
  }

  private func tracks(_ query: LibraryQuery, limit: Int? = nil) throws(CommandError) -> [Track] {
    let index = try index()
    let page = try ask { () throws(LibraryError) in
      try index.tracks(query, order: LibraryOrder(), window: .init(limit: limit))
    }
    return page.elements.map(\.track).filter(\.isPresent)
  }

  /// The index, which is filled where it was never.
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
  /// Whether its file is there.
  fileprivate var isPresent: Bool { (try? FileStatus(of: path))?.kind == .regular }
}

extension LibraryQuery {
  /// Whether it is nothing but words that may be anywhere.
  fileprivate var isPlain: Bool {
    switch self {
    case .everything: true
    case .text(.anywhere, let pattern): pattern.kind != .exact
    case .all(let parts): parts.allSatisfy(\.isPlain)
    case .text, .number, .added, .not, .any: false
    }
  }
}

/// A value that is made when it is first asked for; where that fails, again the next time. Any thread; a second one
/// waits.
final class Lazy<Value: Sendable>: Sendable {
  private struct Maker: Sendable {
    let make: @Sendable () throws(CommandError) -> Value
  }

  private let maker: Maker
  private let made = Mutex<Value?>(nil)

  /// A value that `make` makes.
  init(_ make: @escaping @Sendable () throws(CommandError) -> Value) { maker = Maker(make: make) }

  /// The value, where it was made already. Waits while it is being made.
  var present: Value? { made.withLock { $0 } }

  /// Makes it by `attempt` instead, which may give `nil`, unless it was made already.
  func prepare(_ attempt: () -> Value?) {
    made.withLock { made in
      if made == nil { made = attempt() }
    }
  }

  /// The value.
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
