// SPDX-License-Identifier: GPL-3.0-or-later

/// An action of the full screen to which keys can be bound.
package enum ScreenAction: String, CaseIterable, Sendable {
  // Moving in a list.
  case up
  case down
  case left
  case right
  case halfPageUp = "half-page-up"
  case halfPageDown = "half-page-down"
  case pageUp = "page-up"
  case pageDown = "page-down"
  case first
  case last
  case open
  case back
  case find
  case findNext = "find-next"
  case findPrevious = "find-previous"
  case goToLetter = "go-to-letter"
  case goToCurrent = "go-to-current"
  case mark
  case markRange = "mark-range"
  // Changing the queue.
  case play
  case add
  case addNext = "add-next"
  case addToPlaylist = "add-to-playlist"
  case remove
  case clear
  case rename
  case moveUp = "move-up"
  case moveDown = "move-down"
  case undo
  case redo
  case rate
  case filter
  case clearFilters = "clear-filters"
  case grid
  // Controlling playback.
  case pause
  case stop
  case next
  case previous
  case seekBack = "seek-back"
  case seekForward = "seek-forward"
  case seekBackFar = "seek-back-far"
  case seekForwardFar = "seek-forward-far"
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case `repeat`
  case random
  case single
  case consume
  case meter
  // Changing the screen.
  case showNowPlaying = "show-now-playing"
  case showQueue = "show-queue"
  case showAlbums = "show-albums"
  case showArtists = "show-artists"
  case showSongs = "show-songs"
  case showGenres = "show-genres"
  case showYears = "show-years"
  case showPlaylists = "show-playlists"
  case showDirectories = "show-directories"
  case showSearch = "show-search"
  case showLyrics = "show-lyrics"
  case showOutputs = "show-outputs"
  case nextScreen = "next-screen"
  case previousScreen = "previous-screen"
  case help
  case menu
  case command
  case redraw
  case quit

  /// The names of the default keys of the action. A name of several letters stands for keys pressed one after the
  /// other.
  package var defaultKeys: [String] {
    switch self {
    case .up: ["up", "k"]
    case .down: ["down", "j"]
    case .left: ["left"]
    case .right: ["right"]
    case .halfPageUp: ["ctrl-u"]
    case .halfPageDown: ["ctrl-d"]
    case .pageUp: ["page-up", "ctrl-b"]
    case .pageDown: ["page-down", "ctrl-f"]
    case .first: ["home", "gg"]
    case .last: ["end", "G"]
    case .open: ["l"]
    case .back: ["h", "backspace", "escape"]
    case .find: ["/"]
    case .findNext: ["n"]
    case .findPrevious: ["N"]
    case .goToLetter: ["'"]
    case .goToCurrent: ["o"]
    case .mark: ["space"]
    case .markRange: ["v"]
    case .play: ["enter"]
    case .add: ["a"]
    case .addNext: ["A"]
    case .addToPlaylist: ["P"]
    case .remove: ["d", "delete"]
    case .clear: ["C"]
    case .rename: ["e"]
    case .moveUp: ["K"]
    case .moveDown: ["J"]
    case .undo: ["u"]
    case .redo: ["ctrl-r"]
    case .rate: ["*"]
    case .filter: ["f"]
    case .clearFilters: ["F"]
    case .grid: ["t"]
    case .pause: ["p"]
    case .stop: ["s"]
    case .next: [">"]
    case .previous: ["<"]
    case .seekBack: ["["]
    case .seekForward: ["]"]
    case .seekBackFar: ["("]
    case .seekForwardFar: [")"]
    case .volumeUp: ["+", "="]
    case .volumeDown: ["-", "_"]
    case .repeat: ["r"]
    case .random: ["z"]
    case .single: ["Z"]
    case .consume: ["R"]
    case .meter: ["M"]
    case .showNowPlaying: ["1", "f1"]
    case .showQueue: ["2", "f2"]
    case .showAlbums: ["3", "f3"]
    case .showArtists: ["4", "f4"]
    case .showSongs: ["5", "f5"]
    case .showGenres: ["6", "f6"]
    case .showYears: ["y"]
    case .showPlaylists: ["7", "f7"]
    case .showDirectories: ["8", "f8"]
    case .showSearch: ["9", "f9"]
    case .showLyrics: ["0", "f10"]
    case .showOutputs: ["O"]
    case .nextScreen: ["tab"]
    case .previousScreen: ["shift-tab"]
    case .help: ["?"]
    case .menu: ["m"]
    case .command: [":"]
    case .redraw: ["ctrl-l"]
    case .quit: ["q"]
    }
  }

  /// The description of the action in a few words.
  package var help: String {
    switch self {
    case .up: "Move up."
    case .down: "Move down."
    case .left: "Move left, or go back."
    case .right: "Move right, or open what is under the cursor."
    case .halfPageUp: "Move up half a page."
    case .halfPageDown: "Move down half a page."
    case .pageUp: "Move up a page."
    case .pageDown: "Move down a page."
    case .first: "Go to the first line."
    case .last: "Go to the last line."
    case .open: "Open what is under the cursor."
    case .back: "Go back, or leave a mode."
    case .find: "Find text in this list."
    case .findNext: "Find the next match."
    case .findPrevious: "Find the previous match."
    case .goToLetter: "Go to the names that begin with the next letter typed."
    case .goToCurrent: "Go to the current track."
    case .mark: "Mark or unmark the line, and move down."
    case .markRange: "Begin or end marking a range."
    case .play: "Play, or open an artist, a genre, a year or a directory."
    case .add: "Add to the end of the queue."
    case .addNext: "Add after the current track."
    case .addToPlaylist: "Add to a playlist."
    case .remove: "Remove from the queue or playlist, or delete the playlist."
    case .clear: "Clear the queue."
    case .rename: "Rename the playlist."
    case .moveUp: "Move the tracks up in the queue or playlist."
    case .moveDown: "Move the tracks down in the queue or playlist."
    case .undo: "Undo the last change of the queue."
    case .redo: "Redo the change that was undone."
    case .rate: "Rate with the next digit typed, 0 to 5."
    case .filter: "Filter all lists by the genre, artist or decade under the cursor."
    case .clearFilters: "Clear all filters."
    case .grid: "Show albums as covers or as a list."
    case .pause: "Pause or resume."
    case .stop: "Stop."
    case .next: "Go to the next track."
    case .previous: "Go to the previous track."
    case .seekBack: "Seek back 10 seconds."
    case .seekForward: "Seek forward 10 seconds."
    case .seekBackFar: "Seek back 1 minute."
    case .seekForwardFar: "Seek forward 1 minute."
    case .volumeUp: "Raise the volume."
    case .volumeDown: "Lower the volume."
    case .repeat: "Repeat: off, the queue, the track or the album."
    case .random: "Random order: off, of tracks or of albums."
    case .single: "Pause after each track: off, on or once."
    case .consume: "Remove tracks from the queue once they have played: off or on."
    case .meter: "Show or hide the level meter."
    case .showNowPlaying: "Show what is playing."
    case .showQueue: "Show the queue."
    case .showAlbums: "Show the albums."
    case .showArtists: "Show the artists."
    case .showSongs: "Show all songs."
    case .showGenres: "Show the genres."
    case .showYears: "Show the years."
    case .showPlaylists: "Show the playlists."
    case .showDirectories: "Show the directories."
    case .showSearch: "Search while you type."
    case .showLyrics: "Show the lyrics."
    case .showOutputs: "Show the outputs."
    case .nextScreen: "Go to the next screen."
    case .previousScreen: "Go to the previous screen."
    case .help: "Show the keys of this screen."
    case .menu: "Show a menu of what can be done here."
    case .command: "Enter a command."
    case .redraw: "Draw the screen again."
    case .quit: "Quit."
    }
  }
}
