import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import UnicodeText

/// Looks up in the index what is to be played. The index is opened when it is first asked.
final class IndexSource: CollectionSource {
  /// The most tracks of one title that are worth telling apart.
  private static let titleLimit = 1_000

  private let request: LibraryRequest
  private let open: OnDemand<IndexedLibrary>
  private let openPresent: @Sendable (LibraryRequest) -> IndexedLibrary?
  private let language: QueryLanguage

  /// The library that `request` names, opened by `open`, or before by `openPresent`, where that can be.
  init(
    _ request: LibraryRequest, language: QueryLanguage,
    openPresent: @escaping @Sendable (LibraryRequest) -> IndexedLibrary? = { _ in nil },
    open: @escaping @Sendable (LibraryRequest) throws(CommandError) -> IndexedLibrary
  ) {
    self.request = request
    self.language = language
    self.openPresent = openPresent
    self.open = OnDemand { () throws(CommandError) in try open(request) }
  }

  var roots: LibraryRoots { request.roots }

  /// The index, where it was asked already.
  var openIndex: IndexedLibrary? { open.present }

  func prepare() { open.prepare { openPresent(request) } }

  func album(named text: String) throws(CommandError) -> Match<AlbumName> {
    let index = try index()
    return try ask { () throws(LibraryFault) in try index.findAlbum(text) }
  }

  func presentAlbum(_ id: Int64) throws(CommandError) -> Album? {
    let index = try index()
    return try ask { () throws(LibraryFault) in try index.presentAlbum(id) }
  }

  func tracks(answering text: String) throws(CommandError) -> [Track]? {
    let query: LibraryQuery
    do throws(SearchFault) { query = try language.query(text, LibraryFilters()) } catch {
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
    return try ask { () throws(LibraryFault) in
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
    let page = try ask { () throws(LibraryFault) in
      try index.tracks(query, order: LibraryOrder(), window: .init(limit: limit))
    }
    return page.elements.map(\.track).filter(\.isPresent)
  }

  /// The index, which is filled where it was never.
  private func index() throws(CommandError) -> IndexedLibrary {
    let index = try open.value()
    let isScanned = try ask { () throws(LibraryFault) in try index.isScanned }
    if !isScanned {
      _ = try ask { () throws(LibraryFault) in try index.scan(progress: { _ in }, isCancelled: { false }) }
    }
    return index
  }

  private func ask<Value>(_ body: () throws(LibraryFault) -> Value) throws(CommandError) -> Value {
    do throws(LibraryFault) { return try body() } catch { throw CommandError(error) }
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
