// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import SystemPackage
import Tagging
import TestSupport
import Testing
import UnicodeText

@testable import LibraryIndex

/// Compares the results of the index with those of a naive search. `SEGUE_FUZZ_CASES=1000` compares more queries.
@Suite struct IndexReaderTests {
  let sample: SampleIndex
  let naive: NaiveReader

  init() throws {
    var sample = try SampleIndex()
    try sample.addAlbums(90, seed: 11)
    self.sample = sample
    naive = NaiveReader(sample: sample, libraries: [1])
  }

  /// Thresholds that force each way of reading, regardless of sizes.
  static let thresholdSets: [QueryThresholds] = [
    QueryThresholds(),
    QueryThresholds(smallCount: 0, missLimit: 0, missesPerHit: 0, stepsPerTrack: 0, valuesPerLookup: 0),
    QueryThresholds(smallCount: 10, missLimit: 0, missesPerHit: 0, stepsPerTrack: 1_000),
    QueryThresholds(
      smallCount: 40, missLimit: 5, adjacencyFactor: 1, missesPerHit: 2, stepsPerTrack: 1, commonCount: 10,
      valuesPerLookup: 1_000_000),
    QueryThresholds(smallCount: 1_000, missLimit: 0, missesPerHit: 0, stepsPerTrack: 0),
  ]

  private func reader(
    _ thresholds: QueryThresholds = QueryThresholds(), _ libraries: [Int64] = [1]
  ) -> IndexReader {
    IndexReader(database: sample.database, libraries: .sample(libraries), thresholds: thresholds)
  }

  @Test(arguments: [[1], [2], [1, 2]] as [[Int64]])
  func `The number of rows of a listing is that of its rows`(libraries: [Int64]) throws {
    var random = SeededGenerator(seed: 31)
    let reader = reader(QueryThresholds(), libraries)
    let naive = NaiveReader(sample: sample, libraries: Set(libraries))
    for query in [.everything] + (0..<5).map({ _ in LibraryQuery.random(using: &random, depth: 2) }) {
      #expect(try reader.count(of: .tracks, matching: query) == naive.tracks(query, LibraryOrder()).count, "\(query)")
      #expect(try reader.count(of: .albums, matching: query) == naive.albums(query, LibraryOrder()).count, "\(query)")
      let artists = try reader.artists(query, window: .init(limit: 10_000)).elements.count
      #expect(try reader.count(of: .artists, matching: query) == artists, "\(query)")
    }
  }

  private func position(
    of letter: Character, _ listing: LibraryListing, _ query: LibraryQuery, _ key: LibraryOrder.Key,
    _ libraries: [Int64]
  ) throws -> Int? {
    try sample.database.read { database in
      let (browser, order) = (TrackBrowser(database, libraries: .sample(libraries)), RowOrder.key(LibraryOrder(key)))
      let ids = try browser.ids(of: listing, matching: query, order: order)
      return try browser.position(of: letter, among: ids, of: listing, order)
    }
  }

  @Test(arguments: [[1], [1, 2]] as [[Int64]])
  func `The position of a letter is that of the first name that does not come before it`(libraries: [Int64]) throws {
    var random = SeededGenerator(seed: 32)
    let naive = NaiveReader(sample: sample, libraries: Set(libraries))
    for query in [.everything] + (0..<5).map({ _ in LibraryQuery.random(using: &random, depth: 2) }) {
      let titles = naive.tracks(query, LibraryOrder(.title))
        .map { sample.tracks[Int($0 - 1)].title.foldedForMatching }
      let albums = naive.albums(query, LibraryOrder(.artist))
        .map { SampleIndex.sortKey(of: sample.albums[Int($0 - 1)]) }
      for letter in "Amz" {
        let folded = String(letter).foldedForMatching
        #expect(
          try position(of: letter, .tracks, query, .title, libraries) == titles.firstIndex { $0 >= folded },
          "\(letter) in tracks, \(query)")
        #expect(
          try position(of: letter, .albums, query, .artist, libraries) == albums.firstIndex { $0 >= folded },
          "\(letter) in albums, \(query)")
      }
    }
  }

  @Test(arguments: thresholdSets.indices, [[1], [1, 2], [2, 1]] as [[Int64]])
  func `Every query returns what a naive search finds, in every order, page by page`(
    index: Int, libraries: [Int64]
  ) throws {
    var random = SeededGenerator(seed: 20 + UInt64(index))
    let reader = reader(Self.thresholdSets[index], libraries)
    let naive = NaiveReader(sample: sample, libraries: Set(libraries))
    for _ in 0..<FuzzRun.count(standard: 20) {
      let query = LibraryQuery.random(using: &random, depth: 3)
      let order = LibraryOrder(
        LibraryOrder.Key.allCases.randomElement(using: &random) ?? .album,
        isDescending: Bool.random(using: &random))
      let offset = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 0...60, using: &random) : 0
      let limit = Int.random(in: 0...4, using: &random) == 0 ? nil : Int.random(in: 0...50, using: &random)
      let tracks = naive.tracks(query, order)
      let page = try reader.tracks(query, order: order, window: .init(offset: offset, limit: limit))
      #expect(
        page.elements.map(\.id) == Array(tracks.dropFirst(offset).prefix(limit ?? .max)),
        "\(query) by \(order)")
      #expect(page.hasMore == (limit.map { tracks.count > offset + $0 } ?? false), "\(query)")
      let albums = naive.albums(query, order)
      let albumPage = try reader.albums(query, order: order, window: .init(offset: offset, limit: limit))
      #expect(
        albumPage.elements.map(\.id) == Array(albums.dropFirst(offset).prefix(limit ?? .max)),
        "albums \(query) by \(order)")
      #expect(albumPage.hasMore == (limit.map { albums.count > offset + $0 } ?? false), "\(query)")
    }
  }

  @Test(arguments: thresholdSets.indices, [[1], [1, 2], [2, 1]] as [[Int64]])
  func `A query returns the artists and genres of its tracks, with their full counts`(
    index: Int, libraries: [Int64]
  ) throws {
    var random = SeededGenerator(seed: 40 + UInt64(index))
    let reader = reader(Self.thresholdSets[index], libraries)
    let libraryTracks = sample.tracks.filter { libraries.contains($0.library) }
    func entries(
      _ query: LibraryQuery, _ names: (SampleIndex.Track) -> [String]
    ) -> [NameEntry] {
      let found = Set(libraryTracks.filter { naive.matches($0, query) }.flatMap(names))
      let sorted = found.sorted {
        $0.foldedForMatching.utf8.lexicographicallyPrecedes($1.foldedForMatching.utf8)
      }
      return sorted.map { name in
        let tracks = libraryTracks.filter { names($0).contains(name) }
        return NameEntry(
          name: name, albumCount: Set(tracks.map(\.album)).count, trackCount: tracks.count)
      }
    }
    for _ in 0..<FuzzRun.count(standard: 10) {
      let query = LibraryQuery.random(using: &random, depth: 3)
      let artists = entries(query) { $0.artists + $0.albumArtists }
      #expect(try reader.artists(query, window: .init()).elements == artists, "\(query)")
      let page = try reader.artists(query, window: .init(offset: 1, limit: 2))
      #expect(
        page == LibraryPage(Array(artists.dropFirst().prefix(2)), hasMore: artists.count > 3), "\(query)")
      #expect(try reader.genres(query, window: .init()).elements == entries(query) { $0.genres }, "\(query)")
    }
  }

  @Test func `An index narrows a query for any field`() throws {
    let numbers = LibraryQuery.NumberField.allCases.map { LibraryQuery.number($0, QueryRange(from: 3, to: 3)) }
    let texts = LibraryQuery.TextField.allCases.map { LibraryQuery.text($0, TextPattern("blue")) }
    try sample.database.read { database in
      let narrower = QueryNarrower(
        database: database, library: 1, days: LocalDays(database: database), thresholds: QueryThresholds())
      for query in numbers + texts {
        let candidates = try narrower.candidates(for: query)
        #expect(!candidates.isUnknown, "\(query)")
      }
    }
  }

  @Test func `A track is read with every column of its row`() throws {
    let stored = try #require(
      sample.tracks.first { $0.library == 1 && $0.artists.count == 2 && !$0.directory.isEmpty })
    let page = try reader().tracks(.everything, order: LibraryOrder(), window: .init())
    let entry = try #require(page.elements.first { $0.id == stored.id })
    var track = Track(path: FilePath("/music1/\(stored.directory)/\(stored.name)"), title: stored.title)
    track.artists = stored.artists
    track.album = naive.album(stored).title
    track.albumArtists = stored.albumArtists
    track.genres = stored.genres
    track.composers = stored.composers
    track.number = stored.number.map { Ordinal($0) }
    track.date = stored.year.flatMap { ReleaseDate(year: $0) }
    track.duration = stored.duration.map { .milliseconds($0) }
    track.audio = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: stored.bits)
    if let tags = stored.tags { track.additionalTags = AdditionalTags(json: tags) }
    #expect(entry == TrackEntry(id: stored.id, track: track, albumID: stored.album, added: stored.added))
  }

  @Test func `An album is read with its tracks in playing order, but not from another library`() throws {
    for album in sample.albums {
      let found = try reader().album(album.id)
      #expect(found?.title == (album.library == 1 ? album.title : nil))
      guard let found else { continue }
      let names = sample.tracks.filter { $0.album == album.id }.map(\.name)
      #expect(found.tracks.map { $0.path.lastComponent?.string } == names)
      #expect(found.artist == album.artist && found.date?.year == album.year)
    }
    #expect(try reader().album(100_000) == nil)
  }

  @Test func `Problems are sorted by path`() throws {
    try sample.database.write { database in
      for (library, path) in [(1, "b.mp3"), (1, "a/x.mp3"), (2, "c.mp3")] {
        try database.execute(
          sql:
            "INSERT INTO problem (library, path, reason, size, mtime, inode, device) VALUES (?, ?, 'no', 0, 0, 0, 0)",
          arguments: [library, path.databaseValue])
      }
    }
    let problems = [
      ProblemEntry(path: "/music1/a/x.mp3", reason: "no"), ProblemEntry(path: "/music1/b.mp3", reason: "no"),
    ]
    #expect(try reader().problems(window: .init()) == LibraryPage(problems))
    #expect(try reader().problems(window: .init(limit: 1)) == LibraryPage([problems[0]], hasMore: true))
    #expect(try reader().problems(window: .init(offset: 1, limit: 1)) == LibraryPage([problems[1]]))
    let other = ProblemEntry(path: "/music2/c.mp3", reason: "no")
    let both = reader(QueryThresholds(), [1, 2])
    #expect(try both.problems(window: .init()) == LibraryPage(problems + [other]))
    #expect(try both.problems(window: .init(offset: 2, limit: 1)) == LibraryPage([other]))
  }

  @Test(arguments: [
    "'", "\"", "\u{0}", "%", "*", "a* OR b", "title:", "NEAR(a b)", "'); DROP TABLE track; --", "\u{FFFD}",
    "-", "^blue", "{title} : x",
  ])
  func `Text that looks like SQL or a search expression is matched literally`(text: String) throws {
    var thresholdIndex = 0
    for kind in [TextPattern.Kind.beginning, .words, .exact] {
      for field in LibraryQuery.TextField.allCases where field != .path && field != .format {
        let query = LibraryQuery.text(field, TextPattern(text, kind: kind))
        let expected = naive.tracks(query, LibraryOrder())
        thresholdIndex = thresholdIndex % (Self.thresholdSets.count - 1) + 1
        for thresholds in [Self.thresholdSets[0], Self.thresholdSets[thresholdIndex]] {
          let page = try reader(thresholds).tracks(query, order: LibraryOrder(), window: .init())
          #expect(page.elements.map(\.id) == expected)
        }
      }
    }
    _ = try reader().search(text, among: .everything, limit: 20)
  }

  @Test func `Long and deeply nested queries are answered`() throws {
    var sample = try SampleIndex()
    try sample.addAlbums(5, seed: 12)
    let naive = NaiveReader(sample: sample, libraries: [1])
    let text = (0..<60).map { "blue -x\($0) or (a year:\(1957 + $0)) " }.joined()
    let parser = LibraryQueryParser(today: try #require(ReleaseDate(year: 2026, month: 1, day: 1)))
    let deep = String(repeating: "blue -(train or ", count: 20) + "x" + String(repeating: ")", count: 20)
    for text in [
      text, deep, String(repeating: "q ", count: 250), String(repeating: "q or ", count: 250) + "blue",
    ] {
      let query = try parser.parse(text)
      let expected = naive.tracks(query, LibraryOrder())
      for thresholds in [Self.thresholdSets[0], Self.thresholdSets[1]] {
        let reader = IndexReader(database: sample.database, libraries: LibraryScope(1), thresholds: thresholds)
        let page = try reader.tracks(query, order: LibraryOrder(), window: .init())
        #expect(page.elements.map(\.id) == expected)
      }
    }
    let huge = LibraryQuery.text(.anywhere, TextPattern(String(repeating: "a ", count: 60_000)))
    #expect(try reader().tracks(huge, order: LibraryOrder(), window: .init()).elements == [])
    #expect(try reader().search(String(repeating: "a", count: 100_000), among: .everything, limit: 5) == [])
  }
}

extension LibraryQuery {
  /// Returns a random query that may match something in a ``SampleIndex``.
  static func random(using random: inout SeededGenerator, depth: Int) -> LibraryQuery {
    switch Int.random(in: 0...(depth > 0 ? 8 : 4), using: &random) {
    case 0, 1, 2:
      let texts = [
        "blue", "bl", "b", "live", "blue tra", "train", "夜", "etude", "!!!", "jazz", "hard bop", "red",
        "red wine", "%", "or b", "\"x\"", "曲", "the", "\u{301}",
      ]
      let paths = ["Jazz", "Jazz/", "Jazz/Blue", "1", "Ro%k/", "Jaz", "Jazz/Blue/4", "12-0.flac", "/Jazz"]
      let field = TextField.allCases.randomElement(using: &random) ?? .title
      let candidates = field == .path ? paths : field == .format ? ["flac", "mp3", "m"] : texts
      let kinds: [TextPattern.Kind] = field == .path ? [.beginning, .exact] : [.beginning, .words, .exact]
      return .text(
        field,
        TextPattern(
          candidates.randomElement(using: &random) ?? "", kind: kinds.randomElement(using: &random) ?? .words))
    case 3:
      let field = NumberField.allCases.randomElement(using: &random) ?? .year
      let range: ClosedRange<Int> =
        switch field {
        case .year: 1950...1970
        case .duration: 90...410
        case .bits: 15...25
        case .liked: -1...2
        default: 0...6
        }
      func bound() -> Int? {
        Int.random(in: 0...3, using: &random) == 0 ? nil : Int.random(in: range, using: &random)
      }
      return .number(field, QueryRange(from: bound(), to: bound()))
    case 4:
      func date() -> ReleaseDate? {
        Bool.random(using: &random)
          ? ReleaseDate(year: 2026, month: 1, day: Int.random(in: 1...12, using: &random)) : nil
      }
      return Int.random(in: 0...5, using: &random) == 0
        ? .everything
        : .date(DateField.allCases.randomElement(using: &random) ?? .added, QueryRange(from: date(), to: date()))
    case 5 where Bool.random(using: &random):
      let step = Int64.random(in: 1...40, using: &random)
      return .tracks((0..<Int64.random(in: 0...50, using: &random)).map { $0 * step })
    case 5: return .not(.random(using: &random, depth: depth - 1))
    default:
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        LibraryQuery.random(using: &random, depth: depth - 1)
      }
      return Bool.random(using: &random) ? .all(parts) : .any(parts)
    }
  }
}

@Suite struct ListingOrderTests {
  @Test(arguments: LibraryOrder.Key.allCases, [false, true])
  func `A page is read through an index, without sorting or scanning a table`(
    key: LibraryOrder.Key, isDescending: Bool
  ) throws {
    let sample = try SampleIndex()
    for item in [ListingOrder.Item.tracks, .albums] {
      let order = ListingOrder(LibraryOrder(key, isDescending: isDescending), of: item)
      var statements = order.segments.map { $0.selection("track.id") }
      statements += order.segments.map {
        $0.selection(
          "track.id", joining: " CROSS JOIN words ON words.id = track.id",
          where: "instr(words.title, ' a ') > 0")
      }
      statements += order.albumSegments.map { $0.selection("album.id") }
      for sql in statements {
        let plan = try sample.database.read { database in
          try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: [1]).map {
            $0["detail"] as String
          }
        }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(sql): \(plan)")
        #expect(plan.first?.contains(" INDEX ") == true, "\(sql): \(plan)")
      }
      #expect(
        order.segments.allSatisfy { $0.selection("track.id").contains("INDEXED BY") })
    }
  }
}
