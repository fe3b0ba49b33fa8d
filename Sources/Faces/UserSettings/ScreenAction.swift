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
  case goToAlbum = "go-to-album"
  case goToArtist = "go-to-artist"
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
  // Changing what a list shows.
  case filterList = "filter-list"
  case sort
  case filter
  case clearFilters = "clear-filters"
  case grid
  case info
  case copy
  // Controlling playback.
  case pause
  case stop
  case next
  case previous
  case seekBack = "seek-back"
  case seekForward = "seek-forward"
  case seekBackFar = "seek-back-far"
  case seekForwardFar = "seek-forward-far"
  case nextChapter = "next-chapter"
  case previousChapter = "previous-chapter"
  case loop
  case speedUp = "speed-up"
  case speedDown = "speed-down"
  case normalSpeed = "normal-speed"
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case `repeat`
  case random
  case single
  case consume
  case bypassEqualizer = "bypass-equalizer"
  // Changing the screen.
  case showNowPlaying = "show-now-playing"
  case showQueue = "show-queue"
  case showAlbums = "show-albums"
  case showArtists = "show-artists"
  case showSongs = "show-songs"
  case showBrowse = "show-browse"
  case showGenres = "show-genres"
  case showYears = "show-years"
  case showRecent = "show-recent"
  case showMostPlayed = "show-most-played"
  case showLastPlayed = "show-last-played"
  case showPlaylists = "show-playlists"
  case showDirectories = "show-directories"
  case showSearch = "show-search"
  case showLyrics = "show-lyrics"
  case showOutputs = "show-outputs"
  case showEqualizer = "show-equalizer"
  case nextScreen = "next-screen"
  case previousScreen = "previous-screen"
  case side
  case timeLeft = "time-left"
  case help
  case command
  case redraw
  case quit

  /// Creates the action with a name in the settings, also with one of earlier versions.
  package init?(named name: String) {
    switch name {
    case "menu", "show-keys": self = .help
    case "meter": self = .side
    default: self.init(rawValue: name)
    }
  }

  /// What the action does where there is no list: the arrows seek.
  package var withoutList: ScreenAction {
    switch self {
    case .left: .seekBack
    case .right: .seekForward
    case .up: .seekForwardFar
    case .down: .seekBackFar
    default: self
    }
  }

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
    case .find: [";"]
    case .findNext: ["n"]
    case .findPrevious: ["N"]
    case .goToLetter: ["'"]
    case .goToCurrent: ["c"]
    case .goToAlbum: ["ga"]
    case .goToArtist: ["gr"]
    case .mark: ["x"]
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
    case .filterList: ["f"]
    case .sort: ["o"]
    case .filter: ["w"]
    case .clearFilters: ["W"]
    case .grid: ["t"]
    case .info: ["i"]
    case .copy: ["y"]
    case .pause: ["space", "p"]
    case .stop: ["s"]
    case .next: [">"]
    case .previous: ["<"]
    case .seekBack: ["["]
    case .seekForward: ["]"]
    case .seekBackFar: ["("]
    case .seekForwardFar: [")"]
    case .nextChapter: ["}"]
    case .previousChapter: ["{"]
    case .loop: ["L"]
    case .speedUp: ["."]
    case .speedDown: [","]
    case .normalSpeed: []
    case .volumeUp: ["+", "="]
    case .volumeDown: ["-", "_"]
    case .repeat: ["r"]
    case .random: ["z"]
    case .single: ["Z"]
    case .consume: ["R"]
    case .bypassEqualizer: ["E"]
    case .showNowPlaying: ["1", "f1"]
    case .showQueue: ["2", "f2"]
    case .showAlbums: ["3", "f3"]
    case .showArtists: ["4", "f4"]
    case .showSongs: ["5", "f5"]
    case .showBrowse: ["6", "f6"]
    case .showGenres: []
    case .showYears: []
    case .showRecent: ["9", "f9"]
    case .showMostPlayed: ["0", "f10"]
    case .showLastPlayed: []
    case .showPlaylists: ["7", "f7"]
    case .showDirectories: []
    case .showSearch: ["/"]
    case .showLyrics: ["8", "f8"]
    case .showOutputs: ["O"]
    case .showEqualizer: ["ge"]
    case .nextScreen: ["tab"]
    case .previousScreen: ["shift-tab"]
    case .side: ["m"]
    case .timeLeft: ["T"]
    case .help: ["?"]
    case .command: [":"]
    case .redraw: ["ctrl-l"]
    case .quit: ["q"]
    }
  }

  /// The description of the action in a few words.
  package var help: String {
    switch self {
    case .up: "Move up; without a list, seek forward 1 minute."
    case .down: "Move down; without a list, seek back 1 minute."
    case .left: "Move left, or go back; without a list, seek back 10 seconds."
    case .right: "Move right, or open; without a list, seek forward 10 seconds."
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
    case .goToAlbum: "Go to the album of the track."
    case .goToArtist: "Go to the artist of the track."
    case .mark: "Mark or unmark the line, and move down."
    case .markRange: "Begin or end marking a range."
    case .play: "Play from here on, or open an artist, a genre, a year or a directory."
    case .add: "Add to the end of the queue."
    case .addNext: "Add after the current track."
    case .addToPlaylist: "Add to a playlist."
    case .remove: "Remove from the queue or playlist, or delete the playlist."
    case .clear: "Clear the queue."
    case .rename: "Rename the playlist."
    case .moveUp: "Move the tracks up in the queue or playlist."
    case .moveDown: "Move the tracks down in the queue or playlist."
    case .undo: "Undo the last change."
    case .redo: "Redo the change that was undone."
    case .rate: "Rate with the next key: 0 to 5, or l to like."
    case .filterList: "Filter this list while you type."
    case .sort: "Sort this list."
    case .filter: "Filter all lists by the genre, artist or decade under the cursor."
    case .clearFilters: "Clear all filters."
    case .grid: "Show albums as covers or as a list."
    case .info: "Show everything about the track."
    case .copy: "Copy the text of the line to the clipboard."
    case .pause: "Pause or resume."
    case .stop: "Stop."
    case .next: "Go to the next track."
    case .previous: "Go to the previous track."
    case .seekBack: "Seek back 10 seconds."
    case .seekForward: "Seek forward 10 seconds."
    case .seekBackFar: "Seek back 1 minute."
    case .seekForwardFar: "Seek forward 1 minute."
    case .nextChapter: "Go to the next chapter."
    case .previousChapter: "Go to the beginning of the chapter, or to the previous one."
    case .loop: "Repeat a passage: set its beginning, then its end, then end that."
    case .speedUp: "Play faster, at the same pitch."
    case .speedDown: "Play slower, at the same pitch."
    case .normalSpeed: "Play at the normal speed."
    case .volumeUp: "Raise the volume."
    case .volumeDown: "Lower the volume."
    case .repeat: "Repeat: off, the queue, the track or the album."
    case .random: "Random order: off, of tracks or of albums."
    case .single: "Pause after each track: off, on or once."
    case .consume: "Remove tracks from the queue once they have played: off or on."
    case .bypassEqualizer: "Bypass the equalizer and the crossfeed, or apply them again."
    case .showNowPlaying: "Show what is playing."
    case .showQueue: "Show the queue."
    case .showAlbums: "Show the albums."
    case .showArtists: "Show the artists."
    case .showSongs: "Show all songs."
    case .showBrowse: "Browse genres, years and directories; again for the next of them."
    case .showGenres: "Show the genres."
    case .showYears: "Show the years."
    case .showRecent: "Show the albums that were added last."
    case .showMostPlayed: "Show the songs that were played most."
    case .showLastPlayed: "Show the songs that were played last."
    case .showPlaylists: "Show the playlists."
    case .showDirectories: "Show the directories."
    case .showSearch: "Search the library while you type."
    case .showLyrics: "Show the lyrics."
    case .showOutputs: "Show the outputs."
    case .showEqualizer: "Edit the bands of the equalizer."
    case .nextScreen: "Go to the next screen."
    case .previousScreen: "Go to the previous screen."
    case .side: "Change what is beside the cover: the queue, chapters, lyrics, a spectrum, levels or nothing."
    case .timeLeft: "Show the time that is left instead of the duration."
    case .help: "List what can be done here, and its keys."
    case .command: "Enter a command."
    case .redraw: "Draw the screen again."
    case .quit: "Quit."
    }
  }
}
