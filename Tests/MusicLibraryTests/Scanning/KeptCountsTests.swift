import GRDB
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import Tagging

struct KeptCountsTests {
  private static func tags(_ artist: String, _ album: String, _ number: Int) -> [(String, String)] {
    [
      ("TITLE", "Title \(number)"), ("ARTIST", artist), ("ALBUM", album), ("GENRE", "Jazz"),
      ("TRACKNUMBER", "\(number)"),
    ]
  }

  @Test func `Counts that are kept are right after files came, went, and changed their album`() throws {
    let directory = try TemporaryDirectory()
    for number in 1...4 {
      try directory.write(SoundBytes.flac(Self.tags("A", "One", number)), to: "lib/one/\(number).flac")
      try directory.write(SoundBytes.flac(Self.tags("B", "Two", number)), to: "lib/two/\(number).flac")
    }
    let index = try LibraryIndex(directory: directory["data"])
    let library = IndexedLibrary(index: index, roots: LibraryRoots(directory["lib"]))
    func scan() throws { _ = try library.scan(progress: { _ in }, isCancelled: { false }) }
    func names() throws -> [NameEntry] {
      try library.artists(.everything, window: .init()).elements
        + library.genres(.everything, window: .init()).elements
    }
    func keep() throws {
      _ = try index.write { database in
        let library = try Int64.fetchOne(database, sql: "SELECT id FROM library") ?? 0
        for kind in [NameKind.artists, .genres] {
          try NameCounts.complete(nil, kind, library: library, fewest: 1, database)
        }
      }
    }
    func name(_ name: String, _ albums: Int, _ tracks: Int) -> NameEntry {
      NameEntry(name: name, albumCount: albums, trackCount: tracks)
    }
    try scan()
    try keep()
    #expect(try names() == [name("A", 1, 4), name("B", 1, 4), name("Jazz", 2, 8)])
    // One goes, one comes, and one is of another album and another artist now.
    directory.remove("lib/one/1.flac")
    try directory.write(SoundBytes.flac(Self.tags("B", "Two", 5)), to: "lib/two/5.flac")
    try directory.write(SoundBytes.flac(Self.tags("A", "Three", 1)), to: "lib/two/4.flac")
    try scan()
    #expect(try names() == [name("A", 2, 4), name("B", 1, 4), name("Jazz", 3, 8)])
    try keep()
    #expect(try names() == [name("A", 2, 4), name("B", 1, 4), name("Jazz", 3, 8)])
  }
}

@Suite struct NameCountsTests {
  @Test func `Counts that are kept are those that are counted, until they are forgotten`() throws {
    var sample = try SampleIndex()
    try sample.addAlbums(30, seed: 3)
    let reader = IndexReader(database: sample.database, libraries: LibraryScope(1))
    let artists = try reader.artists(.everything, window: .init())
    let genres = try reader.genres(.everything, window: .init())
    #expect(artists.elements.contains { $0.trackCount > $0.albumCount && $0.albumCount > 0 })
    try sample.database.write {
      try NameCounts.complete(nil, .artists, library: 1, fewest: 1, $0)
      try NameCounts.complete(nil, .genres, library: 1, fewest: 1, $0)
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
    try sample.database.write { try NameCounts.forget([id], .artists, library: 1, $0) }
    #expect(try reader.artists(.everything, window: .init(limit: 1)).elements == [first])
  }
}
