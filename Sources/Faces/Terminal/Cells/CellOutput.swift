// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
package import UserSettings

/// Composes the output that replaces one grid of cells on the terminal by another.
///
/// Only cells that have changed are written, in one synchronized update (DEC private mode 2026, which terminals without
/// it ignore). Where a terminal may take another number of cells for a character than Segue, the cursor is placed again
/// behind it, so that the columns stay straight.
package struct CellOutput {
  private static let beginUpdate = "\u{1B}[?2026h"
  private static let endUpdate = "\u{1B}[?2026l"
  private static let clear = "\u{1B}[0m\u{1B}[2J"
  private static let clearRest = "\u{1B}[K"
  /// The number of unchanged cells that are written again rather than skipped, since skipping them takes as many bytes.
  private static let shortGap = 4

  private let depth: ColourDepth
  private var text = ""
  private var style = TextStyle.plain

  private init(_ depth: ColourDepth) { self.depth = depth }

  /// Returns the output that replaces `old` by `new` on a terminal that shows `depth` colours; `nil` if they are equal.
  /// If `old` is `nil` or has another size, everything is drawn.
  package static func text(replacing old: CellGrid?, by new: CellGrid, _ depth: ColourDepth) -> String? {
    if old == new { return nil }
    var output = CellOutput(depth)
    output.draw(new, over: old?.size == new.size ? old : nil)
    return beginUpdate + output.text + endUpdate
  }

  private mutating func draw(_ new: CellGrid, over old: CellGrid?) {
    let isPictureChanged = old?.picture != new.picture
    // Only clearing the screen removes a picture on every terminal.
    let old = isPictureChanged && old?.picture?.isImage == true ? nil : old
    if old == nil { text += Self.clear }
    for row in 0..<new.size.rows {
      let cells = Array(new.cells(ofRow: row))
      let blank = Array(repeating: Cell.blank, count: cells.count)
      let known = old.map { old in
        // The picture has hidden the cells below it.
        Array(old.cells(ofRow: row)).enumerated().map { column, cell in
          isPictureChanged && old.picture?.covers(row, column) == true ? Cell(text: "", style: .plain) : cell
        }
      }
      drawRow(row, cells, over: known ?? blank, covered: { new.picture?.covers(row, $0) == true })
    }
    setStyle(.plain)
    if let picture = new.picture, isPictureChanged || old == nil { draw(picture) }
  }

  private mutating func drawRow(
    _ row: Int, _ new: [Cell], over old: [Cell], covered isCovered: (Int) -> Bool
  ) {
    // Blanks at the end of a row are erased at once.
    let end = new.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
    let isRestChanged =
      new.count - end > Self.shortGap && old[end...].contains { $0 != .blank }
      && !(end..<new.count).contains(where: isCovered)
    let limit = isRestChanged ? end : new.count
    var column = 0
    var cursor: Int?
    while column < limit {
      guard new[column] != old[column], !isCovered(column) else {
        column += 1
        continue
      }
      // A wide character is written as a whole.
      if new[column].text.isEmpty, column > 0 { column -= 1 }
      if let known = cursor, column > known, column - known <= Self.shortGap,
        new[known..<column].allSatisfy({ $0.text.isPlain && $0.style == new[column].style })
      {
        for cell in new[known..<column] { text += cell.text }
      } else if cursor != column {
        place(row, column)
      }
      let cell = new[column]
      setStyle(cell.style)
      if cell.text.unicodeScalars.count > 1, !cell.text.isPlain {
        // If the terminal takes fewer cells for it, what was there before must not remain.
        text += "  ".prefix(column + 1 < new.count && new[column + 1].text.isEmpty ? 2 : 1)
        place(row, column)
      }
      text += cell.text
      let width = column + 1 < new.count && new[column + 1].text.isEmpty ? 2 : 1
      column += width
      // After the last cell, the cursor stays on it.
      cursor = cell.text.isPlain && column < new.count ? column : nil
    }
    if isRestChanged {
      setStyle(.plain)
      place(row, end)
      text += Self.clearRest
    }
  }

  private mutating func place(_ row: Int, _ column: Int) { text += "\u{1B}[\(row + 1);\(column + 1)H" }

  private mutating func setStyle(_ new: TextStyle) {
    let new = new.reduced(to: depth)
    guard new != style else { return }
    style = new
    text += "\u{1B}[" + ([0] + new.codes).map { "\($0)" }.joined(separator: ";") + "m"
  }

  private mutating func draw(_ placed: PlacedPicture) {
    switch placed.picture.content {
    case .image(let image):
      place(placed.row, placed.column)
      text += image + "\u{1B}[0m"
    case .rows(let rows):
      for (index, row) in rows.enumerated() {
        place(placed.row + index, placed.column)
        text += row + "\u{1B}[0m"
      }
    }
  }
}

extension PlacedPicture {
  /// Whether the picture covers a cell.
  fileprivate func covers(_ row: Int, _ column: Int) -> Bool {
    (self.row..<self.row + picture.rows).contains(row) && (self.column..<self.column + picture.columns).contains(column)
  }

  /// Whether the picture consists of pixels rather than characters.
  fileprivate var isImage: Bool { if case .image = picture.content { true } else { false } }
}

extension String {
  /// Whether every terminal takes one cell for the text.
  fileprivate var isPlain: Bool {
    guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return false }
    // ASCII, Latin letters, and the lines and blocks of which bars consist.
    return [0x20..<0x7F, 0xC0..<0x250, 0x2500..<0x25A0].contains { $0.contains(scalar.value) }
  }
}
