// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
package import CoverDrawing
import MusicModel
import Platform
package import PlayerFlow
import PlayerPort
package import Terminal
import UnicodeText
package import UserSettings

/// Draws a full screen: the model's screen, and the player's lines below it, on a grid of cells.
package struct FullScreenDrawing {
  /// What the player is doing.
  package struct Player {
    package var nowPlaying: NowPlaying?
    package var state: PlayingState
    /// The rating of the current track; `nil` if there is none.
    package var rating: Int?
    /// Whether the level meter is shown, and the levels.
    package var showsLevels = false
    package var levels: SoundLevels?
    /// Whether the tracks to play are still being looked up.
    package var isLookingUp = false

    package init(nowPlaying: NowPlaying?, state: PlayingState) {
      self.nowPlaying = nowPlaying
      self.state = state
    }
  }

  let model: FullScreenModel
  let player: Player
  let palette: Palette
  let isASCII: Bool
  /// The cover of the current track; `nil` if there is none.
  let cover: DrawnCover?
  /// The covers of albums, by their IDs.
  let albumCovers: [Int64: DrawnCover]
  var grid: CellGrid
  let layout: ScreenLayout

  package init(
    _ model: FullScreenModel, _ player: Player, palette: Palette = .plain, isASCII: Bool = false,
    cover: DrawnCover? = nil, albumCovers: [Int64: DrawnCover] = [:]
  ) {
    self.model = model
    self.player = player
    self.palette = palette
    self.isASCII = isASCII
    self.cover = cover
    self.albumCovers = albumCovers
    grid = CellGrid(model.size)
    layout = model.layout
  }

  package consuming func cells() -> CellGrid {
    drawTabs()
    drawTitle()
    switch model.screen {
    case .nowPlaying: drawNowPlaying()
    case .lyrics: drawLyrics()
    default:
      guard let list = model.list else { break }
      if let albums = model.grid(of: list.content), list.count != 0 { drawGrid(list, albums) } else { drawList(list) }
    }
    drawPlayer()
    drawMessage()
    switch model.overlay {
    case .help(let top)?: drawHelp(from: top)
    case .menu(let selection)?: drawMenu(selection)
    case nil: break
    }
    return grid
  }

  /// Writes text, in a style of the palette; returns the number of cells written.
  @discardableResult
  mutating func put(_ text: String, _ row: Int, _ column: Int, width: Int = .max, _ role: Palette.Role? = nil) -> Int {
    var text = text.safeForTerminal
    // The ellipsis of a text that is too wide is a symbol, too.
    if isASCII { text = text.truncated(toCells: max(0, min(width, grid.size.columns - column))).withASCIISymbols }
    return grid.put(text, row: row, column: column, width: width, style: role.map { palette[$0] } ?? .plain)
  }

  /// Writes text that ends before the column `end`; returns the first column of it.
  @discardableResult
  mutating func putRight(_ text: String, _ row: Int, before end: Int, _ role: Palette.Role? = nil) -> Int {
    let column = max(0, end - text.safeForTerminal.cellWidth)
    put(text, row, column, width: end - column, role)
    return column
  }

  // MARK: The lines around the screen

  private mutating func drawTabs() {
    guard let row = layout.tabRow else { return }
    for tab in model.tabs {
      put(tab.key, row, tab.columns.lowerBound, .keys)
      let role: Palette.Role? = tab.screen == model.screen ? .heading : .faint
      put(tab.name, row, tab.columns.lowerBound + tab.key.cellWidth + 1, role)
      if tab.screen == model.screen {
        grid.paint(
          row: row, columns: tab.columns, style: TextStyle(effects: .underline))
      }
    }
    // There are more before or after.
    if model.tabs.first?.screen != Screen.allCases.first { put("…", row, 0, .faint) }
    if model.tabs.last?.screen != Screen.allCases.last { putRight("…", row, before: layout.size.columns, .faint) }
  }

  private mutating func drawTitle() {
    guard let row = layout.titleRow else { return }
    let columns = layout.size.columns
    var end = columns
    if let list = model.list, let count = list.count {
      let marks = list.hasMarks ? (list.range == nil ? "" : "range: ") + "\(list.chosenCount) marked, " : ""
      let position = count == 0 ? "empty" : "\(list.cursor + 1)/\(count)"
      end = putRight(marks + position, row, before: columns - 1, .faint) - 1
    } else if model.screen == .nowPlaying, let nowPlaying = player.nowPlaying, let position = nowPlaying.position {
      end = putRight("\(position + 1)/\(nowPlaying.count)", row, before: columns - 1, .faint) - 1
    }
    let names = [model.screen.rawValue] + model.path
    var text = names.joined(separator: " > ")
    if case .search(let typed, _)? = model.list?.content {
      text = "Search: \(typed)" + (model.isTypingSearch ? "▏" : "")
    }
    var used = put(text, row, 1, width: end - 1, .heading)
    // There is no room for a long title below a cover.
    if let list = model.list, model.grid(of: list.content) != nil, let album = list.current, used + 4 < end {
      let name = [album.title, album.artist].filter { !$0.isEmpty }.joined(separator: " · ")
      used += 2 + put(name, row, used + 3, width: end - used - 4, .title)
    }
    if let filters = FilterText.text(model.filters), model.list?.content.isFiltered != false, used + 4 < end {
      let key = model.bindings.keys(of: .clearFilters, isASCII: isASCII).first.map { " (\($0) clears)" } ?? ""
      put("filter: " + filters + key, row, used + 4, width: end - used - 4, .mark)
    }
  }

  private mutating func drawPlayer() {
    guard let row = layout.playerRow else { return }
    let columns = layout.size.columns
    let sign = PhaseSign.text(player.state.phase, isASCII: isASCII)
    guard let track = player.nowPlaying?.track else {
      put(sign + " " + idleText, row, 1, width: columns - 2, .faint)
      return
    }
    let modes = player.nowPlaying.map { ModeText.words($0.modes).joined(separator: "  ") } ?? ""
    var end = columns - 1
    if !modes.isEmpty, modes.cellWidth < columns / 3 { end = putRight(modes, row, before: end, .faint) - 1 }
    var column = 1
    column += put(sign + " ", row, column, width: end - column, .title)
    column += put(track.title, row, column, width: end - column, .title)
    let artists = track.artistCredit
    if !artists.isEmpty, column + 4 < end { column += put(" · " + artists, row, column, width: end - column, .artist) }
    if let album = track.album, column + 4 < end { put(" · " + album, row, column, width: end - column, .faint) }
    drawProgress(track.duration)
  }

  /// What is shown while nothing plays.
  var idleText: String { player.isLookingUp ? "…" : "nothing playing" }

  private mutating func drawProgress(_ tagged: Duration?) {
    guard let row = layout.progressRow else { return }
    let bar = layout.barColumns
    let duration = player.state.duration ?? tagged
    let fraction = duration.flatMap { $0 > .zero ? player.state.position / $0 : nil }
    putRight(TimeText.text(player.state.position), row, before: bar.lowerBound - 1, .progress)
    put(ProgressBar.text(fraction: fraction, cells: bar.count), row, bar.lowerBound, .progress)
    let room = layout.size.columns - bar.upperBound - 1
    guard room > 2 else { return }
    // In whole seconds, so that the times add up.
    let position = Duration.seconds(player.state.position.components.seconds)
    let left = duration.map { "-" + TimeText.text(max(.zero, .seconds($0.components.seconds) - position)) } ?? ""
    put(left, row, bar.upperBound + 1, width: room, .progress)
    guard room > 12 else { return }
    let volume = player.state.volume == 100 ? "" : "vol \(player.state.volume)%"
    putRight(duration.map { TimeText.text($0) } ?? "", row, before: bar.upperBound + 17, .faint)
    putRight(volume, row, before: layout.size.columns - 1, .faint)
  }

  private mutating func drawMessage() {
    let row = layout.messageRow
    let width = layout.size.columns - 1
    let says = model.prompt != nil || model.message != nil || model.list?.problem != nil
    // On the smallest terminals, it is also the last row of the list.
    if layout.listRows.contains(row) {
      guard says else { return }
      grid.clear(row: row)
    }
    switch model.prompt {
    case .command?: putLine(":", row, 0, width: width)
    case .find?: putLine("/", row, 0, width: width)
    case .playlist?: putLine("Add to playlist: ", row, 1, width: width - 1)
    case .rename(let name)?: putLine("Rename \(name) to: ", row, 1, width: width - 1)
    case .change(.deletePlaylists(let names))?:
      let what = names.count == 1 ? "the playlist \(names[0])" : "\(names.count) playlists"
      put("Delete \(what)? This cannot be undone. y or n", row, 1, width: width, .error)
    case .change(.removeFromPlaylist(let name, let files))?:
      let count = ItemCount.text(files.count, "track")
      put("Remove \(count) from \(name)? This cannot be undone. y or n", row, 1, width: width, .error)
    case .change?: put("Change this? y or n", row, 1, width: width, .error)
    case .quit?: put("Stop the music and quit? y or n", row, 1, width: width, .error)
    case nil:
      if let awaited = model.awaited {
        let text = awaited == .rate ? "Rate: type a digit from 0 to 5" : "Go to: type the first letter of a name"
        put(text, row, 1, width: width, .next)
      } else if let message = model.message {
        put(message.text, row, 1, width: width, message.isError ? .error : .next)
      } else if let problem = model.list?.problem {
        put(problem, row, 1, width: width, .error)
      } else if layout.progressRow == nil, player.nowPlaying?.track != nil {
        // There is no room for a bar.
        let duration = player.state.duration ?? player.nowPlaying?.track?.duration
        let times = [TimeText.text(player.state.position), duration.map { TimeText.text($0) }].compactMap { $0 }
        put(times.joined(separator: " / "), row, 1, width: width, .progress)
      } else if layout.playerRow != nil {
        put(hints, row, 1, width: width, .keys)
      }
    }
  }

  /// Writes a prompt and the end of what has been typed, as far as there is room, and what there is to say about it in
  /// the row above.
  private mutating func putLine(_ prompt: String, _ row: Int, _ column: Int, width: Int) {
    let prompt = prompt.safeForTerminal.truncated(toCells: max(0, width / 2))
    let room = max(1, width - prompt.cellWidth - 1)
    var shown = String(model.typed.suffix(room + 1)).safeForTerminal
    if shown.cellWidth > room {
      while shown.cellWidth > room - 1, !shown.isEmpty { shown.removeFirst() }
      shown = "…" + shown
    }
    put(prompt + shown + "▏", row, column, width: width)
    guard let message = model.message, row > 0, !layout.listRows.contains(row) else { return }
    grid.clear(row: row - 1)
    put(message.text, row - 1, 1, width: width - 1, message.isError ? .error : .next)
  }

  private var hints: String {
    if model.isTypingSearch, model.screen == .search {
      let up = model.bindings.keys(of: .up, isASCII: isASCII).first ?? ""
      let down = model.bindings.keys(of: .down, isASCII: isASCII).first ?? ""
      return "type to search  \(up)/\(down) select  enter play  escape other keys"
    }
    let useful = Set(model.usefulActions)
    let actions: [(ScreenAction, String)] = [
      (.help, "keys"), (.menu, "menu"), (.play, model.list?.current?.opensOnPlay == true ? "open" : "play"),
      (.add, "add"), (.remove, "remove"), (.find, "find"), (.undo, "undo"), (.command, "command"),
      (.quit, model.leavingScreen == nil ? "quit" : "close"),
    ]
    let shared: Set<ScreenAction> = [.help, .menu, .undo, .command, .quit]
    return actions.filter { useful.contains($0.0) || shared.contains($0.0) }.compactMap { action, word in
      model.bindings.keys(of: action, isASCII: isASCII).first.map { "\($0) \(word)" }
    }.joined(separator: "  ")
  }

  // MARK: A list

  private mutating func drawList(_ list: ListState) {
    let columns = ListColumns(list.content, width: layout.size.columns)
    for row in layout.listRows {
      let number = list.top + row - layout.listRows.lowerBound
      guard number < list.count ?? 0 else { break }
      let isCurrent = list.content == .queue && number == model.currentPosition
      let isMarked = list.isMarked(number)
      if let content = list.row(number) {
        let role: Palette.Role? =
          content.isMissing ? .error : isCurrent ? .title : isMarked ? .mark : nil
        put(isMarked ? "*" : " ", row, 0, .mark)
        if isCurrent { put(PhaseSign.text(player.state.phase, isASCII: false), row, 1, .title) }
        for column in columns.all {
          let text = column.kind.text(of: content, number: number)
          if column.alignment == .right {
            putRight(
              text.safeForTerminal.truncated(toCells: column.columns.count), row, before: column.columns.upperBound,
              role ?? column.role)
          } else {
            put(text, row, column.columns.lowerBound, width: column.columns.count, role ?? column.role)
          }
        }
      } else {
        put("…", row, 3, .faint)
      }
      if number == list.cursor {
        grid.paint(row: row, columns: 0..<layout.size.columns, style: palette[.selection])
      }
    }
    if list.count == 0, list.problem == nil, let row = layout.listRows.first {
      put(list.content.emptyText, row, 3, width: layout.size.columns - 4, .faint)
    }
  }
}

extension ListContent {
  /// What is shown in place of the rows if there are none.
  fileprivate var emptyText: String {
    switch self {
    case .queue: "The queue is empty: find music on another screen, and press Enter to play or a to add it."
    case .search(let text, _): text.isEmpty ? "Type to search artists, albums and songs." : "no matches"
    case .playlists: "There are no playlists; `:queue save NAME` saves the queue as one."
    case .albums, .artists, .songs, .genres, .years, .directory:
      "no music here; `:scan` reads the music directory again, and `segue --library DIRECTORY` another one"
    case .album, .playlist, .outputs: "nothing here"
    }
  }
}
