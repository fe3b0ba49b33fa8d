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
  private static let clearBelow = "\u{1B}[0m\u{1B}[J"
  private static let clearRest = "\u{1B}[K"
  /// The number of unchanged cells that are written again rather than skipped, since skipping them takes as many bytes.
  private static let shortGap = 4
  /// The number of rows that must change for a part of the terminal to be scrolled.
  private static let scrollLimit = 5
  /// The maximum number of rows by which a part of the terminal is scrolled.
  private static let longestScroll = 8

  private let depth: ColourDepth
  private var text = ""
  private var style = TextStyle.plain
  /// The row of the cursor, counted from that of the grid's first; `nil` if the grid begins at the top of the terminal,
  /// so that the row need not be known.
  private var inlineRow: Int?

  private init(_ depth: ColourDepth, isInline: Bool) {
    self.depth = depth
    inlineRow = isInline ? 0 : nil
  }

  /// Returns the output that replaces `old` by `new` on a terminal that shows `depth` colours; `nil` if they are equal.
  /// If `old` is `nil` or has another size, everything is drawn. If it is `inline`, the grid begins in the row of the
  /// cursor, where it is again afterwards, and what is below that row belongs to the grid.
  package static func text(
    replacing old: CellGrid?, by new: CellGrid, _ depth: ColourDepth, isInline: Bool = false
  ) -> String? {
    if old == new { return nil }
    var output = CellOutput(depth, isInline: isInline)
    output.draw(new, over: old?.size == new.size ? old : nil)
    if isInline { output.place(0, 0) }
    return beginUpdate + output.text + endUpdate
  }

  private mutating func draw(_ new: CellGrid, over old: CellGrid?) {
    let removed = (old?.pictures ?? []).filter { !new.pictures.contains($0) }
    // Only clearing the screen removes an image on every terminal.
    let remaining = removed.contains(where: \.isImage) ? nil : old
    if remaining == nil {
      if inlineRow == nil {
        text += Self.clear
      } else {
        place(0, 0)
        text += Self.clearBelow
        // At the bottom of the terminal, line feeds make room.
        let below = new.size.rows - 1
        text += String(repeating: "\n", count: below)
        inlineRow = below
      }
    }
    let old = inlineRow == nil ? remaining.map { scrolled($0, to: new) } : remaining
    for row in 0..<new.size.rows {
      let cells = Array(new.cells(ofRow: row))
      var known = old.map { Array($0.cells(ofRow: row)) } ?? Array(repeating: Cell.blank, count: cells.count)
      // Pictures have hidden the cells below them.
      if old != nil { for column in removed.columns(in: row, of: new.size) { known[column].text = "" } }
      var isCovered = Array(repeating: false, count: cells.count)
      for column in new.pictures.columns(in: row, of: new.size) { isCovered[column] = true }
      drawRow(row, cells, over: known, covered: { isCovered[$0] })
    }
    setStyle(.plain)
    let present = old?.pictures ?? []
    for picture in new.pictures where !present.contains(picture) { draw(picture) }
  }

  /// Scrolls a part of the terminal if most of the rows that change only move up or down. Returns what is on the
  /// terminal then.
  private mutating func scrolled(_ old: CellGrid, to new: CellGrid) -> CellGrid {
    guard old.pictures.isEmpty, new.pictures.isEmpty else { return old }
    let changed = (0..<new.size.rows).filter { old.cells(ofRow: $0) != new.cells(ofRow: $0) }
    guard let first = changed.first, let last = changed.last, last - first >= Self.scrollLimit else { return old }
    let rows = first..<last + 1
    guard changed.count > rows.count / 2 + 1 else { return old }
    let moves = (1...min(rows.count / 3, Self.longestScroll)).flatMap { [$0, -$0] }.map { distance in
      // The rows that are the same after moving up by the distance.
      (
        distance,
        rows.filter { rows.contains($0 + distance) && old.cells(ofRow: $0 + distance) == new.cells(ofRow: $0) }
      )
    }
    guard let (distance, same) = moves.max(by: { $0.1.count < $1.1.count }), let top = same.first, let end = same.last,
      same.count > rows.count - changed.count + rows.count / 2
    else { return old }
    let region = min(top, top + distance)..<max(end, end + distance) + 1
    setStyle(.plain)
    text += "\u{1B}[\(region.lowerBound + 1);\(region.upperBound)r"
    // A line feed on the last row of the region scrolls it up, a reverse index on the first one down.
    place(distance > 0 ? region.upperBound - 1 : region.lowerBound, 0)
    text += String(repeating: distance > 0 ? "\n" : "\u{1B}M", count: abs(distance)) + "\u{1B}[r"
    return old.scrolled(region, by: distance)
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
        setStyle(new[column].style)
        for cell in new[known..<column] { text += cell.text }
      } else if cursor != column {
        place(row, column)
      }
      let cell = new[column]
      // A blank looks the same in every style with the same background.
      if cell.text != " " || !cell.style.reduced(to: depth).looksBlank(like: style) { setStyle(cell.style) }
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

  private mutating func place(_ row: Int, _ column: Int) {
    guard let inlineRow else { return text += "\u{1B}[\(row + 1);\(column + 1)H" }
    if row != inlineRow { text += "\u{1B}[\(abs(row - inlineRow))\(row > inlineRow ? "B" : "A")" }
    text += "\u{1B}[\(column + 1)G"
    self.inlineRow = row
  }

  private mutating func setStyle(_ new: TextStyle) {
    let new = new.reduced(to: depth)
    guard new != style else { return }
    let codes = new.codes(after: style)
    style = new
    text += "\u{1B}[" + codes.map { "\($0)" }.joined(separator: ";") + "m"
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

extension [PlacedPicture] {
  /// Returns the columns of a row that the pictures cover on a terminal of `size`.
  fileprivate func columns(in row: Int, of size: TerminalSize) -> [Int] {
    filter { ($0.row..<$0.row + $0.picture.rows).contains(row) }.flatMap {
      ($0.column..<$0.column + $0.picture.columns).clamped(to: 0..<size.columns)
    }
  }
}

extension PlacedPicture {
  /// Whether the picture consists of pixels rather than characters.
  fileprivate var isImage: Bool { if case .image = picture.content { true } else { false } }
}

extension String {
  /// Whether every terminal takes the same number of cells for the text.
  fileprivate var isPlain: Bool {
    guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return false }
    // ASCII, Latin letters, the lines and blocks of which bars consist, and a few signs. Two cells: kana, Chinese
    // characters and Hangul.
    return [
      0x20..<0x7F, 0xB7..<0xB8, 0xC0..<0x250, 0x2026..<0x2027, 0x2500..<0x25A0, 0x3041..<0x3097, 0x30A1..<0x30FB,
      0x4E00..<0x9FA6, 0xAC00..<0xD7A4,
    ].contains { $0.contains(scalar.value) }
  }
}
