// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Terminal
import UserSettings

/// The areas of lists side by side: the list from which this one was opened, this one, and what is under its cursor.
struct PaneLayout: Equatable, Sendable {
  /// The least number of columns of a terminal on which lists are shown side by side.
  static let minimumWidth = 90

  /// The area of the list before this one; `nil` if this is the first one.
  private(set) var parent: CellArea?
  private(set) var list: CellArea
  private(set) var preview: CellArea

  init(_ area: CellArea, hasParent: Bool) {
    let parentColumns = hasParent ? area.columns / 4 : 0
    let listColumns = (area.columns - parentColumns) * (hasParent ? 50 : 40) / 100
    parent = hasParent ? CellArea(row: area.row, column: 0, columns: parentColumns, rows: area.rows) : nil
    list = CellArea(row: area.row, column: parentColumns, columns: listColumns, rows: area.rows)
    let start = parentColumns + listColumns
    preview = CellArea(row: area.row, column: start, columns: area.columns - start, rows: area.rows)
  }
}

/// Lists side by side.
extension FullScreenModel {
  /// The screens that show lists side by side.
  private static let paneScreens: Set<Screen> = [.artists, .genres, .years, .directories, .playlists]

  /// The areas of the lists side by side; `nil` if only one list is shown.
  var panes: PaneLayout? {
    guard Self.paneScreens.contains(screen), layout.size.columns >= PaneLayout.minimumWidth,
      layout.headingRow != nil, let stack = lists[screen], !stack.isEmpty
    else { return nil }
    return PaneLayout(layout.listArea, hasParent: stack.count > 1)
  }

  /// The list from which this one was opened; `nil` if this is the first one of its screen.
  var parentList: ListState? { lists[screen, default: []].dropLast().last }

  /// What is in the row under the cursor; `nil` if it is a track.
  var previewContent: ListContent? {
    guard panes != nil, let row = list?.current else { return nil }
    return content(of: row)
  }

  /// Returns the list that opens from a row; `nil` if none does.
  func content(of row: ListRow) -> ListContent? {
    switch row.target {
    case .album(let id): .album(id)
    case .artist(let name): .albums(narrowed(.text(.artist, TextPattern(name, kind: .exact))))
    case .genre(let name): .albums(narrowed(.text(.genre, TextPattern(name, kind: .exact))))
    case .year(let year): .albums(narrowed(.number(.year, QueryRange(from: year, to: year))))
    case .playlist(let name): .playlist(name)
    case .directory(let path): .directory(path)
    case .item, .track, .file, .output: nil
    }
  }

  private func narrowed(_ query: LibraryQuery) -> LibraryQuery { .conjunction([filters.query, query]) }
}

extension FullScreenDrawing {
  /// Draws lists side by side.
  mutating func drawPanes(_ panes: PaneLayout, _ list: ListState) {
    if let area = panes.parent, let parent = model.parentList {
      drawList(parent, in: area, ListStyle(isPane: true, isDimmed: true))
    }
    drawList(list, in: panes.list, ListStyle(isPane: true))
    if let preview = model.preview { drawList(preview, in: panes.preview, ListStyle(hasCursor: false, isPane: true)) }
  }
}
