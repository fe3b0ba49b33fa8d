// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// How albums are laid out as a grid of covers, with the title and the artist below each.
struct AlbumGrid: Equatable, Sendable {
  /// The cells between two covers.
  private static let gap = 2
  /// The least number of cells to the left and to the right of the covers.
  private static let margin = 2

  /// The size of a cover in cells. A cell is about twice as high as wide, so that this is a square.
  let coverColumns: Int
  let coverRows: Int
  /// The number of covers side by side.
  let columns: Int
  /// The number of covers above one another.
  let rows: Int
  /// The rows below a cover: one or two for the title, and one for the artist and the year.
  let captionRows: Int
  /// The cells to the left of the covers, so that the rows are centred.
  private let indent: Int
  /// The rows above the covers: one if there is room.
  private let top: Int

  /// Creates the grid for the list of a screen; `nil` if there is no room for at least eight covers.
  init?(_ layout: ScreenLayout) {
    let room = layout.size.columns - 2 * Self.margin + Self.gap
    let height = layout.bodyRows.count
    let least = layout.size.columns >= 120 && height >= 36 ? 20 : 14
    columns = room / (least + Self.gap)
    guard columns >= 4 else { return nil }
    captionRows = height / 2 - least / 2 >= 3 ? 3 : 2
    // The covers grow until they fill the width, as long as two of them are above one another.
    let widest = max(least, 2 * (height / 2 - captionRows))
    coverColumns = min(room / columns - Self.gap, widest) / 2 * 2
    coverRows = coverColumns / 2
    rows = height / (coverRows + captionRows)
    top = min(1, height - rows * (coverRows + captionRows))
    indent = (layout.size.columns - columns * (coverColumns + Self.gap) + Self.gap) / 2
    guard rows >= 2 else { return nil }
  }

  /// Returns the first row and column of a tile, counted from the first cell of the list.
  func origin(of index: Int) -> (row: Int, column: Int) {
    (
      top + index / columns * (coverRows + captionRows), indent + index % columns * (coverColumns + Self.gap)
    )
  }

  /// Returns the tile that contains a cell; `nil` if none does.
  func index(row: Int, column: Int) -> Int? {
    let (line, tile) = (
      (row - top) / (coverRows + captionRows), (column - indent) / (coverColumns + Self.gap)
    )
    let isInTile = column >= indent && (column - indent) % (coverColumns + Self.gap) < coverColumns
    return isInTile && row >= top && line < rows && tile < columns ? line * columns + tile : nil
  }
}

extension FullScreenDrawing {
  /// Draws a list of albums as a grid of covers.
  mutating func drawGrid(_ list: ListState, _ albums: AlbumGrid) {
    for index in 0..<albums.rows * albums.columns {
      let number = list.top + index
      guard number < list.count ?? 0 else { break }
      let origin = albums.origin(of: index)
      let (row, column) = (layout.bodyRows.lowerBound + origin.row, origin.column)
      let content = list.row(number)
      if case .album(let id)? = content?.target, let cover = albumCovers[id] {
        // A cover that is not square is centred.
        let left = column + (albums.coverColumns - cover.columns) / 2
        grid.pictures.append(PlacedPicture(cover, row: row + (albums.coverRows - cover.rows) / 2, column: left))
      } else {
        let area = CellArea(row: row, column: column, columns: albums.coverColumns, rows: albums.coverRows)
        drawInitials(of: content?.title ?? "", artist: content?.artist ?? "", in: area)
      }
      let isMarked = list.isMarked(number)
      let caption = row + albums.coverRows
      let title = (isMarked ? "*" : "") + (content?.title ?? "…")
      let lines = title.wrapped(toCells: albums.coverColumns).prefix(albums.captionRows - 1)
      for (line, text) in lines.enumerated() {
        put(text, caption + line, column, width: albums.coverColumns, isMarked ? .mark : nil)
        let columns = column..<column + albums.coverColumns
        grid.paint(row: caption + line, columns: columns, style: TextStyle(effects: .bold))
      }
      let details = [content?.artist ?? "", content?.detail ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
      put(details, caption + lines.count, column, width: albums.coverColumns, .artist)
      guard number == list.cursor else { continue }
      for row in caption...caption + lines.count {
        put("▌", row, column - 1, .title)
        grid.paint(row: row, columns: column..<column + albums.coverColumns, style: palette[.selection])
      }
    }
  }

  /// Draws the initials of an album in place of its cover, on a colour that is drawn from its name; in a frame where
  /// there are no colours.
  mutating func drawInitials(of name: String, artist: String, in area: CellArea) {
    guard area.columns >= 2, area.rows >= 1 else { return }
    let initials = String(
      name.safeForTerminal.split(separator: " ").compactMap(\.first).filter { $0.isLetter || $0.isNumber }.prefix(2)

    ).uppercased()
    if model.showsCovers {
      let style = TextStyle(
        foreground: .rgb(240, 240, 240), background: CoverColour.background(of: name + artist), effects: .bold)
      for row in area.rowRange { grid.fill(row: row, columns: area.columnRange, style: style) }
    } else {
      let width = area.columns - 2
      put("┌" + String(repeating: "─", count: width) + "┐", area.row, area.column, .faint)
      for row in area.rowRange.dropFirst().dropLast() {
        put("│", row, area.column, .faint)
        put("│", row, area.column + width + 1, .faint)
      }
      put("└" + String(repeating: "─", count: width) + "┘", area.row + area.rows - 1, area.column, .faint)
    }
    put(initials, area.row + area.rows / 2, area.column + (area.columns - initials.cellWidth) / 2, width: area.columns)
  }
}

/// The colour that stands for an album without a cover.
enum CoverColour {
  /// Returns a dark colour whose hue depends on `name` (by the FNV-1a hash), the same at each start of the program.
  static func background(of name: String) -> TextStyle.Colour {
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let hue = Double(hash % 360) / 60
    let component = { (offset: Double) -> UInt8 in
      let distance = abs((hue + offset).truncatingRemainder(dividingBy: 6) - 3) - 1
      return UInt8(50 + 75 * max(0, min(1, distance)))
    }
    return .rgb(component(0), component(4), component(2))
  }
}
