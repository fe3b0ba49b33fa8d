// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort
import UserSettings

/// What the user has chosen about the looks of the screen, kept for the next time.
package struct ScreenMemory: Codable, Equatable, Sendable {
  /// The order of each kind of list that has another one than its own, by the name of the kind.
  var orders: [String: ListOrder] = [:]
  /// Whether albums are shown as a list instead of their covers; `nil` if the user has not chosen.
  var prefersLists: Bool?
  var side = PlayingSide.queue
  var showsTimeLeft = false

  package init() {}
}

extension ListContent {
  /// The name of the kind of list, for which an order is remembered.
  var kindName: String {
    switch self {
    case .queue: "queue"
    case .albums: "albums"
    case .album: "album"
    case .artists: "artists"
    case .songs: "songs"
    case .genres: "genres"
    case .years: "years"
    case .playlists: "playlists"
    case .playlist: "playlist"
    case .directory: "directory"
    case .search: "search"
    case .outputs: "outputs"
    }
  }
}

extension ListOrder {
  /// The order in a few words.
  var text: String {
    switch key {
    case .name: isDescending ? "by name, Z first" : "by name"
    case .artist: isDescending ? "by artist, Z first" : "by artist"
    case .year: isDescending ? "latest first" : "earliest first"
    case .added: isDescending ? "recently added first" : "first added first"
    case .rating: isDescending ? "best rated first" : "worst rated first"
    case .plays: isDescending ? "most played first" : "least played first"
    case .skips: isDescending ? "most skipped first" : "least skipped first"
    case .played: isDescending ? "recently played first" : "not played for longest first"
    case .duration: isDescending ? "longest first" : "shortest first"
    case .random: "in random order"
    }
  }

  /// The orders that are offered for a key, the more usual one first.
  static func choices(for key: Key, seed: UInt64) -> [ListOrder] {
    switch key {
    case .name, .artist: [ListOrder(key), ListOrder(key, isDescending: true)]
    case .year, .added, .rating, .plays, .skips, .played, .duration:
      [ListOrder(key, isDescending: true), ListOrder(key)]
    case .random: [ListOrder(.random(seed: seed))]
    }
  }
}
