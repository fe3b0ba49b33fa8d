// SPDX-License-Identifier: GPL-3.0-or-later

package import PlayerFlow
package import PlayerPort

/// What a full screen requests in answer to an input.
package enum ScreenEffect: Equatable, Sendable {
  /// Read lists.
  case read(ListReading)
  /// Load everything about the track of a row, to show it.
  case loadInfo(ListTarget)
  /// Copy a text to the clipboard of the terminal.
  case copy(String)
  /// Keep what the user has chosen about lists for the next time.
  case remember(ScreenMemory)
  /// Make the player do something.
  case perform(ScreenCommand)
  /// Complete a command that the user is typing.
  case complete(String)
  /// Change the filters of all lists.
  case filter(FilterChange)
  /// Draw everything again.
  case redraw
  /// End the full screen.
  case quit
}

/// What to read of lists.
package enum ListReading: Equatable, Sendable {
  /// The rows of a list from number `offset` on.
  case page(ListView, offset: Int)
  /// The first row of a sorted list whose name begins with a letter, or with a later one.
  case letter(Character, in: ListView)
  /// The next row that contains a text, after a row or before it.
  case find(String, in: ListView, after: Int, backward: Bool)
  /// The rows of a list with these numbers, to use them.
  case range(ListView, Range<Int>)
  /// The album and the artists to which the track of a row belongs, to go there.
  case origin(ListTarget, TrackOriginKind)
}

/// A command of the full screen for the player, in this process or another.
package enum ScreenCommand: Equatable, Sendable {
  /// What to do with chosen rows.
  package enum Use: String, Equatable, Sendable {
    /// Replace the queue by their tracks, and play.
    case play
    /// Add their tracks to the end of the queue.
    case add
    /// Add their tracks after the current one.
    case addNext = "next"
  }

  /// Use the tracks of these rows, which were chosen in a list.
  case use(Use, [ListTarget], in: ListView)
  /// Replace the queue by all tracks of a list, and play from the row with this number on.
  case playList(ListView, from: Int)
  /// A request that needs no library.
  case request(PlayerRequest)
  /// Add the tracks of these rows to the saved playlist with this name, which is created if there is none.
  case addToPlaylist(String, [ListTarget], in: ListView)
  /// Remove these tracks from a saved playlist.
  case removeFromPlaylist(String, [PlaylistPosition])
  /// Move tracks of a saved playlist so that the first of them has this position, counted from 0.
  case moveInPlaylist(String, [PlaylistPosition], to: Int)
  case deletePlaylists([String])
  case renamePlaylist(String, to: String)
  /// Rate tracks, or like them.
  case rate([ListTarget], TrackMark)
  /// Rate the current track, or like it.
  case rateCurrent(TrackMark)
  /// Run a command line that the user typed.
  case line(String)
  /// Run a program of the user, given with its arguments, with the tracks of these rows.
  case run([String], [ListTarget])
}

/// Where to go from a track.
package enum TrackOriginKind: Equatable, Sendable {
  case album, artist
}
