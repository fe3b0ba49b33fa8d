// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform

/// Queries a library, and prints a line for each query: kind, query, the median, longest and shortest time in
/// milliseconds, and the number of results.
struct QueryBenchmarks {
  private static let pageSize = 50

  let library: IndexedLibrary
  let runs: Int
  /// Text that the kind and the name of a query must contain for the query to be measured; `nil` to measure all.
  let nameFilter: String?

  func run() throws {
    guard let today = ReleaseDate(year: 2026, month: 1, day: 1) else { return }
    let parser = LibraryQueryParser(today: today)
    for text in BenchmarkQueries.queries {
      try measureTracks(text, parser.parse(text), LibraryOrder())
      try measureAlbums(text, parser.parse(text), LibraryOrder())
    }
    for key in LibraryOrder.Key.allCases {
      for isDescending in [false, true] {
        let order = LibraryOrder(key, isDescending: isDescending)
        for text in BenchmarkQueries.orderedQueries {
          let name = "\(text) by \(key)\(isDescending ? ", descending" : "")"
          try measureTracks(name, parser.parse(text), order)
          try measureAlbums(name, parser.parse(text), order)
        }
      }
    }
    for text in BenchmarkQueries.nameQueries {
      let query = try parser.parse(text)
      let page = LibraryPage<NameEntry>.Window(limit: Self.pageSize)
      try measure("artists", text) { try library.artists(query, window: page).elements.count }
      try measure("genres", text) { try library.genres(query, window: page).elements.count }
    }
    try measureTyped(BenchmarkQueries.typed, among: .everything, "")
    try measureTyped(["the blue", "miro"], among: parser.parse("genre:jazz"), " among jazz")
  }

  /// Measures the lists of a full screen in the orders and with the filters that no listing above has: the IDs of all
  /// rows, and a page of them. Then, all tracks as they are queued.
  func runLists() throws {
    let orders: [(String, RowOrder)] = [
      ("rating", .key(LibraryOrder(.rating, isDescending: true))),
      ("plays", .key(LibraryOrder(.plays, isDescending: true))), ("random", .random(seed: 1)),
    ]
    for listing in [LibraryListing.tracks, .albums, .artists] {
      for (name, order) in orders { try measureList("\(listing) by \(name)", listing, "", order) }
      for filter in BenchmarkQueries.listFilters {
        try measureList("\(listing) with \(filter)", listing, filter, .key(LibraryOrder(.title)))
      }
    }
    try measure("list", "queue of all tracks") {
      let tracks = try library.browse { browser in
        let ids = try browser.ids(of: .tracks, matching: .everything, order: .key(LibraryOrder(.title)))
        return TrackList(
          joining: try stride(from: 0, to: ids.count, by: 1_024).map { start in
            TrackList(try browser.tracks(ids[start..<min(start + 1_024, ids.count)]).lazy.map(\.track))
          })
      }
      return tracks?.count ?? 0
    }
  }

  private func measureList(_ name: String, _ listing: LibraryListing, _ filter: String, _ order: RowOrder) throws {
    try measure("list", name) {
      try library.browse { browser in
        let ids = try browser.ids(of: listing, matching: .everything, filter: RowFilter(filter), order: order)
        let page = Array(ids.prefix(Self.pageSize))
        switch listing {
        case .tracks: for track in try browser.tracks(page) { _ = try browser.marks(ofTrack: track.id) }
        case .albums: for album in try browser.albums(page) { _ = try browser.marks(ofAlbum: album.id) }
        case .artists: _ = try browser.artists(page)
        case .genres: _ = try browser.genres(page)
        }
        return ids.count
      } ?? 0
    }
  }

  private func measureTracks(_ name: String, _ query: LibraryQuery, _ order: LibraryOrder) throws {
    try measure("tracks", name) {
      try library.tracks(query, order: order, window: .init(limit: Self.pageSize)).elements.count
    }
  }

  private func measureAlbums(_ name: String, _ query: LibraryQuery, _ order: LibraryOrder) throws {
    try measure("albums", name) {
      try library.albums(query, order: order, window: .init(limit: Self.pageSize)).elements.count
    }
  }

  private func measureTyped(_ texts: [String], among query: LibraryQuery, _ suffix: String) throws {
    for text in texts {
      for end in text.indices {
        let prefix = String(text[...end])
        try measure("search", prefix + suffix) { try library.search(prefix, among: query, limit: 20).count }
      }
    }
  }

  /// Measures a query. The first run counts, too, because users do not repeat queries.
  private func measure(_ kind: String, _ name: String, _ body: () throws -> Int) throws {
    if let nameFilter, !"\(kind) \(name)".contains(nameFilter) { return }
    var times: [UInt64] = []
    var count = 0
    for _ in 0..<runs {
      let start = MonotonicInstant.now
      count = try body()
      times.append(MonotonicInstant.now.nanoseconds - start.nanoseconds)
    }
    times.sort()
    let figures = [times[times.count / 2], times[times.count - 1], times[0]].map { milliseconds($0) }
    print(([kind, name] + figures + ["\(count)"]).joined(separator: "\t"))
  }

  private func milliseconds(_ nanoseconds: UInt64) -> String { "\(Double(nanoseconds / 1_000) / 1_000)" }
}
