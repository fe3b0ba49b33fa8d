// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// Lists: rows in columns, with headings and a scroll bar.
extension FullScreenDrawing {
  /// How a list is drawn.
  struct ListStyle {
    /// Whether the row under the cursor is shown.
    var hasCursor = true
    var hasHeadings = true
    /// Whether it is one of several lists side by side, which have columns of their own.
    var isPane = false
    /// The columns; `nil` for those that the user has chosen, or of the list.
    var columns: [ListColumn.Choice]?
    /// Whether it is the list before the one that is used.
    var isDimmed = false
  }

  /// Draws a list in `area`, whose first row has the headings if there are any.
  mutating func drawList(_ list: ListState, in area: CellArea, _ style: ListStyle = ListStyle()) {
    let columns = ListColumns(
      list.view, width: area.columns,
      chosen: style.columns ?? (style.isPane ? nil : model.columns[list.content.kindName]))
    var rows = area.rowRange
    if style.hasHeadings, let row = rows.first {
      rows = rows.dropFirst()
      for column in columns.all { put(column.kind.heading(in: list.content), row, area.column, column, .faint) }
    }
    let end = area.column + area.columns
    for (row, line) in zip(rows, list.lines(rows.count)) {
      guard case .row(let number) = line else {
        if case .disc(let disc) = line { put("Disc \(disc)", row, area.column + 3, width: area.columns - 4, .heading) }
        continue
      }
      drawRow(list, number, row, area, columns, style)
      if style.hasCursor, number == list.cursor {
        let selection = style.isDimmed ? TextStyle(effects: .underline) : palette[.selection]
        grid.paint(row: row, columns: area.column..<end - 1, style: selection)
      }
    }
    drawScrollBar(list, rows, column: end - 1)
    if list.count == 0, list.problem == nil, let row = rows.first {
      for (row, line) in zip(row..., list.emptyText.wrapped(toCells: area.columns - 4)) where rows.contains(row) {
        put(line, row, area.column + 3, width: area.columns - 4, .faint)
      }
    }
  }

  private mutating func drawRow(
    _ list: ListState, _ number: Int, _ row: Int, _ area: CellArea, _ columns: ListColumns, _ style: ListStyle
  ) {
    guard let content = list.row(number) else {
      put("…", row, area.column + 3, .faint)
      return
    }
    let isCurrent = model.currentItem.map { content.target == .item($0) } ?? false
    let isMarked = list.isMarked(number)
    let role: Palette.Role? =
      content.isMissing ? .error : isCurrent ? .title : isMarked ? .mark : style.isDimmed ? .faint : nil
    put(isMarked ? "*" : content.isRefill == true ? "+" : " ", row, area.column, .mark)
    if isCurrent { put(PhaseSign.text(player.state.phase, isASCII: false), row, area.column + 1, .title) }
    // The row under the cursor has one colour, which can be read on its background.
    let isSelected = style.hasCursor && !style.isDimmed && number == list.cursor
    for column in columns.all {
      let role = role ?? (isSelected ? nil : column.role)
      put(column.kind.text(of: content, number: number), row, area.column, column, role)
    }
  }

  /// Writes the text of a column that is counted from `start`.
  private mutating func put(
    _ text: String, _ row: Int, _ start: Int, _ column: ListColumns.Column, _ role: Palette.Role?
  ) {
    let cells = start + column.columns.lowerBound..<start + column.columns.upperBound
    if column.alignment == .right {
      putRight(text.safeForTerminal.truncated(toCells: cells.count), row, before: cells.upperBound, role)
    } else {
      put(text, row, cells.lowerBound, width: cells.count, role)
    }
  }

  /// Draws a bar that shows which part of a list is visible, if not all of it is.
  mutating func drawScrollBar(_ list: ListState, _ rows: Range<Int>, column: Int) {
    let window = model.window(of: list.content)
    let lines = window.columns > 1 ? window.lines(list.count ?? 0) : list.count ?? 0
    let (visible, top) = window.columns > 1 ? (window.rows, list.top / window.columns) : (rows.count, list.top)
    guard lines > visible, rows.count >= 4 else { return }
    let height = max(1, rows.count * visible / lines)
    let start = (rows.count - height) * min(top, lines - visible) / max(1, lines - visible)
    for (index, row) in rows.enumerated() {
      let isThumb = (start..<start + height).contains(index)
      put(isThumb ? "┃" : "│", row, column, isThumb ? .progress : .faint)
    }
  }
}

extension ListState {
  /// What is shown in place of the rows if there are none.
  var emptyText: String {
    switch content {
    case .queue where view.filter.isEmpty:
      "The queue is empty: find music on another screen, and press Enter to play or a to add it."
    case _ where !view.filter.isEmpty: "nothing here matches \"\(view.filter)\""
    case .search(let text, _): text.isEmpty ? "Type to search artists, albums and songs." : "no matches"
    case .playlists:
      "There are no playlists; P on any track or album begins one, and `:playlist save NAME` saves the queue as one."
    case .albums, .artists, .songs, .genres, .years, .directory:
      "no music here; `:scan` reads the music directory again, and `segue --library DIRECTORY` another one"
    case .queue, .album, .playlist, .outputs: "nothing here"
    }
  }

  /// Returns the number of rows in words, and their duration if all of it is known, and how much of the queue is left
  /// when `position` has been played of the current item, at `speed`; `nil` before the first page.
  func summary(at position: Duration, _ speed: PlaybackSpeed = .normal) -> String? {
    guard let count, count > 0 else { return nil }
    let noun =
      switch content {
      case .albums: "album"
      case .artists: "artist"
      case .genres: "genre"
      case .years: "year"
      case .playlists: "playlist"
      case .outputs: "output"
      case .search: "match"
      case .directory: "entry"
      case .queue, .album, .songs, .playlist: "track"
      }
    let plural = noun == "match" ? "matches" : noun == "entry" ? "entries" : noun + "s"
    let duration = durationText
    let left = queueDurations?.remaining.map { TimeText.text(speed.time(for: max(.zero, $0 - position))) + " left" }
    return (["\(count) \(count == 1 ? noun : plural)", duration, left ?? ""].filter { !$0.isEmpty })
      .joined(separator: " · ")
  }

  /// The total duration of the tracks of a list all of whose rows are loaded.
  private var durationText: String {
    switch content {
    case .queue:
      if let all = queueDurations?.all { return all > .zero ? TimeText.text(all) : "" }
    case .album, .playlist: break
    default: return ""
    }
    guard let count, count <= Self.pageSize, (0..<count).allSatisfy({ row($0) != nil }) else { return "" }
    let total = (0..<count).reduce(Duration.zero) { $0 + (row($1)?.duration ?? .zero) }
    return total > .zero ? TimeText.text(total) : ""
  }
}

extension String {
  /// Returns the text in lines of at most `cells` cells, broken between words where that is possible.
  func wrapped(toCells cells: Int) -> [String] {
    guard cells > 0 else { return [] }
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.cellWidth + 1 + String(word).cellWidth <= cells {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
