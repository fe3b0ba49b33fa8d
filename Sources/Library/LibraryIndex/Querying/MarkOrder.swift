// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel

/// A number in a sticker of tracks by which listings can be sorted.
enum Mark: CaseIterable {
  case rating, albumRating, plays, skips, played

  /// The number in the sticker `name`; `nil` if listings cannot be sorted by it.
  init?(sticker name: String) {
    guard let mark = Self.allCases.first(where: { $0.sticker == name }) else { return nil }
    self = mark
  }

  /// The number by which a key sorts; `nil` for a tag.
  init?(_ key: LibraryOrder.Key) {
    switch key {
    case .rating: self = .rating
    case .albumRating: self = .albumRating
    case .plays: self = .plays
    case .skips: self = .skips
    case .played: self = .played
    case .album, .title, .artist, .year, .added, .duration: return nil
    }
  }

  /// The name of the sticker.
  var sticker: String {
    switch self {
    case .rating: Sticker.rating
    case .albumRating: Sticker.albumRating
    case .plays: Sticker.playCount
    case .skips: Sticker.skipCount
    case .played: Sticker.lastPlayed
    }
  }

  /// The greatest valid value: the dates of the year 9999 are the last ones, and sums of counts must not overflow.
  private var limit: Int64 { self == .rating || self == .albumRating ? 10 : 1 << 40 }

  /// Returns `value` if it is in the valid range; otherwise `nil`.
  func valid(_ value: Int64) -> Int64? { (1...limit).contains(value) ? value : nil }

  /// Returns the value of an album, an artist or a genre, given the values of its tracks (at least one).
  func combined(_ values: some Collection<Int64>) -> Double {
    let sum = values.reduce(0) { $0 + Double($1) }
    return switch self {
    case .rating, .albumRating: sum / Double(values.count)
    case .plays, .skips: sum
    case .played: Double(values.max() ?? 0)
    }
  }
}

/// Sorts a listing by a number in a sticker. Rows without a value come last, in their original order.
struct MarkOrder {
  private let mark: Mark
  private let isDescending: Bool
  private let listing: LibraryListing
  private let database: Database
  private let libraries: LibraryScope
  private let thresholds: QueryThresholds

  /// Creates the order of the rows of `listing`; returns `nil` if `order` is not by a mark.
  init?(
    _ order: LibraryOrder, of listing: LibraryListing, _ database: Database, _ libraries: LibraryScope,
    thresholds: QueryThresholds = QueryThresholds()
  ) {
    guard let mark = Mark(order.key) else { return nil }
    self.mark = mark
    isDescending = order.isDescending
    (self.listing, self.database, self.libraries, self.thresholds) = (listing, database, libraries, thresholds)
  }

  /// Returns the first `needed` of `ids` in this order.
  func sorted(_ ids: [Int64], needed: Int = .max) throws -> [Int64] {
    let values = try values(of: ids, mark)
    // The rating of an album is its own, if it has one.
    let own = listing == .albums && mark == .rating ? try self.values(of: ids, .albumRating) : nil
    var valued: [Entry] = []
    var others: [Int64] = []
    for (position, id) in ids.enumerated() {
      if let value = own?[id] ?? values[id] {
        valued.append(Entry(position: position, value: value))
      } else {
        others.append(id)
      }
    }
    let first = first(needed, of: valued).map { ids[$0.position] }
    return first + others.prefix(needed - first.count)
  }

  /// An item with a value, and its position in the original order.
  private struct Entry {
    let position: Int
    let value: Double
  }

  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    if left.value == right.value { return left.position < right.position }
    return (left.value < right.value) != isDescending
  }

  /// Returns the first `needed` entries in this order.
  private func first(_ needed: Int, of entries: [Entry]) -> [Entry] {
    guard needed < entries.count else { return entries.sorted(by: precedes) }
    guard needed <= Self.selectionLimit else { return Array(entries.sorted(by: precedes).prefix(needed)) }
    // For a page, sorting all would take most of the time.
    var first: [Entry] = []
    for entry in entries {
      if first.count == needed {
        guard let last = first.last, precedes(entry, last) else { continue }
        first.removeLast()
      }
      var (low, high) = (0, first.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(entry, first[middle]) { high = middle } else { low = middle + 1 }
      }
      first.insert(entry, at: low)
    }
    return first
  }

  /// The maximum number of entries that are selected one by one.
  private static let selectionLimit = 1_000

  /// Returns the values of at least these items of the listing.
  private func values(of ids: [Int64], _ mark: Mark) throws -> MarkValues {
    try lookUp(ids, mark) ?? allValues(mark)
  }

  /// Returns the values of these tracks or albums; `nil` if it is faster to read those of all tracks.
  private func lookUp(_ ids: [Int64], _ mark: Mark) throws -> MarkValues? {
    let (selection, trackCount): (String, Int)
    let value = "SELECT \(StickerTable.number) FROM"
    switch listing {
    case .tracks: (selection, trackCount) = ("\(value) sticker WHERE track = ?", ids.count)
    case .albums:
      // All tracks of an album have the same rating of it.
      let isShared = mark == .albumRating
      selection = """
        \(value) track INDEXED BY track_album CROSS JOIN sticker ON sticker.track = track.id
        WHERE track.album = ?\(isShared ? " AND track.place = 0" : "")
        """
      trackCount = isShared ? 0 : ids.count * Self.tracksPerAlbum
    // Some have very many tracks.
    case .artists, .genres: return nil
    }
    // A track has at most one value, so that there need not be as many as it takes.
    let limit = trackCount * thresholds.valuesPerLookup
    let lastTrack = try Int.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM track"))
    if limit >= lastTrack ?? 0 { return nil }
    let count = try Int.fetchOne(
      database.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 FROM sticker INDEXED BY sticker_number WHERE name = ? LIMIT ?)"),
      arguments: [mark.sticker, limit + 1])
    guard count ?? 0 > limit else { return nil }
    let rows = IndexStatement(database, cached: true, "\(selection) AND sticker.name = '\(mark.sticker)'")
    var values = MarkValues()
    var ofTracks: [Int64] = []
    for id in ids {
      rows.bind(id)
      ofTracks.removeAll(keepingCapacity: true)
      while try rows.step() {
        if let value = mark.valid(rows.integer(0)) { ofTracks.append(value) }
      }
      if !ofTracks.isEmpty { values[id] = mark.combined(ofTracks) }
    }
    return values
  }

  /// The number of tracks that most albums have at most.
  private static let tracksPerAlbum = 16

  /// Returns the values of the items of the listing.
  private func allValues(_ mark: Mark) throws -> MarkValues {
    let ofTracks = try valuesOfTracks(mark)
    let links: String
    switch listing {
    case .tracks: return ofTracks
    case .albums: links = "SELECT album, id FROM track INDEXED BY track_album WHERE album IS NOT NULL ORDER BY album"
    case .artists: links = "SELECT artist, track FROM credit ORDER BY artist"
    case .genres: links = "SELECT genre, track FROM track_genre ORDER BY genre"
    }
    var values = MarkValues()
    if ofTracks.isEmpty { return values }
    // The tracks of the item whose rows are being read: one may be linked to an artist twice.
    var item: Int64?
    var (seen, found): (Set<Int64>, [Int64]) = ([], [])
    func finish() {
      guard let item, !found.isEmpty else { return }
      values[item] = mark.combined(found)
      found.removeAll(keepingCapacity: true)
      seen.removeAll(keepingCapacity: true)
    }
    let rows = IndexStatement(database, cached: true, links)
    while try rows.step() {
      if item != rows.integer(0) {
        finish()
        item = rows.integer(0)
      }
      guard let value = ofTracks[rows.integer(1)], listing == .albums || seen.insert(rows.integer(1)).inserted else {
        continue
      }
      found.append(Int64(value))
    }
    finish()
    return values
  }

  /// Returns the values of the tracks of these libraries that have one.
  private func valuesOfTracks(_ mark: Mark) throws -> MarkValues {
    // An artist may have tracks in other libraries, too.
    let libraryCount = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM library")) ?? 0
    let scope =
      libraryCount == libraries.all.count
      ? ("", "") : (" CROSS JOIN track ON track.id = sticker.track", " AND \(libraries.condition("track.library"))")
    let rows = IndexStatement(
      database,
      """
      SELECT sticker.track, \(StickerTable.number) FROM sticker INDEXED BY sticker_number\(scope.0)
      WHERE sticker.name = '\(mark.sticker)'\(scope.1)
      """)
    if !scope.1.isEmpty { rows.bind(libraries.first) }
    var values = MarkValues()
    while try rows.step() {
      if let value = mark.valid(rows.integer(1)) { values[rows.integer(0)] = Double(value) }
    }
    return values
  }
}

/// The values of tracks or other items by their IDs, in an array as far as the IDs are small.
private struct MarkValues {
  /// The end of the IDs whose values are in the array, so that a single large ID does not take memory for all below it.
  private static let end: Int64 = 1 << 22

  /// The values from ID 0 on; NaN for none.
  private var dense: [Double] = []
  private var others: [Int64: Double] = [:]
  private(set) var isEmpty = true

  subscript(id: Int64) -> Double? {
    get {
      guard (0..<Self.end).contains(id) else { return others[id] }
      guard id < dense.count, !dense[Int(id)].isNaN else { return nil }
      return dense[Int(id)]
    }
    set {
      guard let newValue else { return }
      isEmpty = false
      guard (0..<Self.end).contains(id) else { return others[id] = newValue }
      if id >= dense.count {
        dense.append(contentsOf: repeatElement(.nan, count: max(Int(id) + 1 - dense.count, dense.count)))
      }
      dense[Int(id)] = newValue
    }
  }
}
