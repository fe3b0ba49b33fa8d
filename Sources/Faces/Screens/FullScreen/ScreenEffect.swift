// SPDX-License-Identifier: GPL-3.0-or-later

package import PlayerFlow
package import PlayerPort

/// What a full screen requests in answer to an input.
package enum ScreenEffect: Equatable, Sendable {
  /// Load rows of a list from number `offset` on.
  case load(ListView, offset: Int)
  /// Find the first row of a sorted list whose name begins with a letter, or with a later one.
  case findLetter(Character, in: ListView)
  /// Find the next row that contains `text`, after `row` or before it.
  case find(String, in: ListView, after: Int, backward: Bool)
  /// Load the rows of a list with these numbers, to use them.
  case loadRange(ListView, Range<Int>)
  /// Find out to which album and artists the track of a row belongs, to go there.
  case findOrigin(ListTarget, TrackOriginKind)
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

  /// A mode of the queue.
  package enum Mode: String, Equatable, Sendable {
    case `repeat`, random, single, consume
  }

  /// Use the tracks of these rows, which were chosen in a list.
  case use(Use, [ListTarget], in: ListView)
  /// Replace the queue by all tracks of a list, and play from the row with this number on.
  case playList(ListView, from: Int)
  /// Play an item of the queue.
  case playItem(UInt64)
  /// Remove items from the queue.
  case remove([UInt64])
  /// Move items so that the first of them has this position, counted from 0.
  case move([UInt64], to: Int)
  /// Remove all items from the queue.
  case clear
  /// Switch a mode of the queue to its next value.
  case changeMode(Mode)
  /// Add the tracks of these rows to the saved playlist with this name, which is created if there is none.
  case addToPlaylist(String, [ListTarget], in: ListView)
  /// Remove these tracks from a saved playlist.
  case removeFromPlaylist(String, [PlaylistPosition])
  /// Move tracks of a saved playlist so that the first of them has this position, counted from 0.
  case moveInPlaylist(String, [PlaylistPosition], to: Int)
  case deletePlaylists([String])
  case renamePlaylist(String, to: String)
  case undo
  case redo
  /// Rate tracks, or like them.
  case rate([ListTarget], TrackMark)
  /// Rate the current track, or like it.
  case rateCurrent(TrackMark)
  /// Turn the output on or off.
  case toggleOutput
  /// Play to this output from now on.
  case useOutput(String)
  /// Report, bypass or change the equaliser.
  case equaliser(EqualiserRequest)
  case control(PlayerKey)
  /// Seek to this fraction of the current track.
  case seek(fraction: Double)
  /// Run a command line that the user typed.
  case line(String)
  /// Run a program of the user, given with its arguments, with the tracks of these rows.
  case run([String], [ListTarget])
}

/// Where to go from a track.
package enum TrackOriginKind: Equatable, Sendable {
  case album, artist
}
