// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import Playlists
import Synchronization
import SystemPackage
import Tagging
import UnicodeText

/// The lists of a library, as rows. Calls block while the disk is read.
struct LibraryLists {
  /// The maximum number of results of a search.
  private static let hitLimit = 500

  let index: any BrowsableLibrary
  /// The lengths of lists that are known.
  let counts: ListCounts

  /// Returns rows of a list that is not among those of ``LocalPlayer``.
  func page(of content: ListContent, offset: Int, limit: Int) throws(PlayerError) -> ListPage {
    switch content {
    case .album(let id): return ListPage(try albumRows(id), offset, limit)
    case .directory(let path): return ListPage(try directoryRows(path.path), offset, limit)
    case .years(let query): return ListPage(try yearRows(query), offset, limit)
    case .queue, .outputs, .playlists, .playlist, .albums, .artists, .songs, .genres, .search:
      let rows = try rows(of: content, LibraryPage<ListRow>.Window(offset: offset, limit: limit))
      if !rows.hasMore, offset == 0 || !rows.elements.isEmpty {
        return ListPage(offset: offset, rows: rows.elements, count: offset + rows.elements.count)
      }
      return ListPage(offset: offset, rows: rows.elements, count: try count(of: content))
    }
  }

  /// Returns the number of rows of a list of the library.
  private func count(of content: ListContent) throws(PlayerError) -> Int {
    if let known = counts[content] { return known }
    guard let (listing, query) = content.listing else { return 0 }
    let count = try reading { () throws(LibraryError) in try index.count(of: listing, matching: query) }
    counts[content] = count
    return count
  }

  func position(of letter: Character, in content: ListContent) throws(PlayerError) -> Int? {
    guard let (listing, query) = content.listing else { return nil }
    return try reading { () throws(LibraryError) in try index.position(of: letter, in: listing, matching: query) }
  }

  // MARK: Rows

  private func rows(
    of content: ListContent, _ window: LibraryPage<ListRow>.Window
  ) throws(PlayerError) -> LibraryPage<ListRow> {
    try reading { () throws(LibraryError) in
      let (offset, limit) = (window.offset, window.limit)
      switch content {
      case .albums(let query):
        return try index.albums(query, order: LibraryOrder(.artist), window: .init(offset: offset, limit: limit))
          .map { ListRow($0) }
      case .artists(let query):
        return try index.artists(query, window: .init(offset: offset, limit: limit)).map {
          ListRow(.artist($0.name), $0)
        }
      case .genres(let query):
        return try index.genres(query, window: .init(offset: offset, limit: limit)).map { ListRow(.genre($0.name), $0) }
      case .songs(let query):
        return try index.tracks(query, order: LibraryOrder(.title), window: .init(offset: offset, limit: limit))
          .map { ListRow($0, rating: rating(of: $0.id)) }
      case .search(let text, let query):
        guard !text.allSatisfy(\.isWhitespace) else { return LibraryPage([]) }
        let hits = try index.search(text, among: query, limit: Self.hitLimit)
        counts[content] = hits.count
        let page = LibraryPage(
          Array(hits.dropFirst(offset).prefix(limit ?? .max)), hasMore: limit.map { hits.count - offset > $0 } ?? false)
        return page.map { hit in
          var row: ListRow
          switch hit {
          case .artist(let entry): row = ListRow(.artist(entry.name), entry)
          case .album(let entry): row = ListRow(entry)
          case .track(let entry): row = ListRow(entry, rating: rating(of: entry.id))
          }
          row.detail =
            switch hit {
            case .artist: "artist"
            case .album: "album"
            case .track: "song"
            }
          return row
        }
      case .queue, .outputs, .playlists, .playlist, .album, .directory, .years: return LibraryPage([])
      }
    }
  }

  private func albumRows(_ id: Int64) throws(PlayerError) -> [ListRow] {
    let tracks = try reading { () throws(LibraryError) in try index.album(id)?.tracks ?? [] }
    let ids = try trackIDs(tracks)
    return tracks.enumerated().map { position, track in
      let disc = track.disc.flatMap { ($0.total ?? 1) > 1 || $0.number > 1 ? "\($0.number)-" : nil } ?? ""
      let number = track.shownNumber.map { disc + $0 } ?? ""
      let path = PathText(track.path)
      let target: ListTarget = ids[position].map { .track(id: $0, path) } ?? .file(path, number: position)
      return ListRow(target, track, detail: number, rating: ids[position].flatMap { rating(of: $0) })
    }
  }

  private func trackIDs(_ tracks: [Track]) throws(PlayerError) -> [Int64?] {
    let found = try reading { () throws(LibraryError) in
      try index.browse(isQuick: true) { browser in
        try tracks.map { track in
          try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
        }
      }
    }
    return found ?? tracks.map { _ in nil }
  }

  private func directoryRows(_ path: FilePath) throws(PlayerError) -> [ListRow] {
    let rows = try reading { () throws(LibraryError) in
      try index.browse(isQuick: false) { browser in
        let directories = try browser.directories(in: path).map { directory in
          ListRow(.directory(PathText(directory.path)), title: directory.path.lastComponent?.string ?? "")
        }
        let tracks = try browser.tracks(browser.trackIDs(in: path)).map { found in
          ListRow(.track(id: found.id, PathText(found.track.path)), found.track)
        }
        return directories + tracks
      }
    }
    // Ratings are read by queries of their own.
    return (rows ?? []).map { row in
      guard case .track(let id, _) = row.target else { return row }
      var row = row
      row.rating = rating(of: id)
      return row
    }
  }

  /// Returns the years of the tracks that match, the latest first.
  private func yearRows(_ query: LibraryQuery) throws(PlayerError) -> [ListRow] {
    try reading { () throws(LibraryError) in
      var years: Set<Int> = []
      _ = try index.browse(isQuick: false) { browser in
        try browser.values(of: [.date], .everything) { values in
          if let year = values.first.flatMap({ Int(String(decoding: $0.prefix(4), as: UTF8.self)) }) {
            years.insert(year)
          }
        }
      }
      var rows: [ListRow] = []
      for year in years.sorted(by: >) {
        let inYear = LibraryQuery.conjunction([query, .number(.year, QueryRange(from: year, to: year))])
        let page = try index.albums(inYear, order: LibraryOrder(), window: .init(limit: 1_000))
        let count = page.elements.count
        if count > 0 { rows.append(ListRow(.year(year), title: "\(year)", detail: ListRow.count(count, "album"))) }
      }
      return rows
    }
  }

  /// Returns the rating of a track, from 1 to 10; `nil` if it has none.
  private func rating(of track: Int64) -> Int? {
    let stickers = try? index.stickers(of: track)
    return stickers?.first { $0.name == Sticker.rating }.flatMap { Int($0.value) }
  }

  /// Returns the rating of a track; `nil` if it has none.
  func rating(of track: Track) -> Int? {
    ((try? trackIDs([track])) ?? []).first.flatMap { $0 }.flatMap { rating(of: $0) }
  }

  private func reading<Value>(_ body: () throws(LibraryError) -> Value) throws(PlayerError) -> Value {
    try LocalPlayer.reading(body)
  }
}

/// The lengths of lists of one version of a library. Safe to use from any thread.
final class ListCounts: Sendable {
  /// The maximum number of lengths, since each text that is searched for has one.
  private static let limit = 256

  let version: UInt64
  private let counts = Mutex<[ListContent: Int]>([:])

  init(version: UInt64) { self.version = version }

  /// The number of rows of a list; `nil` if it is not known.
  subscript(content: ListContent) -> Int? {
    get { counts.withLock { $0[content] } }
    set {
      counts.withLock { counts in
        if counts.count >= Self.limit { counts = [:] }
        counts[content] = newValue
      }
    }
  }
}

extension SavedLists {
  /// The saved playlists, as rows.
  func rows() throws(PlayerError) -> [ListRow] {
    try Self.convertingErrors { () throws(PlaylistError) in try directory.lists() }.map { list in
      ListRow(.playlist(list.name), title: list.name, detail: list.entryCount.map { ListRow.count($0, "track") } ?? "")
    }
  }

  /// Returns the tracks of the playlist `name`, as rows.
  func rows(of name: String) throws(PlayerError) -> [ListRow] {
    let loaded = try load(name)
    let missing = Set(loaded.problems.compactMap(\.path))
    return loaded.collection.tracks.enumerated().map { position, track in
      var row = ListRow(.file(PathText(track.path), number: position), track)
      row.isMissing = missing.contains(track.path)
      return row
    }
  }
}

extension ListContent {
  /// The listing of the library whose rows the list shows in order, with its query; `nil` for other lists.
  fileprivate var listing: (LibraryListing, LibraryQuery)? {
    switch self {
    case .albums(let query): (.albums, query)
    case .artists(let query): (.artists, query)
    case .genres(let query): (.genres, query)
    case .songs(let query): (.tracks, query)
    case .search, .queue, .outputs, .playlists, .playlist, .album, .directory, .years: nil
    }
  }
}

extension ListPage {
  /// Creates a page of a list whose rows are all known.
  init(_ rows: [ListRow], _ offset: Int, _ limit: Int) {
    self.init(offset: offset, rows: Array(rows.dropFirst(offset).prefix(limit)), count: rows.count)
  }
}

extension LibraryPage {
  fileprivate func map<Other>(_ transform: (Element) -> Other) -> LibraryPage<Other> {
    LibraryPage<Other>(elements.map(transform), hasMore: hasMore)
  }
}

extension ListRow {
  fileprivate static func count(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  init(_ target: ListTarget, _ track: Track, detail: String = "", rating: Int? = nil) {
    self.init(
      target, title: track.title, artist: track.artistCredit, album: track.album ?? "",
      detail: detail, duration: track.duration, rating: rating)
  }

  fileprivate init(_ entry: TrackEntry, rating: Int?) {
    self.init(.track(id: entry.id, PathText(entry.track.path)), entry.track, rating: rating)
  }

  fileprivate init(_ entry: AlbumEntry) {
    self.init(
      .album(entry.id), title: entry.title, artist: entry.artist ?? "", detail: entry.date.map { "\($0.year)" } ?? "",
      duration: entry.duration)
  }

  fileprivate init(_ target: ListTarget, _ entry: NameEntry) {
    self.init(
      target, title: entry.name,
      detail: Self.count(entry.albumCount, "album") + ", " + Self.count(entry.trackCount, "track"))
  }
}
