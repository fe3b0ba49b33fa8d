// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import PlayerPort
import Terminal
import UserSettings

/// How albums are laid out as a grid of covers, with the title and the artist below each.
struct AlbumGrid: Equatable, Sendable {
  /// The cells between two covers.
  private static let gap = 2
  /// The cells to the left of the covers.
  private static let margin = 2
  /// The rows below a cover, for the title and the artist.
  private static let captionRows = 2

  /// The size of a cover in cells. A cell is about twice as high as wide, so that this is a square.
  let coverColumns: Int
  let coverRows: Int
  /// The number of covers side by side.
  let columns: Int
  /// The number of covers above one another.
  let rows: Int

  /// Creates the grid for the list of a screen; `nil` if there is no room for at least eight covers.
  init?(_ layout: ScreenLayout) {
    let isLarge = layout.size.columns >= 120 && layout.listHeight >= 36
    (coverColumns, coverRows) = isLarge ? (20, 10) : (14, 7)
    columns = (layout.size.columns - Self.margin) / (coverColumns + Self.gap)
    rows = layout.listHeight / (coverRows + Self.captionRows)
    guard columns >= 4, rows >= 2 else { return nil }
  }

  /// Returns the first row and column of a tile, counted from the first cell of the list.
  func origin(of index: Int) -> (row: Int, column: Int) {
    (
      index / columns * (coverRows + Self.captionRows), Self.margin + index % columns * (coverColumns + Self.gap)
    )
  }

  /// Returns the tile that contains a cell; `nil` if none does.
  func index(row: Int, column: Int) -> Int? {
    let (line, tile) = (
      row / (coverRows + Self.captionRows), (column - Self.margin) / (coverColumns + Self.gap)
    )
    let isInTile = column >= Self.margin && (column - Self.margin) % (coverColumns + Self.gap) < coverColumns
    return isInTile && line < rows && tile < columns ? line * columns + tile : nil
  }
}

extension FullScreenDrawing {
  /// Draws a list of albums as a grid of covers.
  mutating func drawGrid(_ list: ListState, _ albums: AlbumGrid) {
    for index in 0..<albums.rows * albums.columns {
      let number = list.top + index
      guard number < list.count ?? 0 else { break }
      let origin = albums.origin(of: index)
      let (row, column) = (layout.listRows.lowerBound + origin.row, origin.column)
      let content = list.row(number)
      if case .album(let id)? = content?.target, let cover = albumCovers[id] {
        // A cover that is not square is centred.
        let left = column + (albums.coverColumns - cover.columns) / 2
        grid.pictures.append(PlacedPicture(cover, row: row + (albums.coverRows - cover.rows) / 2, column: left))
      } else {
        drawEmptyCover(row, column, albums)
      }
      let isMarked = list.isMarked(number)
      let caption = row + albums.coverRows
      let title = (isMarked ? "*" : "") + (content?.title ?? "…")
      put(title, caption, column, width: albums.coverColumns, isMarked ? .mark : .title)
      put(content?.artist ?? "", caption + 1, column, width: albums.coverColumns, .artist)
      guard number == list.cursor else { continue }
      for row in [caption, caption + 1] {
        put("▌", row, column - 1, .title)
        grid.paint(row: row, columns: column..<column + albums.coverColumns, style: palette[.selection])
      }
    }
  }

  /// Draws a frame in place of a cover.
  private mutating func drawEmptyCover(_ row: Int, _ column: Int, _ albums: AlbumGrid) {
    let width = albums.coverColumns - 2
    put("┌" + String(repeating: "─", count: width) + "┐", row, column, .faint)
    for line in 1..<albums.coverRows - 1 {
      put("│", row + line, column, .faint)
      put("│", row + line, column + width + 1, .faint)
    }
    put("└" + String(repeating: "─", count: width) + "┘", row + albums.coverRows - 1, column, .faint)
  }
}
