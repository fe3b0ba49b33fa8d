// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// A rectangle of cells.
package struct CellArea: Equatable, Sendable {
  package var row: Int
  package var column: Int
  package var columns: Int
  package var rows: Int

  var columnRange: Range<Int> { column..<column + max(0, columns) }
  var rowRange: Range<Int> { row..<row + max(0, rows) }
}

/// Where the parts of a full screen are, for the size of a terminal. Rows and columns are counted from 0. On small
/// terminals, the list remains, and other parts are left out.
struct ScreenLayout: Equatable, Sendable {
  let size: TerminalSize
  /// The width of the elapsed time, before the bar.
  var elapsedCells = 4
  /// The width of the duration, after the bar; 0 if it is not known.
  var durationCells = 4

  /// The row with the names of the screens; `nil` if there is no room for it.
  var tabRow: Int? { size.rows >= 8 ? 0 : nil }
  /// The row with the title of the list; `nil` if there is no room for it.
  var titleRow: Int? { size.rows >= 8 ? 1 : size.rows >= 4 ? 0 : nil }
  /// The row with the headings of the columns of a list; `nil` if there is no room for it.
  var headingRow: Int? { size.rows >= 12 && size.columns >= 40 ? 2 : nil }
  /// The rows between the title and the player.
  var bodyRows: Range<Int> {
    let first = (titleRow ?? -1) + 1
    return first..<max(first + 1, separatorRow ?? playerRow ?? size.rows)
  }
  /// The rows of a list.
  var listRows: Range<Int> {
    let body = bodyRows
    let first = headingRow.map { $0 + 1 } ?? body.lowerBound
    return first..<max(first + 1, body.upperBound)
  }
  /// The area of a list, with the headings of its columns.
  var listArea: CellArea {
    let first = headingRow ?? listRows.lowerBound
    return CellArea(row: first, column: 0, columns: size.columns, rows: listRows.upperBound - first)
  }
  /// The number of rows of the list.
  var listHeight: Int { listRows.count }
  /// The row between the list and the player; `nil` if there is no room for it.
  var separatorRow: Int? { size.rows >= 16 ? size.rows - 4 : nil }
  /// The row with the title of what is playing; `nil` if there is no room for it.
  var playerRow: Int? { size.rows >= 5 ? size.rows - (size.rows >= 7 ? 3 : 2) : nil }
  /// The row with the progress of the track; `nil` if there is no room for it.
  var progressRow: Int? { size.rows >= 7 ? size.rows - 2 : nil }
  /// The row for messages, prompts and hints. On a small terminal, it shows the title of what is playing, unless there
  /// is something to say.
  var messageRow: Int { size.rows - 1 }

  /// The columns of the bar in the row with the progress, between the times if there is room for them.
  var barColumns: Range<Int> {
    guard size.columns >= 30 else { return 1..<max(1, size.columns - 1) }
    return 2 + elapsedCells..<size.columns - 1 - (durationCells > 0 ? durationCells + 1 : 0)
  }

  /// Returns the fraction of the track that a cell of the bar stands for; `nil` if the cell is not in the bar.
  func progressFraction(row: Int, column: Int) -> Double? {
    guard row == progressRow, barColumns.contains(column) else { return nil }
    return (Double(column - barColumns.lowerBound) + 0.5) / Double(barColumns.count)
  }
}

/// Where the parts of the screen are that shows what is playing: the cover, the text about the track, and the pane
/// beside or below them.
struct PlayingLayout: Equatable, Sendable {
  /// The maximum width of everything. What is wider is centred.
  private static let maximumWidth = 260
  /// The number of lines about the track.
  static let textRows = 7

  /// The area for the cover; `nil` if there is no room for one.
  private(set) var cover: CellArea?
  private(set) var text: CellArea
  /// The area beside or below; `nil` if there is no room, or nothing is to be shown there.
  private(set) var side: CellArea?
  /// Whether the text is below the cover, and centred.
  private(set) var isCentred = false

  /// Creates the layout of a screen whose cover takes `coverPercent` of its height, where there is room; with nothing
  /// beside it, half as much again, and above a list, three quarters of that.
  init(_ layout: ScreenLayout, hasSide: Bool, coverPercent: Int) {
    let (size, body) = (layout.size, layout.bodyRows)
    let rows = body.count
    // A cell is about twice as high as wide, so that a square cover has twice as many columns as rows.
    let coverRows = max(6, size.rows * (hasSide ? coverPercent : coverPercent * 3 / 2) / 100)
    if size.columns >= 100, rows >= 20 {
      let high = min(coverRows, rows - Self.textRows - 4, size.columns / 5)
      let blockRows = high + 2 + Self.textRows
      let top = body.lowerBound + max(0, (rows - blockRows) / 2)
      let width = max(2 * high, 40)
      let all = hasSide ? min(size.columns - 4, Self.maximumWidth) : width
      let left = (size.columns - all) / 2
      cover = CellArea(row: top, column: left + (width - 2 * high) / 2, columns: 2 * high, rows: high)
      text = CellArea(row: top + high + 1, column: left, columns: width, rows: Self.textRows)
      isCentred = true
      if hasSide {
        let start = left + width + 4
        // It begins beside the upper edge of the cover, and has the same margin below.
        side = CellArea(
          row: top, column: start, columns: left + all + 2 - start, rows: rows - 2 * (top - body.lowerBound))
      }
    } else if size.columns >= 50, rows >= 8 {
      let sideRows = hasSide && rows >= 14 ? max(4, rows - coverRows * 3 / 4 - 1) : 0
      let high = min(rows - 1 - (sideRows > 0 ? sideRows + 1 : 0), size.columns / 5)
      let top = body.lowerBound
      cover = CellArea(row: top, column: 2, columns: 2 * high, rows: high)
      let left = 2 * high + 5
      text = CellArea(row: top, column: left, columns: size.columns - left - 1, rows: high)
      if sideRows > 0 {
        side = CellArea(row: top + high + 1, column: 0, columns: size.columns, rows: rows - high - 1)
      }
    } else {
      let textRows = min(rows, hasSide && rows >= 10 ? 4 : rows)
      text = CellArea(row: body.lowerBound, column: 1, columns: max(0, size.columns - 2), rows: textRows)
      if hasSide, rows >= 10 {
        let start = body.lowerBound + textRows + 1
        side = CellArea(row: start, column: 1, columns: size.columns - 2, rows: body.upperBound - start)
      }
    }
  }
}
