// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// A sort order of tracks or albums, as SQL that iterates over it and SQL that sorts known items into it.
///
/// The tracks of an album stay in playing order even in a descending order. Tracks with equal titles, durations or
/// times of addition are sorted by the order in which they came into the library. Items without a year or a duration
/// come last in either direction.
struct ListingOrder {
  /// The kind of item that is listed.
  enum Item { case tracks, albums }

  /// A part of an order, as SQL: tables, joined from left to right; a condition on the library `?1`; and the order in
  /// which an index returns the rows.
  struct Segment {
    let tables: String
    let condition: String
    let order: String
  }

  /// The segments that return the library's tracks in this order, one segment after another. With ``Item/albums``, the
  /// tracks of each album are adjacent.
  let segments: [Segment]
  /// The segments that return only the albums, without their tracks; empty unless the order sorts whole albums.
  let albumSegments: [Segment]
  /// The ORDER BY terms for sorting tracks (or albums) whose IDs are known.
  let keys: String
  /// Whether the order is descending.
  let isDescending: Bool

  init(_ order: LibraryOrder, of item: Item) {
    isDescending = order.isDescending
    let direction = order.isDescending ? " DESC" : ""
    let playingOrder = item == .tracks ? ", track.place" : ""
    func albums(_ index: String, _ keys: [String], _ condition: String = "") -> Segment {
      Segment(
        tables: "album INDEXED BY \(index)", condition: "album.library = ?1\(condition)",
        order: (keys + ["album.id"]).map { $0 + direction }.joined(separator: ", "))
    }
    func tracks(_ index: String, _ key: String, _ condition: String = "") -> Segment {
      Segment(
        tables: "track INDEXED BY \(index)", condition: "track.library = ?1\(condition)",
        order: "\(key.isEmpty ? "" : "\(key)\(direction), ")track.id\(direction)")
    }
    func splitAtNull(_ column: String) -> [String] { [" AND \(column) IS NOT NULL", " AND \(column) IS NULL"] }
    var albumSegments: [Segment] = []
    var trackSegments: [Segment] = []
    switch (order.key, item) {
    // Rows are ordered by marks after they have been read.
    case (.album, _), (.artist, _), (.rating, _), (.albumRating, _), (.plays, _), (.skips, _), (.played, _):
      albumSegments = [albums("album_sort", ["album.sort"])]
      keys = "album.sort\(direction), album.id\(direction)\(playingOrder)"
    case (.year, _):
      let parts = splitAtNull("album.year")
      albumSegments = [
        albums("album_year", ["album.year", "album.sort"], parts[0]),
        albums("album_year", ["album.sort"], parts[1]),
      ]
      keys = "album.year IS NULL, album.year\(direction), album.sort\(direction), album.id\(direction)\(playingOrder)"
    case (.title, .albums):
      albumSegments = [albums("album_title_sort", ["album.title_sort"])]
      keys = "album.title_sort\(direction), album.id\(direction)"
    case (.added, .albums):
      albumSegments = [albums("album_added", ["album.added", "album.sort"])]
      keys = "album.added\(direction), album.sort\(direction), album.id\(direction)"
    case (.duration, .albums):
      albumSegments = [albums("album_duration", ["album.duration", "album.sort"])]
      keys = "album.duration\(direction), album.sort\(direction), album.id\(direction)"
    case (.title, .tracks):
      trackSegments = [tracks("track_title_sort", "track.title_sort")]
      keys = "track.title_sort\(direction), track.id\(direction)"
    case (.added, .tracks):
      trackSegments = [tracks("track_added", "track.added")]
      keys = "track.added\(direction), track.id\(direction)"
    case (.duration, .tracks):
      let parts = splitAtNull("track.duration")
      trackSegments = [
        tracks("track_duration", "track.duration", parts[0]), tracks("track_duration", "", parts[1]),
      ]
      keys = "track.duration IS NULL, track.duration\(direction), track.id\(direction)"
    }
    self.albumSegments = albumSegments
    let joined = albumSegments.map {
      Segment(
        tables: $0.tables + " CROSS JOIN track INDEXED BY track_album ON track.album = album.id",
        condition: $0.condition, order: $0.order + ", track.place")
    }
    segments = joined + trackSegments
  }
}

extension ListingOrder.Segment {
  /// Returns the SELECT statement that reads `columns` from each row.
  func selection(_ columns: String, joining tables: String = "", where condition: String? = nil) -> String {
    """
    SELECT \(columns) FROM \(self.tables)\(tables) WHERE \(self.condition)\(condition.map { " AND \($0)" } ?? "") \
    ORDER BY \(order)
    """
  }
}
