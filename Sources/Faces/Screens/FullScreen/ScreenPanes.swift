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

/// The room below the list of the right pane: for the cover of an album, and its tracks beside it.
struct AlbumRoom: Equatable, Sendable {
  let album: Int64
  let cover: CellArea
  /// `nil` if the list above has the tracks.
  let tracks: CellArea?

  /// Creates the room below `count` rows in `area`; `nil` if there is none. Covers always have the same size, so that
  /// they need not be drawn again.
  init?(of album: Int64, below count: Int, in area: CellArea, hasTracks: Bool) {
    let rows = min(area.rows / 2, area.columns / 4) - 1
    // The headings and an empty row.
    let top = area.row + count + 2
    let height = area.row + area.rows - top
    guard rows >= 6, rows <= height else { return nil }
    self.album = album
    cover = CellArea(row: top, column: area.column + 3, columns: 2 * rows, rows: rows)
    let used = 3 + cover.columns
    tracks =
      hasTracks
      ? CellArea(row: top, column: area.column + used, columns: area.columns - used, rows: height) : nil
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

  /// The room for the album that the right pane shows, or the first one in it; `nil` if there is none.
  var albumRoom: AlbumRoom? {
    guard showsCovers, overlay == nil, let area = panes?.preview, let preview, let count = preview.count else {
      return nil
    }
    if case .album(let id) = preview.content {
      return AlbumRoom(of: id, below: preview.lines(area.rows).count, in: area, hasTracks: false)
    }
    guard case .album(let id)? = preview.row(0)?.target else { return nil }
    return AlbumRoom(of: id, below: count, in: area, hasTracks: true)
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
  /// How the tracks beside a cover are drawn: with their numbers and times.
  private static let trackStyle = ListStyle(
    hasCursor: false, hasHeadings: false, isPane: true, columns: ListColumn.choices("detail:5 title time"))

  /// Draws lists side by side.
  mutating func drawPanes(_ panes: PaneLayout, _ list: ListState) {
    if let area = panes.parent, let parent = model.parentList {
      drawList(parent, in: area, ListStyle(isPane: true, isDimmed: true))
    }
    drawList(list, in: panes.list, ListStyle(isPane: true))
    guard let preview = model.preview else { return }
    drawList(preview, in: panes.preview, ListStyle(hasCursor: false, isPane: true))
    guard let room = model.albumRoom else { return }
    if let cover = albumCovers[room.album] {
      grid.pictures.append(PlacedPicture(cover, row: room.cover.row, column: room.cover.column))
    } else {
      let name = room.tracks == nil ? preview.title : preview.row(0)?.title
      drawInitials(of: name ?? "", artist: "", in: room.cover)
    }
    if let area = room.tracks, let tracks = model.albumTracks {
      drawList(tracks, in: area, Self.trackStyle)
    }
  }
}
