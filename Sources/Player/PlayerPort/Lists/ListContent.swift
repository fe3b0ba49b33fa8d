// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel

/// What a list shows. Equal values show the same rows at the same time.
package enum ListContent: Codable, Hashable, Sendable {
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
  case directory(PathText)
  /// The artists, albums and tracks that match what the user has typed, the best first.
  case search(String, LibraryQuery)
  case outputs
}

/// What a row of a list stands for. Rows of a list that stand for the same have equal targets, even if the list has
/// changed.
package enum ListTarget: Codable, Hashable, Sendable {
  /// An item of the queue, by its ID.
  case item(UInt64)
  case album(Int64)
  case artist(String)
  case genre(String)
  case year(Int)
  /// A track of the library.
  case track(id: Int64, PathText)
  /// A file that need not be in the library; `number` counts equal ones in the list.
  case file(PathText, number: Int)
  case playlist(String)
  /// A directory of the library, as in ``ListContent/directory(_:)``.
  case directory(PathText)
  /// An output, by the value to give to `--output`.
  case output(String)
}

/// A row of a list. Its text is not yet escaped for a terminal.
package struct ListRow: Codable, Hashable, Sendable {
  package var target: ListTarget
  package var title: String
  package var artist = ""
  package var album = ""
  /// The number of the track, the year, or the number of tracks.
  package var detail = ""
  package var duration: Duration?
  /// The rating from 1 to 10, two for each star; `nil` if there is none.
  package var rating: Int?
  /// The year of the date that is shown.
  package var year: Int?
  /// The number of the disc; `nil` for the only one.
  package var disc: Int?
  /// The time when the row was added to the library, in seconds since 1970.
  package var added: Int64?
  /// The number of times that the tracks were played; `nil` if they never were, or the number is not known.
  package var plays: Int?
  /// The number of times that the tracks were skipped; `nil` if they never were, or the number is not known.
  package var skips: Int?
  /// The time when a track was last played, in seconds since 1970; `nil` if that is never, or not known.
  package var lastPlayed: Int64?
  /// Whether the user likes the track; `nil` if that is not known.
  package var isLiked: Bool?
  /// Whether the file is missing, so that the track cannot be played.
  package var isMissing = false
  /// Whether the item of the queue was added to keep playing.
  package var isRefill: Bool?

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
}

/// How long the queue is, as far as the durations of its items are known.
package struct QueueDurations: Codable, Equatable, Sendable {
  package let all: Duration
  /// The duration of the current item and of those that will be played after it; `nil` if there is no current item, or
  /// if that is not known.
  package let remaining: Duration?

  package init(all: Duration, remaining: Duration?) { (self.all, self.remaining) = (all, remaining) }
}

/// Some successive rows of a list.
package struct ListPage: Codable, Equatable, Sendable {
  /// The number of the first row, counted from 0.
  package var offset: Int
  package var rows: [ListRow]
  /// The number of rows in the whole list.
  package var count: Int
  /// How long the queue is; `nil` for other lists, and for a part of the queue.
  package var durations: QueueDurations?

  package init(offset: Int, rows: [ListRow], count: Int) {
    self.offset = offset
    self.rows = rows
    self.count = count
  }
}
