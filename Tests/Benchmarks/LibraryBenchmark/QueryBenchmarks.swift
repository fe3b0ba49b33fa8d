// SPDX-License-Identifier: GPL-3.0-or-later

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
