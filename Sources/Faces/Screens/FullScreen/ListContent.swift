// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import PlayerPort
package import SystemPackage

/// What a list of the full screen shows. Equal values show the same rows at the same time.
package enum ListContent: Hashable, Sendable {
  case queue
  /// The albums that have a track that matches.
  case albums(LibraryQuery)
  /// The tracks of an album, by its ID in the library.
  case album(Int64)
  case artists(LibraryQuery)
  /// The tracks that match, sorted by title.
  case songs(LibraryQuery)
  case genres(LibraryQuery)
  case years(LibraryQuery)
  case playlists
  /// The tracks of a saved playlist, by its name.
  case playlist(String)
  /// The directories and tracks in a directory of the library. The path is relative; the empty path stands for the
  /// library's directories.
  case directory(FilePath)
  /// The artists, albums and tracks that match what the user has typed, the best first.
  case search(String, LibraryQuery)
  case outputs

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

/// What a row of a list stands for. Rows of a list that stand for the same have equal targets, even if the list has
/// changed.
package enum ListTarget: Hashable, Sendable {
  /// An item of the queue, by its ID.
  case item(UInt64)
  case album(Int64)
  case artist(String)
  case genre(String)
  case year(Int)
  /// A track of the library.
  case track(id: Int64, FilePath)
  /// A file that need not be in the library; `number` counts equal ones in the list.
  case file(FilePath, number: Int)
  case playlist(String)
  /// A directory of the library, as in ``ListContent/directory(_:)``.
  case directory(FilePath)
  /// An output, by the value to give to `--output`.
  case output(String)
}

/// A row of a list. Its text is not yet escaped for a terminal.
package struct ListRow: Hashable, Sendable {
  package var target: ListTarget
  package var title: String
  package var artist = ""
  package var album = ""
  /// The number of the track, the year, or the number of tracks.
  package var detail = ""
  package var duration: Duration?
  /// The rating from 1 to 10, two for each star; `nil` if there is none.
  package var rating: Int?
  /// Whether the file is missing, so that the track cannot be played.
  package var isMissing = false

  /// Creates a row.
  package init(
    _ target: ListTarget, title: String, artist: String = "", album: String = "", detail: String = "",
    duration: Duration? = nil, rating: Int? = nil, isMissing: Bool = false
  ) {
    self.target = target
    self.title = title
    self.artist = artist
    self.album = album
    self.detail = detail
    self.duration = duration
    self.rating = rating
    self.isMissing = isMissing
  }

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

/// Some successive rows of a list.
package struct ListPage: Equatable, Sendable {
  /// The number of the first row, counted from 0.
  package var offset: Int
  package var rows: [ListRow]
  /// The number of rows in the whole list.
  package var count: Int

  /// Creates a page.
  package init(offset: Int, rows: [ListRow], count: Int) {
    self.offset = offset
    self.rows = rows
    self.count = count
  }
}

/// The source of the lists of a full screen. Calls block while the disk is read or a player answers. They come one at a
/// time, from a thread outside of the cooperative pool.
package protocol ListSource: Sendable {
  /// Returns up to `limit` rows of a list from number `offset` on.
  ///
  /// - Throws: ``PlayerError`` if they cannot be read.
  func page(of content: ListContent, offset: Int, limit: Int) throws(PlayerError) -> ListPage

  /// Returns the number of the first row of a sorted list whose name does not sort before `letter`; `nil` if the list
  /// has none.
  func position(of letter: Character, in content: ListContent) throws(PlayerError) -> Int?

  /// Returns the number of the first row after `row` (or before it, if `backward`) that contains `text`, going round at
  /// the end; `nil` if none does.
  func position(of text: String, in content: ListContent, after row: Int, backward: Bool) throws(PlayerError) -> Int?
}
