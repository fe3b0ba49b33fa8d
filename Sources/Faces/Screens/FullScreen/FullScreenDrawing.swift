// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
package import CoverDrawing
import MusicModel
import Platform
package import PlayerPort
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
    /// What is audible, if the screen shows it.
    package var sound: SoundFrame?
    package var spectrumForm = SpectrumDrawing.Form.bars
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
    case .lyrics:
      let body = layout.bodyRows
      drawLyrics(
        in: CellArea(row: body.lowerBound, column: 2, columns: layout.size.columns - 4, rows: body.count))
    default:
      guard let list = model.list else { break }
      if let albums = model.grid(of: list.content), list.count != 0 {
        drawGrid(list, albums)
        drawScrollBar(list, layout.bodyRows, column: layout.size.columns - 1)
      } else if let panes = model.panes {
        drawPanes(panes, list)
      } else {
        drawList(list, in: layout.listArea, ListStyle(hasHeadings: layout.headingRow != nil))
      }
    }
    drawPlayer()
    drawMessage()
    switch model.overlay {
    case .actions(let selection)?: drawActions(selection)
    case .popup(let popup)?: draw(popup)
    case .equaliser(let editor)?: draw(editor)
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

  // MARK: The line below the player

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
    case .find?: putLine("Find: ", row, 1, width: width - 1)
    case .filter?: putLine("Filter: ", row, 1, width: width - 1)
    case .rename(let name)?: putLine("Rename \(name) to: ", row, 1, width: width - 1)
    case .quit?: put("Stop the music and quit? y or n", row, 1, width: width, .error)
    case nil:
      if let awaited = model.awaited {
        let text =
          awaited == .rate ? "Rate: type a digit from 0 to 5, or l to like" : "Go to: type the first letter of a name"
        put(text, row, 1, width: width, .next)
      } else if let message = model.message {
        put(message.text, row, 1, width: width, message.isError ? .error : .next)
      } else if let problem = model.list?.problem {
        put(problem, row, 1, width: width, .error)
      } else if layout.progressRow == nil, player.nowPlaying?.track != nil {
        // There is no room for a bar.
        let times = [TimeText.text(player.state.position), model.duration.map { TimeText.text($0) }].compactMap { $0 }
        put(times.joined(separator: " / "), row, 1, width: width, .progress)
      } else if layout.playerRow != nil {
        put(hints(columns: width - 1), row, 1, width: width, .keys)
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

  /// The keys that are worth knowing here, as many as there is room for: help and quitting to the last.
  private func hints(columns: Int) -> String {
    if model.isTypingSearch, model.screen == .search {
      let up = model.bindings.keys(of: .up, isASCII: isASCII).first ?? ""
      let down = model.bindings.keys(of: .down, isASCII: isASCII).first ?? ""
      return "type to search  \(up)/\(down) select  enter play  escape other keys"
    }
    let useful = Set(model.usefulActions)
    var actions: [(ScreenAction, String)] = [
      (.help, "keys"), (.play, model.list?.current?.opensOnPlay == true ? "open" : "play"),
      (.add, "add"), (.remove, "remove"), (.pause, "pause"), (.showSearch, "search"), (.filterList, "filter"),
      (.sort, "sort"), (.undo, "undo"), (.command, "command"),
    ]
    // Whoever is in a screen that was opened from elsewhere wants to know first how to go back.
    let isOpened = model.leavingScreen != nil
    actions.insert((.quit, isOpened ? "close" : "quit"), at: isOpened ? 1 : actions.endIndex)
    let shared: Set<ScreenAction> = [.help, .undo, .command, .quit, .showSearch, .pause]
    var hints = actions.filter { useful.contains($0.0) || shared.contains($0.0) }.compactMap { action, word in
      model.bindings.keys(of: action, isASCII: isASCII).first.map { "\($0) \(word)" }
    }
    while hints.count > 2, hints.joined(separator: "  ").cellWidth > columns {
      hints.remove(at: isOpened ? hints.count - 1 : hints.count - 2)
    }
    return hints.joined(separator: "  ")
  }
}
