// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import Playlists
import SystemPackage
import Tagging
import UnicodeText

/// The lists of a library, as rows. Calls block while the disk is read.
struct LibraryLists {
  /// The maximum number of results of a search.
  private static let hitLimit = 500

  let index: any BrowsableLibrary
  /// What is known of the lists.
  let known: KnownLists

  /// Returns rows of a list that is not among those of ``LocalPlayer``.
  ///
  /// - Parameter hasMarks: Whether the rows have what the library knows of them besides their tags.
  func page(of view: ListView, offset: Int, limit: Int, hasMarks: Bool = true) throws(PlayerError) -> ListPage {
    var page: ListPage
    if let (listing, query) = view.content.listing {
      page = try self.page(of: view, listing, query, offset, limit)
    } else {
      let rows = try rows(of: view.content)
      if view.needsMarks { return ListPage(view.arranged(marked(rows)), offset, limit) }
      page = ListPage(view.arranged(rows), offset, limit)
    }
    if hasMarks { page.rows = marked(page.rows) }
    return page
  }

  func position(of letter: Character, in view: ListView) throws(PlayerError) -> Int? {
    guard let (listing, query) = view.content.listing else { return view.position(of: letter, in: try rows(of: view)) }
    let (ids, order) = (try ids(of: view, listing, query), view.rowOrder(of: listing))
    return try browse { browser in try browser.position(of: letter, among: ids, of: listing, order) } ?? nil
  }

  private func rows(of view: ListView) throws(PlayerError) -> [ListRow] {
    let rows = try rows(of: view.content)
    return view.arranged(view.needsMarks ? marked(rows) : rows)
  }

  // MARK: Listings

  /// Returns rows of a listing of the library. One that is not narrowed, and that an index orders, is read only as far
  /// as needed.
  private func page(
    of view: ListView, _ listing: LibraryListing, _ query: LibraryQuery, _ offset: Int, _ limit: Int
  ) throws(PlayerError) -> ListPage {
    if RowFilter(view.filter) == nil, case .key(let order) = view.rowOrder(of: listing), !order.key.isMark,
      let page = try page(of: listing, query, order, .init(offset: offset, limit: limit))
    {
      let isWhole = !page.hasMore && (offset == 0 || !page.elements.isEmpty)
      let count =
        isWhole ? offset + page.elements.count : try count(of: ListView(view.content), listing, query)
      return ListPage(offset: offset, rows: page.elements, count: count)
    }
    let ids = try ids(of: view, listing, query)
    let shown = Array(ids.dropFirst(offset).prefix(limit))
    let rows = try browse { browser in
      switch listing {
      case .tracks: try browser.tracks(shown).map { ListRow($0) }
      case .albums: try browser.albums(shown).map { ListRow($0) }
      case .artists: try browser.artists(shown).map { ListRow(.artist($0.name), $0) }
      case .genres: try browser.genres(shown).map { ListRow(.genre($0.name), $0) }
      }
    }
    return ListPage(offset: offset, rows: rows ?? [], count: ids.count)
  }

  /// Returns rows of a listing in an order of tags; `nil` if they cannot be read in this order.
  private func page(
    of listing: LibraryListing, _ query: LibraryQuery, _ order: LibraryOrder, _ window: LibraryPage<ListRow>.Window
  ) throws(PlayerError) -> LibraryPage<ListRow>? {
    try reading { () throws(LibraryError) in
      let (offset, limit) = (window.offset, window.limit)
      switch listing {
      case .tracks:
        return try index.tracks(query, order: order, window: .init(offset: offset, limit: limit)).map { ListRow($0) }
      case .albums:
        return try index.albums(query, order: order, window: .init(offset: offset, limit: limit)).map { ListRow($0) }
      case .artists where !order.isDescending:
        return try index.artists(query, window: .init(offset: offset, limit: limit)).map {
          ListRow(.artist($0.name), $0)
        }
      case .genres where !order.isDescending:
        return try index.genres(query, window: .init(offset: offset, limit: limit)).map { ListRow(.genre($0.name), $0) }
      case .artists, .genres: return nil
      }
    }
  }

  /// Returns the number of rows of a list in its own form.
  private func count(
    of view: ListView, _ listing: LibraryListing, _ query: LibraryQuery
  ) throws(PlayerError) -> Int {
    if let count = known.count(of: view) { return count }
    let count = try reading { () throws(LibraryError) in try index.count(of: listing, matching: query) }
    // Ratings and plays change without a change of the library.
    if !query.usesMarks { known.set(count, of: view) }
    return count
  }

  /// Returns the IDs of all rows of a listing.
  func ids(
    of view: ListView, _ listing: LibraryListing, _ query: LibraryQuery
  ) throws(PlayerError) -> [Int64] {
    if let ids = known.ids(of: view) { return ids }
    let (filter, order) = (RowFilter(view.filter), view.rowOrder(of: listing))
    let resolved = try reading { () throws(LibraryError) in try index.resolved(query) }
    let ids = try browse(isQuick: false) { browser in
      try browser.ids(of: listing, matching: resolved, filter: filter, order: order)
    }
    // Ratings and plays change without a change of the library.
    if !query.usesMarks, !order.usesMarks { known.set(ids ?? [], of: view) }
    return ids ?? []
  }

  /// Returns the IDs of the rows of a smart playlist: its tracks, narrowed and in the order of `view`.
  func ids(of view: ListView, ofSmartPlaylist name: String) throws(PlayerError) -> [Int64] {
    let ids = try reading { () throws(LibraryError) in try index.trackIDs(ofSmartPlaylist: name) }
    let filter = RowFilter(view.filter)
    if filter == nil, view.offeredOrder == nil { return ids }
    let order = view.rowOrder(of: .tracks)
    let shown = try browse(isQuick: false) { browser in
      try browser.ids(of: .tracks, matching: .tracks(ids.sorted()), filter: filter, order: order)
    }
    guard let shown, view.offeredOrder == nil else { return shown ?? [] }
    let remaining = Set(shown)
    return ids.filter { remaining.contains($0) }
  }

  /// Returns rows of a list of these tracks.
  func page(_ ids: [Int64], offset: Int, limit: Int, hasMarks: Bool) throws(PlayerError) -> ListPage {
    let rows = try browse { try $0.tracks(ids.dropFirst(offset).prefix(limit)).map { ListRow($0) } } ?? []
    return ListPage(offset: offset, rows: hasMarks ? marked(rows) : rows, count: ids.count)
  }

  private func browse<Value>(
    isQuick: Bool = true, _ body: (TrackBrowser) throws -> Value
  ) throws(PlayerError) -> Value? {
    try reading { () throws(LibraryError) in try index.browse(isQuick: isQuick, body) }
  }

  // MARK: Rows

  /// Returns all rows of a list that is no listing.
  private func rows(of content: ListContent) throws(PlayerError) -> [ListRow] {
    switch content {
    case .album(let id): try albumRows(id)
    case .directory(let path): try directoryRows(path.path)
    case .years(let query): try yearRows(query)
    case .search(let text, let query): try hitRows(text, query)
    case .queue, .outputs, .playlists, .playlist, .albums, .artists, .songs, .genres: []
    }
  }

  private func hitRows(_ text: String, _ query: LibraryQuery) throws(PlayerError) -> [ListRow] {
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    return try reading { () throws(LibraryError) in
      try index.search(text, among: query, limit: Self.hitLimit).map { hit in
        var row: ListRow
        switch hit {
        case .artist(let entry):
          row = ListRow(.artist(entry.name), entry)
          row.detail = "artist"
        case .album(let entry):
          row = ListRow(entry)
          row.detail = "album"
        case .track(let entry):
          row = ListRow(entry)
          row.detail = "song"
        }
        return row
      }
    }
  }

  /// Returns the rows with what the library knows of their tracks and albums. `track` returns the track of the row with
  /// an index that stands for none of the library by its ID. If the library cannot be read, the rows are returned as
  /// they are.
  func marked(_ rows: [ListRow], track: (Int) -> Track? = { _ in nil }) -> [ListRow] {
    let marked = try? browse { browser in
      try rows.enumerated().map { position, row in
        let marks: RowMarks? =
          switch row.target {
          case .track(let id, _): try browser.marks(ofTrack: id)
          case .album(let id): try browser.marks(ofAlbum: id)
          case .artist, .genre, .year, .playlist, .directory, .output: nil
          case .item, .file:
            try track(position).flatMap { try id(of: $0, browser) }.flatMap { try browser.marks(ofTrack: $0) }
          }
        guard let marks else { return row }
        var row = row
        (row.added, row.rating, row.isLiked) = (marks.added, marks.rating, marks.isLiked)
        (row.plays, row.skips, row.lastPlayed) = (marks.plays, marks.skips, marks.lastPlayed)
        return row
      }
    }
    return (marked ?? nil) ?? rows
  }

  private func id(of track: Track, _ browser: TrackBrowser) throws -> Int64? {
    try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
  }

  private func albumRows(_ id: Int64) throws(PlayerError) -> [ListRow] {
    let tracks = try reading { () throws(LibraryError) in try index.album(id)?.tracks ?? [] }
    let ids = try trackIDs(tracks)
    return tracks.enumerated().map { position, track in
      let disc = track.disc.flatMap { ($0.total ?? 1) > 1 || $0.number > 1 ? "\($0.number)-" : nil } ?? ""
      let number = track.shownNumber.map { disc + $0 } ?? ""
      let path = PathText(track.path)
      let target: ListTarget = ids[position].map { .track(id: $0, path) } ?? .file(path, number: position)
      return ListRow(target, track, detail: number)
    }
  }

  private func trackIDs(_ tracks: [Track]) throws(PlayerError) -> [Int64?] {
    try browse { browser in try tracks.map { try id(of: $0, browser) } } ?? tracks.map { _ in nil }
  }

  private func directoryRows(_ path: FilePath) throws(PlayerError) -> [ListRow] {
    try browse(isQuick: false) { browser in
      let directories = try browser.directories(in: path).map { directory in
        ListRow(.directory(PathText(directory.path)), title: directory.path.lastComponent?.string ?? "")
      }
      return try directories + browser.tracks(browser.trackIDs(in: path)).map { ListRow($0) }
    } ?? []
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
        guard count > 0 else { continue }
        var row = ListRow(.year(year), title: "\(year)", detail: ListRow.count(count, "album"))
        row.year = year
        rows.append(row)
      }
      return rows
    }
  }

  /// Returns the rating of a track, from 1 to 10; `nil` if it has none, or cannot be read.
  func rating(of track: Track) -> Int? {
    marked([ListRow(.file(PathText(track.path), number: 0), title: "")]) { _ in track }.first?.rating
  }

  private func reading<Value>(_ body: () throws(LibraryError) -> Value) throws(PlayerError) -> Value {
    try LocalPlayer.reading(body)
  }
}

extension SavedLists {
  /// The saved playlists, as rows.
  func rows() throws(PlayerError) -> [ListRow] {
    try Self.convertingErrors { () throws(PlaylistError) in try directory.lists() }.map { list in
      let count = list.entryCount.map { ListRow.count($0, "track") }
      return ListRow(.playlist(list.name), title: list.name, detail: list.isSmart ? "smart" : count ?? "")
    }
  }

  /// Returns the tracks of the playlist `name`, as rows and as they are.
  func rows(of name: String) throws(PlayerError) -> (rows: [ListRow], tracks: TrackList) {
    let loaded = try load(name)
    let missing = Set(loaded.problems.compactMap(\.path))
    let rows = loaded.collection.tracks.enumerated().map { position, track in
      var row = ListRow(.file(PathText(track.path), number: position), track)
      row.isMissing = missing.contains(track.path)
      return row
    }
    return (rows, loaded.collection.tracks)
  }
}

extension ListContent {
  /// The listing of the library whose rows the list shows, with its query; `nil` for other lists.
  var listing: (LibraryListing, LibraryQuery)? {
    switch self {
    case .albums(let query): (.albums, query)
    case .artists(let query): (.artists, query)
    case .genres(let query): (.genres, query)
    case .songs(let query): (.tracks, query)
    case .search, .queue, .outputs, .playlists, .playlist, .album, .directory, .years: nil
    }
  }
}

extension ListView {
  /// The order of the rows of a listing.
  fileprivate func rowOrder(of listing: LibraryListing) -> RowOrder {
    let isDescending = offeredOrder?.isDescending ?? false
    let key: LibraryOrder.Key
    switch offeredOrder?.key {
    case nil: key = listing == .tracks ? .title : .artist
    case .name: key = .title
    case .artist: key = .artist
    case .year: key = .year
    case .added: key = .added
    case .duration: key = .duration
    case .rating: key = .rating
    case .plays: key = .plays
    case .skips: key = .skips
    case .played: key = .played
    case .random(let seed): return .random(seed: seed)
    }
    return .key(LibraryOrder(key, isDescending: isDescending))
  }

  /// Returns the number of the first of `rows`, all rows of the list, whose name begins with `letter`.
  func position(of letter: Character, in rows: [ListRow]) -> Int? {
    let wanted = String(letter).foldedForMatching
    return rows.firstIndex { $0.title.foldedForMatching.hasPrefix(wanted) }
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

  init(_ target: ListTarget, _ track: Track, detail: String = "") {
    self.init(
      target, title: track.title, artist: track.artistCredit, album: track.album ?? "",
      detail: detail, duration: track.duration)
    year = track.date?.year
    disc = track.disc?.number
  }

  fileprivate init(_ entry: TrackEntry) { self.init(.track(id: entry.id, PathText(entry.track.path)), entry.track) }

  fileprivate init(_ track: BrowsedTrack) { self.init(.track(id: track.id, PathText(track.track.path)), track.track) }

  fileprivate init(_ entry: AlbumEntry) {
    self.init(
      .album(entry.id), title: entry.title, artist: entry.artist ?? "", detail: entry.date.map { "\($0.year)" } ?? "",
      duration: entry.duration)
    year = entry.date?.year
  }

  fileprivate init(_ target: ListTarget, _ entry: NameEntry) {
    self.init(
      target, title: entry.name,
      detail: Self.count(entry.albumCount, "album") + ", " + Self.count(entry.trackCount, "track"))
  }
}
