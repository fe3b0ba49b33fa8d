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
    let ids = try orderedIDs(of: listing, query, filter, order.keyOrder(of: listing))
    switch order {
    case .key: return ids
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
    if case .key(let order) = order { isDescending = order.isDescending }
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
    try IndexStatement(database, cached: true, "SELECT id FROM track WHERE album = ? ORDER BY place")
      .all(id) { $0.integer(0) }
  }

  /// Returns the first of these tracks of each album. Those in no album are left out.
  public func firstOfAlbums(_ ids: some Sequence<Int64>) throws -> [Int64] {
    let rows = IndexStatement(database, cached: true, "SELECT album FROM track WHERE id = ? AND album IS NOT NULL")
    var albums: Set<Int64> = []
    return try ids.filter { id in try rows.first(id) { albums.insert($0.integer(0)).inserted } ?? false }
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
      SELECT track.added, sticker.name, \(StickerTable.number) FROM track
      LEFT JOIN sticker ON sticker.track = track.id WHERE track.id = ?
      """, id)
  }

  /// Returns the artists that the user plays at the same time as `artists`, among them these, with the number of their
  /// albums that were played so.
  public func artistsPlayedWith(_ artists: [String]) throws -> [String: Int] {
    try PlayLogTables.artistsPlayedWith(artists, database)
  }

  /// Returns what is known of an album; `nil` if there is no album with this ID.
  public func marks(ofAlbum id: Int64) throws -> RowMarks? {
    try marks(
      """
      SELECT album.added, sticker.name, \(StickerTable.number)
      FROM album CROSS JOIN track INDEXED BY track_album ON track.album = album.id
      LEFT JOIN sticker ON sticker.track = track.id WHERE album.id = ?
      """, id, isAlbum: true)
  }

  private func marks(_ sql: String, _ id: Int64, isAlbum: Bool = false) throws -> RowMarks? {
    let rows = IndexStatement(database, cached: true, sql)
    rows.bind(id)
    var marks: RowMarks?
    var values: [Mark: [Int64]] = [:]
    while try rows.step() {
      if marks == nil { marks = RowMarks(added: rows.integer(0)) }
      guard let name = rows.optionalText(1) else { continue }
      if name == Sticker.like, rows.integer(2) == 2 { marks?.isLiked = true }
      if let mark = Mark(sticker: name), let value = mark.valid(rows.integer(2)) {
        values[mark, default: []].append(value)
      }
    }
    let ratings = isAlbum ? values[.albumRating] ?? values[.rating] : values[.rating]
    marks?.rating = ratings.map { Int(Mark.rating.combined($0).rounded()) }
    marks?.plays = values[.plays].map { Int(clamping: Int64(Mark.plays.combined($0))) }
    marks?.skips = values[.skips].map { Int(clamping: Int64(Mark.skips.combined($0))) }
    marks?.lastPlayed = values[.played].map { Int64(Mark.played.combined($0)) }
    return marks
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
      if let markOrder = MarkOrder(order, of: listing, database, libraries) {
        ids = try markOrder.sorted(ids)
      } else if order.isDescending {
        ids.reverse()
      }
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
    guard case .key(let order) = order, !order.key.isMark else {
      return switch listing {
      case .artists: ("sort FROM artist", false)
      case .genres: ("sort FROM genre", false)
      case .tracks: ("title_sort FROM track", false)
      case .albums: ("sort FROM album", false)
      }
    }
    return switch (listing, order.key) {
    case (.artists, _): ("sort FROM artist", true)
    case (.genres, _): ("sort FROM genre", true)
    case (.tracks, .artist), (.tracks, .album):
      ("(SELECT sort FROM album WHERE album.id = track.album) FROM track", true)
    case (.tracks, let key): ("title_sort FROM track", key == .title)
    case (.albums, .artist), (.albums, .album): ("sort FROM album", true)
    case (.albums, .title): ("title_sort FROM album", true)
    case (.albums, _): ("sort FROM album", false)
    }
  }
}
