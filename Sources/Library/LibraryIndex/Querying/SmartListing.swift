// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import MusicModel
import UnicodeText

/// Finds the tracks of smart playlists.
extension TrackBrowser {
  /// Returns the IDs of the tracks of `playlist` in order. Its query must name no playlists.
  ///
  /// - Parameter seed: Determines the random order.
  public func trackIDs(of playlist: SmartPlaylist, seed: UInt64) throws -> [Int64] {
    let listing = playlist.hasWholeAlbums ? LibraryListing.albums : .tracks
    var ids = try ids(of: listing, matching: playlist.query, in: playlist.order, seed: seed)
    if let percent = playlist.percent, playlist.limit == nil {
      ids = Array(ids.prefix(max(1, Int(Double(ids.count) * min(percent, 100) / 100))))
    }
    return try limited(ids.dropFirst(max(0, playlist.offset)), playlist)
  }

  /// Returns the items of a listing that match `query`, sorted by all of `order`.
  private func ids(
    of listing: LibraryListing, matching query: LibraryQuery, in order: [SmartPlaylist.Order], seed: UInt64
  ) throws -> [Int64] {
    func rowOrder(_ order: SmartPlaylist.Order) -> RowOrder {
      switch order {
      case .random: .random(seed: seed)
      case .key(let order): .key(order)
      }
    }
    var ids = try ids(of: listing, matching: query, order: order.last.map(rowOrder) ?? .key(LibraryOrder()))
    // The sort is stable, so that the last key decides between items that are equal by those before it.
    for case .key(let order) in order.dropLast().reversed() {
      if let marks = MarkOrder(order, of: listing, database, libraries) {
        ids = try marks.sorted(ids)
      } else {
        let ranks = try ranks(of: ids, of: listing, order)
        ids = ids.enumerated().map { (rank: ranks[$1] ?? .max, position: $0, id: $1) }
          .sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.id)
      }
    }
    return ids
  }

  /// Returns numbers that sort the tracks or albums with these IDs by a tag; equal numbers for equal values.
  private func ranks(of ids: [Int64], of listing: LibraryListing, _ order: LibraryOrder) throws -> [Int64: Int64] {
    let item = listing == .albums ? "album" : "track"
    let key =
      switch order.key {
      case .title: "\(item).title_sort"
      case .added: "\(item).added"
      case .duration: "\(item).duration"
      case .year: "album.year"
      case .album, .artist, .rating, .albumRating, .plays, .skips, .played: "album.sort"
      }
    let albums = listing == .albums ? "" : " CROSS JOIN album ON album.id = track.album"
    let rows = IndexStatement(
      database,
      """
      SELECT \(item).id, dense_rank() OVER (ORDER BY \(key) IS NULL, \(key)\(order.isDescending ? " DESC" : ""))
      FROM json_each(?) AS found CROSS JOIN \(item) ON \(item).id = found.value\(albums)
      """)
    rows.bind(Listing.list(ids))
    var ranks: [Int64: Int64] = [:]
    while try rows.step() { ranks[rows.integer(0)] = rows.integer(1) }
    return ranks
  }

  /// Returns the tracks of these tracks or albums, up to the limits of `playlist`. The first one is never too long.
  private func limited(_ ids: ArraySlice<Int64>, _ playlist: SmartPlaylist) throws -> [Int64] {
    let countLimit = playlist.limit.map { max(0, $0) } ?? .max
    guard playlist.hasWholeAlbums || playlist.minutes != nil || playlist.perArtist != nil || playlist.perAlbum != nil
    else { return Array(ids.prefix(countLimit)) }
    let rows = IndexStatement(
      database, "SELECT album, duration, artists, album_artists FROM track WHERE id = ?")
    func facts(_ id: Int64) throws -> (album: Int64, milliseconds: Double, artist: String) {
      try rows.first(id) { row in
        let artist = row.texts(2).first ?? row.texts(3).first ?? ""
        return (row.integer(0), Double(row.optionalInteger(1) ?? 0), artist.foldedForMatching)
      } ?? (0, 0, "")
    }
    var left = (playlist.minutes ?? .infinity) * 60_000
    var (ofArtists, ofAlbums): ([String: Int], [Int64: Int]) = ([:], [:])
    var taken: [Int64] = []
    for id in ids where countLimit > 0 {
      let tracks = playlist.hasWholeAlbums ? try trackIDs(ofAlbum: id) : [id]
      let facts = try tracks.map(facts)
      guard let first = facts.first else { continue }
      if let limit = playlist.perArtist, ofArtists[first.artist, default: 0] >= limit { continue }
      if let limit = playlist.perAlbum, !playlist.hasWholeAlbums, ofAlbums[first.album, default: 0] >= limit {
        continue
      }
      left -= facts.reduce(0) { $0 + $1.milliseconds }
      if !taken.isEmpty, taken.count + tracks.count > countLimit || left < 0 { break }
      taken += tracks
      ofArtists[first.artist, default: 0] += tracks.count
      ofAlbums[first.album, default: 0] += tracks.count
    }
    return taken
  }
}
