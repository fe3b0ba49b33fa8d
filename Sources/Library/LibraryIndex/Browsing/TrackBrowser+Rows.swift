// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
public import MusicModel
import UnicodeText

/// The rows of listings as a user looks at them: narrowed by words, and in an order.
extension TrackBrowser {
  /// Returns the IDs of all items of a listing that match `query`, and remain with `filter`, in this order.
  public func ids(
    of listing: LibraryListing, matching query: LibraryQuery, filter: RowFilter? = nil, order: RowOrder
  ) throws -> [Int64] {
    let ids = try orderedIDs(of: listing, query, filter, order.tagOrder(of: listing))
    switch order {
    case .tags: return ids
    case .rating(let isDescending): return Self.sorted(ids, try values(.rating, of: listing), isDescending)
    case .plays(let isDescending): return Self.sorted(ids, try values(.plays, of: listing), isDescending)
    case .random(let seed):
      return ids.map { (place: RowOrder.place(of: UInt64(bitPattern: $0), seed: seed), id: $0) }
        .sorted { $0 < $1 }.map(\.id)
    }
  }

  /// Returns the position of the first of `ids`, all items of a listing in this order, whose name begins with `letter`.
  /// If the order is by name, a later letter will do. Albums are found by artist, unless they are sorted by title.
  public func position(
    of letter: Character, among ids: [Int64], of listing: LibraryListing, _ order: RowOrder
  ) throws -> Int? {
    // Without the lower levels of the key, it precedes that of every name that begins with the letter.
    let wanted = Array(CollationKey(String(letter)).bytes.prefix { $0 > 1 })
    let (column, isSorted) = Self.sortKey(of: listing, order)
    let statement = try database.cachedStatement(sql: "SELECT \(column) WHERE id = ?")
    func key(_ position: Int) throws -> Data { try Data.fetchOne(statement, arguments: [ids[position]]) ?? Data() }
    guard isSorted else { return try ids.indices.first { try key($0).starts(with: wanted) } }
    var isDescending = false
    if case .tags(let order) = order { isDescending = order.isDescending }
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = low + (high - low) / 2
      let found = try key(middle)
      let isBefore =
        isDescending
        ? wanted.lexicographicallyPrecedes(found.prefix(wanted.count)) : found.lexicographicallyPrecedes(wanted)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low < ids.count ? low : nil
  }

  /// Returns the IDs of the tracks of an album, in playing order.
  public func trackIDs(ofAlbum id: Int64) throws -> [Int64] {
    let rows = IndexStatement(database, cached: true, "SELECT id FROM track WHERE album = ? ORDER BY place")
    rows.bind(id)
    var ids: [Int64] = []
    while try rows.step() { ids.append(rows.integer(0)) }
    return ids
  }

  /// Returns the album of a track, and the names of the artists of both as listings show them; `nil` if there is no
  /// such track.
  public func origin(
    ofTrack id: Int64
  ) throws -> (album: Int64, title: String, artists: [String], albumArtists: [String])? {
    let rows = IndexStatement(
      database,
      """
      SELECT album.id, album.title, words.artist, words.album_artist, album.artist_key FROM track
      CROSS JOIN album ON album.id = track.album CROSS JOIN words ON words.id = track.id WHERE track.id = ?
      """)
    rows.bind(id)
    guard try rows.step() else { return nil }
    let name = try database.cachedStatement(sql: "SELECT name FROM artist WHERE key = ?")
    func names(_ keys: [String]) throws -> [String] {
      try keys.compactMap { try String.fetchOne(name, arguments: [$0]) }
    }
    let albumArtists = try names(rows.texts(3))
    return (
      rows.integer(0), rows.text(1), try names(rows.texts(2)),
      albumArtists.isEmpty ? try names(rows.texts(4)) : albumArtists
    )
  }

  /// Returns the albums with these IDs, in the given order. IDs that match no album are skipped.
  public func albums(_ ids: [Int64]) throws -> [AlbumEntry] { try IndexReader.albums(ids, database) }

  /// Returns the artists with these IDs, in the given order, with their album and track counts.
  public func artists(_ ids: [Int64]) throws -> [NameEntry] { try names(.artists, ids) }

  /// Returns the genres with these IDs, in the given order, with their album and track counts.
  public func genres(_ ids: [Int64]) throws -> [NameEntry] { try names(.genres, ids) }

  private func names(_ kind: NameKind, _ ids: [Int64]) throws -> [NameEntry] {
    try ids.compactMap { try NameListing.entry($0, kind, libraries, database) }
  }

  /// Returns what is known of a track; `nil` if there is no track with this ID.
  public func marks(ofTrack id: Int64) throws -> RowMarks? {
    try marks(
      """
      SELECT track.added, rating.value, plays.value FROM track
      LEFT JOIN sticker AS rating ON rating.track = track.id AND rating.name = '\(Sticker.rating)'
      LEFT JOIN sticker AS plays ON plays.track = track.id AND plays.name = '\(Sticker.playCount)' WHERE track.id = ?
      """, id)
  }

  /// Returns what is known of an album; `nil` if there is no album with this ID.
  public func marks(ofAlbum id: Int64) throws -> RowMarks? {
    let value = "CAST(sticker.value AS INTEGER)"
    return try marks(
      """
      SELECT album.added, CAST(round(avg(CASE WHEN sticker.name = '\(Sticker.rating)' THEN \(value) END)) AS INTEGER),
        sum(CASE WHEN sticker.name = '\(Sticker.playCount)' THEN \(value) END)
      FROM album CROSS JOIN track INDEXED BY track_album ON track.album = album.id LEFT JOIN sticker
      ON sticker.track = track.id AND sticker.name IN ('\(Sticker.rating)', '\(Sticker.playCount)')
      WHERE album.id = ? GROUP BY album.id
      """, id)
  }

  private func marks(_ sql: String, _ id: Int64) throws -> RowMarks? {
    let rows = IndexStatement(database, cached: true, sql)
    rows.bind(id)
    guard try rows.step() else { return nil }
    return RowMarks(
      added: rows.integer(0), rating: rows.optionalText(1).flatMap { Mark.rating.value($0) },
      plays: rows.optionalText(2).flatMap { Mark.plays.value($0) })
  }

  // MARK: IDs

  private func orderedIDs(
    of listing: LibraryListing, _ query: LibraryQuery, _ filter: RowFilter?, _ order: LibraryOrder
  ) throws -> [Int64] {
    let thresholds = QueryThresholds()
    var ids: [Int64]
    switch listing {
    case .tracks, .albums:
      let (item, query): (ListingOrder.Item, LibraryQuery) =
        listing == .tracks ? (.tracks, query.and(filter?.query ?? .everything)) : (.albums, query)
      ids = try MergedListing(
        database, libraries, query: query, order: order, item: item, thresholds: thresholds
      ).page(offset: 0, limit: nil).ids
    case .artists, .genres:
      let kind: NameKind = listing == .artists ? .artists : .genres
      ids = try NameListing(database, libraries, query: query, kind: kind, thresholds: thresholds)
        .page(offset: 0, limit: nil).ids
      if order.isDescending { ids.reverse() }
    }
    guard let filter, listing != .tracks else { return ids }
    let remaining = try remaining(listing, filter)
    return ids.filter { remaining.contains($0) }
  }

  /// Returns the IDs of the albums, artists or genres that remain with `filter`, perhaps those of other libraries, too.
  private func remaining(_ listing: LibraryListing, _ filter: RowFilter) throws -> Set<Int64> {
    let (table, columns) =
      switch listing {
      case .tracks, .albums: ("album", ["title_key", "artist_key"])
      case .artists: ("artist", ["key"])
      case .genres: ("genre", ["key"])
      }
    var arguments = QueryArguments()
    let condition = try filter.condition(on: columns, WordSpellings(database), &arguments)
    return try Set(
      Int64.fetchAll(
        database, sql: "SELECT id FROM \(table) WHERE \(condition)", arguments: arguments.statementArguments))
  }

  /// Returns the SQL of the sort key by which the names of items are found, and whether the order is by that key.
  private static func sortKey(of listing: LibraryListing, _ order: RowOrder) -> (column: String, isSorted: Bool) {
    switch (listing, order) {
    case (.artists, .tags): ("sort FROM artist", true)
    case (.genres, .tags): ("sort FROM genre", true)
    case (.tracks, .tags(let order)) where order.key == .artist || order.key == .album:
      ("(SELECT sort FROM album WHERE album.id = track.album) FROM track", true)
    case (.albums, .tags(let order)) where order.key == .artist || order.key == .album: ("sort FROM album", true)
    case (.tracks, .tags(let order)): ("title_sort FROM track", order.key == .title)
    case (.albums, .tags(let order)) where order.key == .title: ("title_sort FROM album", true)
    case (.artists, _): ("sort FROM artist", false)
    case (.genres, _): ("sort FROM genre", false)
    case (.tracks, _): ("title_sort FROM track", false)
    case (.albums, _): ("sort FROM album", false)
    }
  }

  // MARK: Ratings and plays

  /// A sticker by which rows are ordered.
  private enum Mark {
    case rating, plays

    var name: String { self == .rating ? Sticker.rating : Sticker.playCount }

    /// Returns the number that a sticker contains; `nil` if it is not valid.
    func value(_ text: String) -> Int? {
      guard let value = Int(text), value > 0, self == .plays || value <= 10 else { return nil }
      return value
    }
  }

  /// Sorts `ids` by their values. Those that have none come last.
  private static func sorted(_ ids: [Int64], _ values: [Int64: Double], _ isDescending: Bool) -> [Int64] {
    var valued: [(position: Int, id: Int64, value: Double)] = []
    var others: [Int64] = []
    for (position, id) in ids.enumerated() {
      if let value = values[id] { valued.append((position, id, value)) } else { others.append(id) }
    }
    valued.sort { left, right in
      if left.value == right.value { return left.position < right.position }
      return (left.value < right.value) != isDescending
    }
    return valued.map(\.id) + others
  }

  /// Returns the values of the items of a listing: the average rating, or the sum of the plays, of their tracks.
  private func values(_ mark: Mark, of listing: LibraryListing) throws -> [Int64: Double] {
    let ofTracks = try values(ofTracks: mark)
    let links: String
    switch listing {
    case .tracks: return ofTracks
    case .albums: links = "SELECT album, id FROM track INDEXED BY track_album WHERE album IS NOT NULL ORDER BY album"
    case .artists: links = "SELECT artist, track FROM credit ORDER BY artist"
    case .genres: links = "SELECT genre, track FROM track_genre ORDER BY genre"
    }
    var values: [Int64: Double] = [:]
    if ofTracks.isEmpty { return values }
    // The tracks of the item whose rows are being read: one may be linked to an artist twice.
    var (item, tracks): (Int64?, [Int64: Double]) = (nil, [:])
    func finish() {
      guard let item, !tracks.isEmpty else { return }
      let sum = tracks.values.reduce(0, +)
      values[item] = mark == .rating ? sum / Double(tracks.count) : sum
      tracks.removeAll(keepingCapacity: true)
    }
    let rows = IndexStatement(database, cached: true, links)
    while try rows.step() {
      if item != rows.integer(0) {
        finish()
        item = rows.integer(0)
      }
      if let value = ofTracks[rows.integer(1)] { tracks[rows.integer(1)] = value }
    }
    finish()
    return values
  }

  /// Returns the values of the tracks of these libraries that have one.
  private func values(ofTracks mark: Mark) throws -> [Int64: Double] {
    // An artist may have tracks in other libraries, too.
    let libraryCount = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM library")) ?? 0
    let scope =
      libraryCount == libraries.all.count
      ? ("", "") : (" CROSS JOIN track ON track.id = sticker.track", " AND \(libraries.condition("track.library"))")
    let rows = IndexStatement(
      database,
      """
      SELECT sticker.track, sticker.value FROM sticker INDEXED BY sticker_name\(scope.0)
      WHERE sticker.name = '\(mark.name)'\(scope.1)
      """)
    if !scope.1.isEmpty { rows.bind(libraries.first) }
    var values: [Int64: Double] = [:]
    while try rows.step() {
      if let value = mark.value(rows.text(1)) { values[rows.integer(0)] = Double(value) }
    }
    return values
  }
}
