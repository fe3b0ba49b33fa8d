// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerPort
import SystemPackage
import UserSettings

/// One of the screens between which the user switches.
package enum Screen: String, CaseIterable, Sendable {
  case nowPlaying = "Playing"
  case queue = "Queue"
  case albums = "Albums"
  case artists = "Artists"
  case songs = "Songs"
  case genres = "Genres"
  case years = "Years"
  case recent = "Recently added"
  case mostPlayed = "Most played"
  case lastPlayed = "Recently played"
  case playlists = "Playlists"
  case directories = "Directories"
  case lyrics = "Lyrics"
  case search = "Search"

  /// The action that shows the screen.
  var action: ScreenAction {
    switch self {
    case .nowPlaying: .showNowPlaying
    case .queue: .showQueue
    case .albums: .showAlbums
    case .artists: .showArtists
    case .songs: .showSongs
    case .genres: .showGenres
    case .years: .showYears
    case .recent: .showRecent
    case .mostPlayed: .showMostPlayed
    case .lastPlayed: .showLastPlayed
    case .playlists: .showPlaylists
    case .directories: .showDirectories
    case .search: .showSearch
    case .lyrics: .showLyrics
    }
  }

  /// The screens that share the tab Browse.
  static let browsed: [Screen] = [.genres, .years, .directories, .recent, .mostPlayed, .lastPlayed]

  /// The name among those of the screens that share the tab Browse.
  var browsedName: String {
    switch self {
    case .recent: "Added"
    case .lastPlayed: "Played"
    default: rawValue
    }
  }

  /// Returns the list that the screen begins with; `nil` if it shows no list.
  func view(_ query: LibraryQuery) -> ListView? {
    switch self {
    case .nowPlaying, .lyrics: nil
    case .queue: ListView(.queue)
    case .albums: ListView(.albums(query))
    case .artists: ListView(.artists(query))
    case .songs: ListView(.songs(query))
    case .genres: ListView(.genres(query))
    case .years: ListView(.years(query))
    case .recent: ListView(.albums(query), order: ListOrder(.added, isDescending: true))
    case .mostPlayed: ListView(.songs(query), order: ListOrder(.plays, isDescending: true))
    case .lastPlayed:
      ListView(
        .songs(query.and(.date(.played, QueryRange(from: nil, to: nil)))), order: ListOrder(.played, isDescending: true)
      )
    case .playlists: ListView(.playlists)
    case .directories: ListView(.directory(""))
    case .search: ListView(.search("", query))
    }
  }

  /// Whether the list has an order because of the screen, whatever is remembered for its kind.
  var hasFixedOrder: Bool { [.recent, .mostPlayed, .lastPlayed].contains(self) }
}
