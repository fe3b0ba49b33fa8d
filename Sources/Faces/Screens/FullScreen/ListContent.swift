// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort

extension ListContent {
  /// Whether the rows are sorted by name, so that one can go to a letter.
  var isSorted: Bool {
    switch self {
    case .albums, .artists, .songs, .genres: true
    case .queue, .album, .years, .playlists, .playlist, .directory, .search, .outputs: false
    }
  }

  /// Whether the filters apply to the rows.
  var isFiltered: Bool {
    switch self {
    case .albums, .artists, .songs, .genres, .years, .search: true
    case .queue, .album, .playlists, .playlist, .directory, .outputs: false
    }
  }

  /// Whether the user changes the rows, so that their numbers are only valid until the next change.
  var isEdited: Bool {
    switch self {
    case .queue, .playlist: true
    case .albums, .album, .artists, .songs, .genres, .years, .playlists, .directory, .search, .outputs: false
    }
  }

  /// Whether the rows come from the library.
  var isOfLibrary: Bool {
    switch self {
    case .queue, .outputs, .playlists, .playlist: false
    case .albums, .album, .artists, .songs, .genres, .years, .directory, .search: true
    }
  }
}

extension ListRow {
  /// Whether Enter opens the row instead of playing it.
  var opensOnPlay: Bool {
    switch target {
    case .artist, .genre, .year, .directory: true
    case .album, .playlist, .item, .track, .file, .output: false
    }
  }

  /// Whether the row can be opened to show what is in it.
  var isContainer: Bool {
    switch target {
    case .album, .artist, .genre, .year, .playlist, .directory: true
    case .item, .track, .file, .output: false
    }
  }
}
