// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import TestSupport
import Testing

@testable import LibraryIndex

/// Completion and search give the same results in two libraries as in one library with all tracks.
@Suite struct SeveralLibrariesTests {
  private let single: IndexReader
  private let split: IndexReader
  private let samples: [SampleIndex]

  init() throws {
    var samples: [SampleIndex] = []
    for _ in 0..<2 {
      var sample = try SampleIndex()
      try sample.add("Blue Train", by: "John Coltrane", ["Blue Train", "Locomotion"], genre: "Jazz")
      try sample.add("Blue", by: "Joni Mitchell", ["Carey"], genre: "Folk")
      try sample.add("Blue", by: "Third Eye Blind", ["Anything", "Blue Train"], genre: "Rock")
      try sample.add("Kind of Blue", by: "Miles Davis", ["So What"], genre: "Jazz")
      try sample.add("Coltrane", by: "John Coltrane", ["Out of This World"], genre: "Jazz")
      try sample.add("夜曲", by: "夜の人", ["夜"], genre: "Acid Jazz")
      samples.append(sample)
    }
    // Move half of the albums to the second library, so that both have tracks of the same artists and genres.
    try samples[1].database.write { database in
      try database.execute(
        sql: """
          INSERT INTO directory (library, path, mtime) VALUES (2, x'', 0);
          UPDATE album SET library = 2 WHERE id % 2 = 0;
          UPDATE track SET library = 2, directory = (SELECT id FROM directory WHERE library = 2) WHERE album % 2 = 0;
          """)
    }
    for sample in samples {
      try sample.database.write { database in
        try database.execute(
          sql:
            "UPDATE track SET year = 1957 WHERE album < 3; UPDATE track SET year = 1971, format = 'ogg' WHERE album = 4"
        )
      }
    }
    single = IndexReader(database: samples[0].database, libraries: LibraryScope(1))
    split = IndexReader(database: samples[1].database, libraries: .sample([1, 2]))
    self.samples = samples
  }

  private static let texts = [
    "", "b", "blue", "blue t", "BLUE TRAIN", "o", "夜", "joni", "joni mitchell/b", "coltrane",
    "john coltrane/", "zzz", "j",
    "jazz", "col", "kind of", "carey",
  ]

  @Test(arguments: texts) func `Completions are the same as in one library`(text: String) throws {
    for query in [LibraryQuery.everything, .text(.genre, TextPattern("jazz"))] {
      func albums(_ reader: IndexReader) throws -> [CompletedAlbum] {
        try AlbumCompletion(reader: reader, query: query, limit: 20).albums(text)
      }
      #expect(try albums(split) == albums(single))
      func names(_ reader: IndexReader) throws -> [[String]] {
        let completion = NameCompletion(reader: reader, query: query, limit: 20)
        return try [
          completion.names(.artists, text), completion.names(.genres, text), completion.formats(),
          completion.decades().map { "\($0)" },
        ]
      }
      #expect(try names(split) == names(single))
    }
  }

  @Test(arguments: texts) func `A search finds the same as in one library`(text: String) throws {
    for query in [LibraryQuery.everything, .text(.genre, TextPattern("jazz"))] {
      let (found, expected) = try (
        split.search(text, among: query, limit: 20), single.search(text, among: query, limit: 20)
      )
      #expect(found.map(Self.summary) == expected.map(Self.summary))
    }
  }

  @Test(arguments: texts) func `An album is found by name as in one library`(text: String) throws {
    func find(_ reader: IndexReader) throws -> Match<AlbumName> {
      try reader.database.read {
        try AlbumLookup(database: $0, libraries: reader.libraries).find(text)
      }
    }
    #expect(try find(split) == find(single))
  }

  @Test func `Each album is read with its tracks, in whichever library it is`() throws {
    for id in Int64(1)...6 {
      #expect(try split.album(id)?.tracks.map(\.title) == single.album(id)?.tracks.map(\.title))
    }
    let secondOnly = IndexReader(database: samples[1].database, libraries: LibraryScope(2))
    #expect(try secondOnly.album(1) == nil && secondOnly.album(2) != nil)
  }

  /// Returns a description of a hit, with the counts of an artist.
  private static func summary(of hit: SearchHit) -> String {
    switch hit {
    case .artist(let artist): "artist \(artist.name) \(artist.albumCount) \(artist.trackCount)"
    case .album(let album): "album \(album.id)"
    case .track(let track): "track \(track.id)"
    }
  }
}

@Suite struct MergedListingTests {
  @Test func `The requested number of lowest ids is dropped, however they are spread over the lists`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let listCount = Int.random(in: 1...5, using: &random)
      var lists: [ArraySlice<Int64>] = Array(repeating: [], count: listCount)
      let total = Int64.random(in: 0...40, using: &random)
      // The bias makes some lists short, and some begin late.
      let bias = Int.random(in: 1...listCount, using: &random)
      for id in 0..<total {
        let range = Bool.random(using: &random) ? 0..<bias : 0..<listCount
        lists[Int.random(in: range, using: &random)].append(id)
      }
      let count = Int.random(in: 0...45, using: &random)
      var callCount = 0
      MergedListing.drop(count, of: &lists) { ids in
        callCount += 1
        return ids.min()
      }
      #expect(lists.flatMap { $0 }.sorted() == Array(0..<total).dropFirst(count).map { $0 })
      #expect(callCount <= 30)
    }
  }

  @Test func `Few comparisons are needed for long lists`() {
    var lists: [ArraySlice<Int64>] = (0..<2).map { list in (0..<50_000).map { Int64($0 * 2 + list) }[...] }
    var callCount = 0
    MergedListing.drop(99_000, of: &lists) { ids in
      callCount += 1
      return ids.min()
    }
    #expect(lists.flatMap { $0 }.min() == 99_000 && lists.map(\.count).reduce(0, +) == 1_000)
    #expect(callCount < 40)
  }
}
