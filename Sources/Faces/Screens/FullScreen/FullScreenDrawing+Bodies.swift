// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The screens that show no list, and what covers a screen.
extension FullScreenDrawing {
  /// Returns the area for the cover on the now-playing screen of this size; `nil` if it is too small for one.
  static func coverArea(_ size: TerminalSize) -> (row: Int, column: Int, columns: Int, rows: Int)? {
    let rows = ScreenLayout(size: size).listRows
    guard size.columns >= 50, rows.count >= 6 else { return nil }
    return (rows.lowerBound, 2, min(size.columns * 2 / 5, rows.count * 5 / 2), rows.count - 1)
  }

  mutating func drawNowPlaying() {
    guard let nowPlaying = player.nowPlaying, let track = nowPlaying.track else {
      put(idleText, layout.listRows.lowerBound, 2, width: layout.size.columns - 3, .faint)
      return
    }
    var left = 2
    if let cover, let area = Self.coverArea(layout.size) {
      grid.pictures = [PlacedPicture(cover, row: area.row, column: area.column)]
      left += cover.columns + 2
    }
    let width = layout.size.columns - left - 1
    let year = track.date.map { " (\($0.year))" } ?? ""
    var lines: [(text: String, role: Palette.Role?)] = [(track.title, .title)]
    if !track.artists.isEmpty { lines.append((track.artistCredit, .artist)) }
    lines.append(((track.album ?? nowPlaying.title) + year, .artist))
    if let chapter = player.state.chapter { lines.append((chapter, nil)) }
    if let rating = player.rating {
      let row = ListRow(.year(0), title: "", rating: rating)
      lines.append((ListColumns.Kind.rating.text(of: row, number: 0), .mark))
    }
    if let source = player.state.format {
      let suffix = StreamAddress(track.path) == nil ? track.path.extension : nil
      lines.append(((suffix.map { $0.uppercased() + ", " } ?? "") + FormatText.text(source), .faint))
      if let deviations = player.state.deviations { lines.append((FormatText.path(deviations), .faint)) }
    }
    if player.showsLevels {
      lines += MeterLines.lines(player.levels, cells: width).map { ($0, .progress) }
    }
    if !nowPlaying.next.isEmpty {
      lines.append(("", nil))
      lines.append(("Next", .heading))
      lines += nowPlaying.next.map { next in
        let isSame = next.artists.isEmpty || next.artists == track.artists
        return (next.title + (isSame ? "" : " · " + next.artistCredit), .next)
      }
    }
    for (row, line) in zip(layout.listRows, lines) { put(line.text, row, left, width: width, line.role) }
  }

  mutating func drawLyrics() {
    let width = layout.size.columns - 5
    switch model.lyrics.content {
    case .loading: put("…", layout.listRows.lowerBound, 2, .faint)
    case .none:
      let text =
        player.nowPlaying?.track == nil
        ? "nothing playing" : "no lyrics: put a file with the suffix .lrc beside the track"
      put(text, layout.listRows.lowerBound, 2, width: width, .faint)
    case .unusable(let reason): put(reason, layout.listRows.lowerBound, 2, width: width, .faint)
    case .lyrics(let lyrics):
      let lines = model.lyrics.lines
      let current = lyrics.line(at: player.state.position)
      let first = model.lyrics.firstLine(at: player.state.position, height: layout.listHeight)
      for (row, number) in zip(layout.listRows, first..<max(first, lines.count)) {
        let line = lines[number]
        guard number == current else {
          put(line.text, row, 4, width: width, lyrics.isSynced ? .next : nil)
          continue
        }
        put(PhaseSign.text(.playing, isASCII: false), row, 2, .title)
        // The words that have been sung are lit; all of them if only the line has a time.
        let sung = line.parts.last { $0.start <= player.state.position }
        let next = line.parts.first { $0.start > player.state.position }
        let lit = line.parts.isEmpty ? line.text.count : sung == nil ? 0 : next?.offset ?? line.text.count
        let used = put(String(line.text.prefix(lit)), row, 4, width: width, .title)
        put(String(line.text.dropFirst(lit)), row, 4 + used, width: width - used)
      }
    }
  }

  // MARK: What covers a screen

  /// Clears the rows of the screen, for what covers it.
  private mutating func clearBody() {
    for row in layout.listRows {
      grid.clear(row: row)
    }
    grid.pictures = []
  }

  mutating func drawHelp(from top: Int) {
    clearBody()
    let keyCells = min(22, max(10, layout.size.columns / 3))
    var lines: [(keys: String, text: String)] = []
    for group in model.helpGroups where !group.actions.isEmpty {
      if !lines.isEmpty { lines.append(("", "")) }
      lines.append((group.heading, ""))
      for action in group.actions {
        let keys = model.bindings.keys(of: action, isASCII: isASCII).joined(separator: " ")
        if !keys.isEmpty { lines.append((keys, action.help)) }
      }
    }
    let first = max(0, min(top, lines.count - layout.listHeight))
    for (row, line) in zip(layout.listRows, lines.dropFirst(first)) {
      if line.text.isEmpty {
        put(line.keys, row, 1, .heading)
      } else {
        put(line.keys, row, 2, width: keyCells - 3, .keys)
        put(line.text, row, keyCells, width: layout.size.columns - keyCells - 1)
      }
    }
  }

  mutating func drawMenu(_ selection: Int) {
    clearBody()
    let actions = model.menuActions
    let first = max(0, min(selection - layout.listHeight / 2, actions.count - layout.listHeight))
    for (row, number) in zip(layout.listRows, first..<max(first, actions.count)) {
      let keys = model.bindings.keys(of: actions[number], isASCII: isASCII).first ?? ""
      putRight(keys, row, before: 9, .keys)
      put(actions[number].help, row, 11, width: layout.size.columns - 12)
      if number == selection {
        grid.paint(row: row, columns: 0..<layout.size.columns, style: palette[.selection])
      }
    }
  }
}

/// The names of the screens in the first row.
extension FullScreenModel {
  /// The name of a screen, its key, and the cells that they take.
  struct Tab: Equatable {
    let screen: Screen
    let key: String
    let name: String
    let columns: Range<Int>
  }

  /// The tabs that fit into the first row, among them that of this screen.
  var tabs: [Tab] {
    let all = Screen.allCases
    var first = 0
    while true {
      let tabs = tabs(from: first)
      if tabs.contains(where: { $0.screen == screen }) || first + 1 >= all.count { return tabs }
      first += 1
    }
  }

  private func tabs(from first: Int) -> [Tab] {
    var tabs: [Tab] = []
    var column = 1
    for screen in Screen.allCases.dropFirst(first) {
      let key = bindings.keys(of: screen.action, isASCII: true).first ?? ""
      let end = column + key.cellWidth + 1 + screen.rawValue.cellWidth
      guard end < size.columns else { break }
      tabs.append(Tab(screen: screen, key: key, name: screen.rawValue, columns: column..<end))
      column = end + 2
    }
    return tabs
  }

  /// Returns the screen whose tab takes a cell of the first row; `nil` if none does.
  func tab(at column: Int) -> Screen? { tabs.first { $0.columns.contains(column) }?.screen }

  /// Moves in the lyrics.
  mutating func scrollLyrics(_ action: ScreenAction) -> [ScreenEffect] {
    let page = layout.listHeight
    switch action {
    case .up: lyrics.scroll(by: -1)
    case .down: lyrics.scroll(by: 1)
    case .halfPageUp: lyrics.scroll(by: -page / 2)
    case .halfPageDown: lyrics.scroll(by: page / 2)
    case .pageUp: lyrics.scroll(by: -page)
    case .pageDown: lyrics.scroll(by: page)
    case .first: lyrics.scroll(by: -lyrics.lines.count)
    case .last: lyrics.scroll(by: lyrics.lines.count)
    case .back: lyrics.follow()
    default: break
    }
    return []
  }
}
