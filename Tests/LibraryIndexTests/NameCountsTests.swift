// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Testing

@testable import LibraryIndex

@Suite struct NameCountsTests {
  @Test func `Cached counts equal computed ones, and are used until they are deleted`() throws {
    var sample = try SampleIndex()
    try sample.addAlbums(30, seed: 3)
    let reader = IndexReader(database: sample.database, libraries: LibraryScope(1))
    let artists = try reader.artists(.everything, window: .init())
    let genres = try reader.genres(.everything, window: .init())
    #expect(artists.elements.contains { $0.trackCount > $0.albumCount && $0.albumCount > 0 })
    try sample.database.write {
      try NameCounts.complete(nil, .artists, library: 1, minimumTrackCount: 1, $0)
      try NameCounts.complete(nil, .genres, library: 1, minimumTrackCount: 1, $0)
    }
    #expect(try reader.artists(.everything, window: .init()) == artists)
    #expect(try reader.genres(.everything, window: .init()) == genres)

    let first = try #require(artists.elements.first)
    let id = try sample.database.write { database in
      try database.execute(sql: "UPDATE name_count SET tracks = 999")
      return try #require(
        try Int64.fetchOne(database, sql: "SELECT id FROM artist WHERE name = ?", arguments: [first.name]))
    }
    #expect(try reader.artists(.everything, window: .init(limit: 1)).elements.first?.trackCount == 999)
    try sample.database.write { try NameCounts.invalidate([id], .artists, library: 1, $0) }
    #expect(try reader.artists(.everything, window: .init(limit: 1)).elements == [first])
  }
}
