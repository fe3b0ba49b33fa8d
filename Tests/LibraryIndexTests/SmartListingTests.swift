// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import TestSupport
import Testing
import UnicodeText

@testable import LibraryIndex

/// The tracks of smart playlists, compared with those of a naive evaluation of the rules.
struct SmartListingTests {
  private let sample: SampleIndex
  private let naive: NaiveReader

  init() throws {
    var sample = try SampleIndex()
    try sample.addAlbums(60, seed: 23)
    self.sample = sample
    naive = NaiveReader(sample: sample, libraries: [1])
  }

  private func ids(_ playlist: SmartPlaylist, seed: UInt64 = 1) throws -> [Int64] {
    try sample.database.read {
      try TrackBrowser($0, libraries: .sample([1])).trackIDs(of: playlist, seed: seed)
    }
  }

  private func playlist(
    _ query: LibraryQuery, _ order: String..., change: (inout SmartPlaylist) -> Void = { _ in }
  ) throws -> SmartPlaylist {
    var playlist = SmartPlaylist(query)
    playlist.order = try order.map { try #require(SmartPlaylist.Order($0)) }
    change(&playlist)
    return playlist
  }

  private func value(_ track: SampleIndex.Track, _ sticker: String) -> Int {
    track.stickers[sticker].flatMap { Int($0) } ?? 0
  }

  @Test func `The tracks that match come in the order of one key, or of albums`() throws {
    var random = SeededGenerator(seed: 5)
    for key in LibraryOrder.Key.allCases {
      let query = LibraryQuery.random(using: &random, depth: 2)
      let order = LibraryOrder(key, isDescending: true)
      #expect(try ids(playlist(query, "-\(key.rawValue)")) == naive.tracks(query, order), "\(query) by \(key)")
      #expect(try ids(playlist(query)) == naive.tracks(query, LibraryOrder()), "\(query)")
    }
  }

  @Test(arguments: [("year", "title"), ("added", "-duration"), ("duration", "album"), ("-plays", "-rating")])
  func `Tracks that are equal by one key are sorted by the next`(first: String, second: String) throws {
    let keys = [first, second].map { $0.hasPrefix("-") ? ($0.dropFirst(), true) : ($0[...], false) }
    let orders = try keys.map {
      LibraryOrder(try #require(LibraryOrder.Key(rawValue: String($0.0))), isDescending: $0.1)
    }
    func rank(_ id: Int64) -> Int {
      let track = sample.tracks[Int(id - 1)]
      let rank: Int? =
        switch orders[0].key {
        case .year: naive.album(track).year
        case .added: Int(track.added)
        case .duration: track.duration
        default: value(track, Sticker.playCount) == 0 ? nil : -value(track, Sticker.playCount)
        }
      return rank ?? .max
    }
    let expected = naive.tracks(.everything, orders[1]).enumerated()
      .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    #expect(try ids(playlist(.everything, first, second)) == expected)
  }

  @Test func `Random orders contain every track once, and depend on nothing but the seed`() throws {
    let all = Set(naive.tracks(.everything, LibraryOrder()))
    let first = try ids(playlist(.everything, "random"), seed: 1)
    #expect(Set(first) == all && first.count == all.count)
    #expect(try ids(playlist(.everything, "random"), seed: 1) == first)
    #expect(try ids(playlist(.everything, "random"), seed: 2) != first)
    // Within equal ratings, the order is random, too.
    let rated = try ids(playlist(.everything, "-rating", "random"), seed: 1)
    let ratings = rated.map { value(sample.tracks[Int($0 - 1)], Sticker.rating) }
    #expect(ratings == ratings.sorted(by: >) && Set(rated) == all)
    #expect(try ids(playlist(.everything, "-rating", "random"), seed: 2) != rated)
  }

  @Test func `Whole albums come with all of their tracks, in the order of albums`() throws {
    let query = LibraryQuery.number(.rating, QueryRange(from: 8, to: nil))
    let albums = naive.albums(query, LibraryOrder(.rating, isDescending: true))
    let expected = albums.flatMap { id in
      sample.tracks.filter { $0.album == id }.sorted { $0.position < $1.position }.map(\.id)
    }
    let found = try ids(playlist(query, "-rating") { $0.hasWholeAlbums = true })
    #expect(found == expected && found.count > naive.tracks(query, LibraryOrder()).count)
    let some = try ids(playlist(query, "-rating") { ($0.hasWholeAlbums, $0.limit) = (true, 7) })
    #expect(some.count <= 7 && found.starts(with: some))
    #expect(Set(some.map { sample.tracks[Int($0 - 1)].album }).isSubset(of: albums))
    // An album that is longer than the limit is still one album.
    let first = try ids(playlist(query, "-rating") { ($0.hasWholeAlbums, $0.limit) = (true, 1) })
    #expect(first == sample.tracks.filter { $0.album == albums[0] }.sorted { $0.position < $1.position }.map(\.id))
  }

  @Test func `Limits count tracks, minutes, shares, artists and albums`() throws {
    let all = naive.tracks(.everything, LibraryOrder(.title))
    #expect(try ids(playlist(.everything, "title") { $0.limit = 5 }) == Array(all.prefix(5)))
    #expect(try ids(playlist(.everything, "title") { ($0.limit, $0.offset) = (5, 3) }) == Array(all[3..<8]))
    #expect(try ids(playlist(.everything, "title") { $0.percent = 10 }).count == all.count / 10)
    #expect(try ids(playlist(.everything, "title") { $0.percent = 0.001 }).count == 1)
    #expect(try ids(playlist(.everything, "title") { ($0.percent, $0.limit) = (1, 90) }).count == 90)
    let timed = try ids(playlist(.everything, "title") { $0.minutes = 30 })
    func milliseconds(_ ids: some Sequence<Int64>) -> Int {
      ids.reduce(0) { $0 + (sample.tracks[Int($1 - 1)].duration ?? 0) }
    }
    #expect(all.starts(with: timed) && milliseconds(timed) <= 1_800_000)
    #expect(milliseconds(all.prefix(timed.count + 1)) > 1_800_000)
    let spread = try ids(playlist(.everything, "title") { $0.perAlbum = 1 })
    #expect(Set(spread.map { sample.tracks[Int($0 - 1)].album }).count == spread.count)
    #expect(Set(spread.map { sample.tracks[Int($0 - 1)].album }) == Set(all.map { sample.tracks[Int($0 - 1)].album }))
    var counts: [String: Int] = [:]
    let expected = all.filter { id in
      let track = sample.tracks[Int(id - 1)]
      let artist = (track.artists.first ?? track.albumArtists.first ?? "").foldedForMatching
      counts[artist, default: 0] += 1
      return counts[artist] ?? 0 <= 2
    }
    #expect(try ids(playlist(.everything, "title") { $0.perArtist = 2 }) == expected)
    #expect(try ids(playlist(.nothing) { $0.percent = 50 }) == [])
  }
}
