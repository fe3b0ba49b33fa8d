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
  package var defaultKeys: [String] { entry.keys }

  /// The description of the action in a few words.
  package var help: String { entry.help }

  private var entry: (keys: [String], help: String) {
    switch self {
    case .up: (["up", "k"], "Move up; without a list, seek forward 1 minute.")
    case .down: (["down", "j"], "Move down; without a list, seek back 1 minute.")
    case .left: (["left"], "Move left, or go back; without a list, seek back 10 seconds.")
    case .right: (["right"], "Move right, or open; without a list, seek forward 10 seconds.")
    case .halfPageUp: (["ctrl-u"], "Move up half a page.")
    case .halfPageDown: (["ctrl-d"], "Move down half a page.")
    case .pageUp: (["page-up", "ctrl-b"], "Move up a page.")
    case .pageDown: (["page-down", "ctrl-f"], "Move down a page.")
    case .first: (["home", "gg"], "Go to the first line.")
    case .last: (["end", "G"], "Go to the last line.")
    case .open: (["l"], "Open what is under the cursor.")
    case .back: (["h", "backspace", "escape"], "Go back, or leave a mode.")
    case .find: ([";"], "Find text in this list.")
    case .findNext: (["n"], "Find the next match.")
    case .findPrevious: (["N"], "Find the previous match.")
    case .goToLetter: (["'"], "Go to the names that begin with the next letter typed.")
    case .goToCurrent: (["c"], "Go to the current track.")
    case .goToAlbum: (["ga"], "Go to the album of the track.")
    case .goToArtist: (["gr"], "Go to the artist of the track.")
    case .mark: (["x"], "Mark or unmark the line, and move down.")
    case .markRange: (["v"], "Begin or end marking a range.")
    case .play: (["enter"], "Play from here on, or open an artist, a genre, a year or a directory.")
    case .add: (["a"], "Add to the end of the queue.")
    case .addNext: (["A"], "Add after the current track.")
    case .addToPlaylist: (["P"], "Add to a playlist.")
    case .remove: (["d", "delete"], "Remove from the queue or playlist, or delete the playlist.")
    case .clear: (["C"], "Clear the queue.")
    case .rename: (["e"], "Rename the playlist.")
    case .moveUp: (["K"], "Move the tracks up in the queue or playlist.")
    case .moveDown: (["J"], "Move the tracks down in the queue or playlist.")
    case .undo: (["u"], "Undo the last change.")
    case .redo: (["ctrl-r"], "Redo the change that was undone.")
    case .rate: (["*"], "Rate with the next key: 0 to 5, or l to like.")
    case .filterList: (["f"], "Filter this list while you type.")
    case .sort: (["o"], "Sort this list.")
    case .filter: (["w"], "Filter all lists by the genre, artist or decade under the cursor.")
    case .clearFilters: (["W"], "Clear all filters.")
    case .grid: (["t"], "Show albums as covers or as a list.")
    case .info: (["i"], "Show everything about the track.")
    case .copy: (["y"], "Copy the text of the line to the clipboard.")
    case .pause: (["space", "p"], "Pause or resume.")
    case .stop: (["s"], "Stop.")
    case .next: ([">"], "Go to the next track.")
    case .previous: (["<"], "Go to the previous track.")
    case .seekBack: (["["], "Seek back 10 seconds.")
    case .seekForward: (["]"], "Seek forward 10 seconds.")
    case .seekBackFar: (["("], "Seek back 1 minute.")
    case .seekForwardFar: ([")"], "Seek forward 1 minute.")
    case .nextChapter: (["}"], "Go to the next chapter.")
    case .previousChapter: (["{"], "Go to the beginning of the chapter, or to the previous one.")
    case .loop: (["L"], "Repeat a passage: set its beginning, then its end, then end that.")
    case .speedUp: (["."], "Play faster, at the same pitch.")
    case .speedDown: ([","], "Play slower, at the same pitch.")
    case .normalSpeed: ([], "Play at the normal speed.")
    case .volumeUp: (["+", "="], "Raise the volume.")
    case .volumeDown: (["-", "_"], "Lower the volume.")
    case .repeat: (["r"], "Repeat: off, the queue, the track or the album.")
    case .random: (["z"], "Random order: off, of tracks or of albums.")
    case .single: (["Z"], "Pause after each track: off, on or once.")
    case .consume: (["R"], "Remove tracks from the queue once they have played: off or on.")
    case .bypassEqualizer: (["E"], "Bypass the equalizer and the crossfeed, or apply them again.")
    case .showNowPlaying: (["1", "f1"], "Show what is playing.")
    case .showQueue: (["2", "f2"], "Show the queue.")
    case .showAlbums: (["3", "f3"], "Show the albums.")
    case .showArtists: (["4", "f4"], "Show the artists.")
    case .showSongs: (["5", "f5"], "Show all songs.")
    case .showBrowse: (["6", "f6"], "Browse genres, years and directories; again for the next of them.")
    case .showGenres: ([], "Show the genres.")
    case .showYears: ([], "Show the years.")
    case .showRecent: (["9", "f9"], "Show the albums that were added last.")
    case .showMostPlayed: (["0", "f10"], "Show the songs that were played most.")
    case .showLastPlayed: ([], "Show the songs that were played last.")
    case .showPlaylists: (["7", "f7"], "Show the playlists.")
    case .showDirectories: ([], "Show the directories.")
    case .showSearch: (["/"], "Search the library while you type.")
    case .showLyrics: (["8", "f8"], "Show the lyrics.")
    case .showOutputs: (["O"], "Show the outputs.")
    case .showEqualizer: (["ge"], "Edit the bands of the equalizer.")
    case .nextScreen: (["tab"], "Go to the next screen.")
    case .previousScreen: (["shift-tab"], "Go to the previous screen.")
    case .side: (["m"], "Change what is beside the cover: the queue, chapters, lyrics, a spectrum, levels or nothing.")
    case .timeLeft: (["T"], "Show the time that is left instead of the duration.")
    case .help: (["?"], "List what can be done here, and its keys.")
    case .command: ([":"], "Enter a command.")
    case .redraw: (["ctrl-l"], "Draw the screen again.")
    case .quit: (["q"], "Quit.")
    }
  }
}
