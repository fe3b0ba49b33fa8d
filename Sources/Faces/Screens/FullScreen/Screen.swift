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
  case playlists = "Playlists"
  case directories = "Directories"
  case lyrics = "Lyrics"
  case search = "Search"
  case outputs = "Outputs"

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
    case .playlists: .showPlaylists
    case .directories: .showDirectories
    case .search: .showSearch
    case .lyrics: .showLyrics
    case .outputs: .showOutputs
    }
  }

  /// The screens that share the tab Browse.
  static let browsed: [Screen] = [.genres, .years, .directories]

  /// Returns the list that the screen begins with; `nil` if it shows no list.
  func content(_ query: LibraryQuery) -> ListContent? {
    switch self {
    case .nowPlaying, .lyrics: nil
    case .queue: .queue
    case .albums: .albums(query)
    case .artists: .artists(query)
    case .songs: .songs(query)
    case .genres: .genres(query)
    case .years: .years(query)
    case .playlists: .playlists
    case .directories: .directory("")
    case .search: .search("", query)
    case .outputs: .outputs
    }
  }
}
