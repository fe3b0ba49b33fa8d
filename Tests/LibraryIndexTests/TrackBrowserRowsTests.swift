// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import TestSupport
import Testing
import UnicodeText

@testable import LibraryIndex

/// The rows of listings, narrowed and ordered, compared with those of a naive search.
@Suite struct TrackBrowserRowsTests {
  private let sample: SampleIndex

  init() throws {
    var sample = try SampleIndex()
    try sample.addAlbums(90, seed: 17)
    try sample.add("Back in Black", by: "AC/DC", ["Hells Bells", "Don't"], genre: "Rock")
    try sample.database.write { try JoinedWords($0).fill() }
    self.sample = sample
  }

  private func ids(
    _ listing: LibraryListing, _ query: LibraryQuery = .everything, _ filter: String = "",
    _ order: RowOrder, _ libraries: [Int64] = [1]
  ) throws -> [Int64] {
    try sample.database.read { database in
      try TrackBrowser(database, libraries: .sample(libraries))
        .ids(of: listing, matching: query, filter: RowFilter(filter), order: order)
    }
  }

  private func rate(_ values: [Int64: Int], as name: String = Sticker.rating) throws {
    try sample.database.write { database in
      for (track, value) in values {
        try database.execute(sql: StickerTable.insertion, arguments: [track, name, "\(value)"])
      }
    }
  }

  private static let filters = ["b", "blu tra", "liv", "夜", "etu", "RED wine", "acd", "dont", "ac/dc", "%", "no such"]

  @Test(arguments: filters, [[1], [1, 2]] as [[Int64]])
  func `A filter leaves the rows that show its words, and no others`(text: String, libraries: [Int64]) throws {
    let filter = try #require(RowFilter(text))
    let naive = NaiveReader(sample: sample, libraries: Set(libraries))
    for query in [.everything, .text(.genre, TextPattern("blue"))] as [LibraryQuery] {
      for order in [LibraryOrder(.title), LibraryOrder(.year, isDescending: true)] {
        let tracks = naive.tracks(query, order).filter { id in
          let track = sample.tracks[Int(id - 1)]
          return filter.matches([track.title, naive.album(track).title] + track.artists)
        }
        #expect(try ids(.tracks, query, text, .key(order), libraries) == tracks, "\(query) \(order)")
        let albums = naive.albums(query, order).filter { id in
          let album = sample.albums[Int(id - 1)]
          return filter.matches([album.title, album.artist ?? ""])
        }
        #expect(try ids(.albums, query, text, .key(order), libraries) == albums, "\(query) \(order)")
      }
    }
    let names = try sample.database.read { try Row.fetchAll($0, sql: "SELECT id, name FROM artist ORDER BY sort, id") }
    let all = try ids(.artists, .everything, "", .key(LibraryOrder()), libraries)
    let artists = names.filter { filter.matches([$0["name"]]) }.map { $0["id"] as Int64 }.filter { all.contains($0) }
    #expect(try ids(.artists, .everything, text, .key(LibraryOrder(.title)), libraries) == artists)
    let reversed = try ids(.artists, .everything, text, .key(LibraryOrder(.title, isDescending: true)), libraries)
    #expect(reversed == artists.reversed())
  }

  @Test func `A filter compares what is typed with the beginnings of words`() throws {
    for (text, row) in [
      ("acd", "AC/DC"), ("AC-DC", "ACDC"), ("bjo", "Björk"), ("dont", "Don't"), ("la tr", "Blue Train, Late"),
    ] {
      #expect(try #require(RowFilter(text)).matches(["x", row]), "\(text)")
    }
    for (text, row) in [("rain", "Train"), ("blue x", "Blue"), ("ac", "Jack")] {
      #expect(try !#require(RowFilter(text)).matches([row]), "\(text)")
    }
    #expect(RowFilter(" ") == nil && RowFilter("") == nil)
  }

  @Test(arguments: [[1], [1, 2]] as [[Int64]])
  func `Rated and played rows come in their order, and the others after them`(libraries: [Int64]) throws {
    let naive = NaiveReader(sample: sample, libraries: Set(libraries))
    let ratings = Dictionary(
      uniqueKeysWithValues: sample.tracks.filter { $0.id % 3 == 0 }.map { ($0.id, Int($0.id % 10) + 1) })
    let plays = Dictionary(
      uniqueKeysWithValues: sample.tracks.filter { $0.id % 2 == 0 }.map { ($0.id, Int($0.id % 7) + 1) })
    try sample.database.write { try $0.execute(sql: "DELETE FROM sticker") }
    try rate(ratings)
    try rate(plays, as: Sticker.playCount)
    try rate([sample.tracks[0].id: 0, sample.tracks[1].id: 77])
    func sorted(_ ids: [Int64], _ value: (Int64) -> Double?, _ isDescending: Bool) -> [Int64] {
      let valued = ids.enumerated().filter { value($0.element) != nil }.sorted { left, right in
        guard let one = value(left.element), let other = value(right.element), one != other else {
          return left.offset < right.offset
        }
        return (one < other) != isDescending
      }
      return valued.map(\.element) + ids.filter { value($0) == nil }
    }
    func tracks(_ album: Int64) -> [Int64] { sample.tracks.filter { $0.album == album }.map(\.id) }
    for isDescending in [false, true] {
      let titles = naive.tracks(.everything, LibraryOrder(.title))
      #expect(
        try ids(.tracks, .everything, "", .key(LibraryOrder(.rating, isDescending: isDescending)), libraries)
          == sorted(titles, { ratings[$0].map(Double.init) }, isDescending))
      let albums = naive.albums(.everything, LibraryOrder(.artist))
      let average = { (album: Int64) -> Double? in
        let values = tracks(album).compactMap { ratings[$0] }
        return values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
      }
      #expect(
        try ids(.albums, .everything, "", .key(LibraryOrder(.rating, isDescending: isDescending)), libraries)
          == sorted(albums, average, isDescending))
      let sum = { (album: Int64) -> Double? in
        let values = tracks(album).compactMap { plays[$0] }
        return values.isEmpty ? nil : Double(values.reduce(0, +))
      }
      #expect(
        try ids(.albums, .everything, "", .key(LibraryOrder(.plays, isDescending: isDescending)), libraries)
          == sorted(albums, sum, isDescending))
      let artists = try ids(.artists, .everything, "", .key(LibraryOrder()), libraries)
      let names = try sample.database.read { try Row.fetchAll($0, sql: "SELECT id, key FROM artist") }
      let keys = Dictionary(uniqueKeysWithValues: names.map { ($0["id"] as Int64, $0["key"] as String) })
      let sumOfArtist = { (artist: Int64) -> Double? in
        let values = sample.tracks.filter { track in
          libraries.contains(track.library)
            && (track.artists + track.albumArtists).contains { $0.searchWords == keys[artist] }
        }.compactMap { plays[$0.id] }
        return values.isEmpty ? nil : Double(values.reduce(0, +))
      }
      #expect(
        try ids(.artists, .everything, "", .key(LibraryOrder(.plays, isDescending: isDescending)), libraries)
          == sorted(artists, sumOfArtist, isDescending))
    }
  }

  @Test func `A random order has all rows, depends on its seed, and does not change with a filter`() throws {
    let sorted = try ids(.tracks, .everything, "", .key(LibraryOrder(.title)))
    let (one, other) = (
      try ids(.tracks, .everything, "", .random(seed: 1)), try ids(.tracks, .everything, "", .random(seed: 2))
    )
    #expect(one != other && one != sorted && one.sorted() == sorted.sorted() && other.sorted() == sorted.sorted())
    #expect(try ids(.tracks, .everything, "", .random(seed: 1)) == one)
    let blue = try Set(ids(.tracks, .everything, "blue", .key(LibraryOrder(.title))))
    #expect(!blue.isEmpty && blue.count < one.count)
    #expect(try ids(.tracks, .everything, "blue", .random(seed: 1)) == one.filter { blue.contains($0) })
  }

  @Test func `A letter is found in every order`() throws {
    try sample.database.read { database in
      let browser = TrackBrowser(database, libraries: .sample([1]))
      func position(_ letter: Character, _ listing: LibraryListing, _ order: RowOrder) throws -> (Int?, [Int64]) {
        let ids = try browser.ids(of: listing, matching: .everything, order: order)
        return (try browser.position(of: letter, among: ids, of: listing, order), ids)
      }
      func title(_ id: Int64) -> String { sample.tracks[Int(id - 1)].title.foldedForMatching }
      for letter in "blrz" {
        let (found, ids) = try position(letter, .tracks, .key(LibraryOrder(.title, isDescending: true)))
        #expect(found == ids.firstIndex { title($0).prefix(1) <= String(letter) })
        let (other, randomIDs) = try position(letter, .tracks, .random(seed: 3))
        #expect(other == randomIDs.firstIndex { title($0).hasPrefix(String(letter)) })
      }
    }
  }

  @Test func `What is known of tracks and albums is read with them, and values that are none are left out`() throws {
    let tracks = sample.tracks.filter { $0.album == 2 }
    let id = tracks[0].id
    try sample.database.write { try $0.execute(sql: "DELETE FROM sticker") }
    try rate([id: 7])
    try rate([id: 3], as: Sticker.playCount)
    let (track, album, missing) = try sample.database.read { database in
      let browser = TrackBrowser(database, libraries: .sample([1]))
      return (try browser.marks(ofTrack: id), try browser.marks(ofAlbum: 2), try browser.marks(ofTrack: 99_999))
    }
    var expected = RowMarks(added: tracks[0].added)
    (expected.rating, expected.plays) = (7, 3)
    #expect(track == expected && missing == nil)
    expected.added = tracks.map(\.added).min() ?? 0
    #expect(album == expected)
    // The rating of an album is its own, if it has one; that of a track never is.
    try rate([id: 9], as: Sticker.albumRating)
    let (rated, own) = try sample.database.read { database in
      let browser = TrackBrowser(database, libraries: .sample([1]))
      return (try browser.marks(ofAlbum: 2)?.rating, try browser.marks(ofTrack: id)?.rating)
    }
    #expect(rated == 9 && own == 7)
    try sample.database.write { database in
      try database.execute(sql: "UPDATE sticker SET value = 'x' WHERE track = ?", arguments: [id])
    }
    let damaged = try sample.database.read { try TrackBrowser($0, libraries: .sample([1])).marks(ofTrack: id) }
    #expect(damaged == RowMarks(added: tracks[0].added))
  }

  @Test func `The origin of a track has the names of artists as they are listed`() throws {
    let track = try #require(sample.tracks.last)
    let origin = try sample.database.read { try TrackBrowser($0, libraries: .sample([1])).origin(ofTrack: track.id) }
    let found = try #require(origin)
    #expect(found.album == track.album && found.title == "Back in Black")
    #expect(found.artists == ["AC/DC"] && found.albumArtists == ["AC/DC"])
  }
}
