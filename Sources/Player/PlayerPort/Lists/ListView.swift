// SPDX-License-Identifier: GPL-3.0-or-later

/// A list as a user looks at it: what it shows, narrowed by a text, in an order.
package struct ListView: Codable, Hashable, Sendable {
  package var content: ListContent
  /// The words by which the list is narrowed, as typed: each must be the beginning of a word in the title, the artist
  /// or the album that a row shows.
  package var filter: String
  /// The order of the rows; `nil` for the list's own. One that the list does not offer counts as `nil`.
  package var order: ListOrder?

  package init(_ content: ListContent, filter: String = "", order: ListOrder? = nil) {
    self.content = content
    self.filter = filter
    self.order = order
  }

  /// The order of the rows; `nil` for the list's own.
  var offeredOrder: ListOrder? { order.flatMap { content.offers($0.key) ? $0 : nil } }
}

/// The order of the rows of a list. Rows without the value by which they are ordered come last in either direction.
package struct ListOrder: Codable, Hashable, Sendable {
  package enum Key: Codable, Hashable, Sendable {
    /// The title of a track or an album, or a name.
    case name
    case artist
    case year
    /// The time when a row was added to the library.
    case added
    /// The rating; that of an album, an artist or a genre is the average of its rated tracks.
    case rating
    /// The number of times that the tracks were played.
    case plays
    /// The number of times that the tracks were skipped.
    case skips
    /// The time when a track was last played.
    case played
    case duration
    /// An order that looks random, and is always the same for a seed. It has no direction.
    case random(seed: UInt64)
  }

  package var key: Key
  package var isDescending: Bool

  package init(_ key: Key, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

extension ListContent {
  /// The keys by which the rows can be ordered; a random order has any seed. The order of the queue is edited instead.
  package var orders: [ListOrder.Key] {
    switch self {
    case .albums, .songs, .playlist, .directory, .search:
      [.name, .artist, .year, .added, .rating, .plays, .played, .skips, .duration, .random(seed: 0)]
    case .album: [.name, .artist, .rating, .plays, .played, .skips, .duration, .random(seed: 0)]
    case .artists, .genres: [.name, .rating, .plays, .played, .skips, .random(seed: 0)]
    case .years: [.year]
    case .playlists: [.name]
    case .queue, .outputs: []
    }
  }

  /// Returns whether the rows can be ordered by `key`.
  func offers(_ key: ListOrder.Key) -> Bool {
    if case .random = key { return orders.contains(.random(seed: 0)) }
    return orders.contains(key)
  }
}
