// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
package import UserSettings

/// Composes the output that replaces one grid of cells on the terminal by another.
///
/// Only cells that have changed are written, in one synchronized update (DEC private mode 2026, which terminals without
/// it ignore). Rows that have moved are scrolled by the terminal if that takes fewer bytes. Where a terminal may take
/// another number of cells for a character than Segue, the cursor is placed again behind it, so that the columns stay
/// straight.
package struct CellOutput {
  private static let beginUpdate = "\u{1B}[?2026h"
  private static let endUpdate = "\u{1B}[?2026l"
  private static let clear = "\u{1B}[0m\u{1B}[2J"
  private static let clearBelow = "\u{1B}[0m\u{1B}[J"
  private static let clearRest = "\u{1B}[K"
  /// The number of bytes of unchanged cells that are written again rather than skipped, since skipping them takes as
  /// many.
  private static let shortGap = 4

  private let depth: ColourDepth
  /// Whether the grid begins in the row of the cursor rather than at the top of the terminal, so that rows are reached
  /// from one another.
  private let isInline: Bool
  private var text = ""
  private var style = TextStyle.plain
  /// The row of the cursor in the grid; `nil` if it is not known.
  private var row: Int?
  /// The column of the cursor; `nil` if it is not known.
  private var column: Int?

  private init(_ depth: ColourDepth, isInline: Bool) {
    self.depth = depth
    self.isInline = isInline
    row = isInline ? 0 : nil
  }

  /// Returns the output that replaces `old` by `new` on a terminal that shows `depth` colours; `nil` if they are equal.
  /// If `old` is `nil` or has another size, everything is drawn. If it is `inline`, the grid begins in the row of the
  /// cursor, where it is again afterwards, and what is below that row belongs to the grid. Otherwise, rows are scrolled
  /// on a terminal that `scrolls` a part of its rows.
  package static func text(
    replacing old: CellGrid?, by new: CellGrid, _ depth: ColourDepth, isInline: Bool = false, scrolls: Bool = true
  ) -> String? {
    let old = old?.size == new.size ? old : nil
    let changed = old.map { new.rows(differingFrom: $0) } ?? []
    if changed.isEmpty, old?.pictures == new.pictures { return nil }
    var output = CellOutput(depth, isInline: isInline)
    output.draw(new, over: old, changed: changed)
    if isInline {
      output.move(to: 0, 0)
    } else if scrolls, let old, let scroll = CellScroll(from: old, to: new, changed: changed) {
      var scrolled = CellOutput(depth, isInline: false)
      scrolled.perform(scroll)
      let old = old.scrolled(scroll.rows, by: scroll.distance)
      scrolled.draw(new, over: old, changed: new.rows(differingFrom: old))
      if scrolled.text.utf8.count < output.text.utf8.count { output = scrolled }
    }
    return beginUpdate + output.text + endUpdate
  }

  /// Draws `new` over `old`, from which only the rows in `changed` differ, or over an empty terminal.
  private mutating func draw(_ new: CellGrid, over old: CellGrid?, changed: [Int]) {
    let removed = (old?.pictures ?? []).filter { !new.pictures.contains($0) }
    // Only clearing the screen removes an image on every terminal.
    let old = removed.contains(where: \.isImage) ? nil : old
    if old == nil {
      if isInline {
        move(to: 0, 0)
        text += Self.clearBelow
        // At the bottom of the terminal, line feeds make room.
        let below = new.size.rows - 1
        text += String(repeating: "\n", count: below)
        (row, column) = (below, nil)
      } else {
        text += Self.clear
      }
    }
    for row in removed.isEmpty && old != nil ? changed : Array(0..<new.size.rows) {
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

  /// Scrolls a block of rows. The rows that come into view are blank.
  private mutating func perform(_ scroll: CellScroll) {
    text += "\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r"
    // A line feed on the last row of the block scrolls it up, a reverse index on the first one down.
    move(to: scroll.distance > 0 ? scroll.rows.upperBound - 1 : scroll.rows.lowerBound, 0)
    text += String(repeating: scroll.distance > 0 ? "\n" : "\u{1B}M", count: abs(scroll.distance)) + "\u{1B}[r"
    (row, column) = (nil, nil)
  }

  private mutating func drawRow(
    _ row: Int, _ new: [Cell], over old: [Cell], covered isCovered: (Int) -> Bool
  ) {
    // Blanks at the end of a row are erased at once.
    let end = new.lastIndex { !$0.looks(like: .blank) }.map { $0 + 1 } ?? 0
    let isRestChanged =
      new.count - end > Self.shortGap && old[end...].contains { !$0.looks(like: .blank) }
      && !(end..<new.count).contains(where: isCovered)
    let limit = isRestChanged ? end : new.count
    var next = 0
    while next < limit {
      guard !isCovered(next), !new[next].looks(like: old[next]) else {
        next += 1
        continue
      }
      // A wide character is written as a whole.
      if new[next].text.isEmpty, next > 0 { next -= 1 }
      let style = style(of: new[next..<limit])
      if row == self.row, let column, column < next,
        new[column..<next].reduce(0, { $0 + $1.text.utf8.count }) <= Self.shortGap,
        new[column..<next].allSatisfy({ $0.text.isPlain && $0.looks(like: Cell(text: $0.text, style: style)) })
      {
        setStyle(style)
        for cell in new[column..<next] { text += cell.text }
      } else {
        move(to: row, next)
      }
      let cell = new[next]
      // A blank looks the same in every style with the same background.
      if cell.text != " " || !cell.style.reduced(to: depth).looksBlank(like: self.style) { setStyle(style) }
      let width = next + 1 < new.count && new[next + 1].text.isEmpty ? 2 : 1
      if cell.text.unicodeScalars.count > 1, !cell.text.isPlain {
        // If the terminal takes fewer cells for it, what was there before must not remain.
        text += "  ".prefix(width)
        column = nil
        move(to: row, next)
      }
      text += cell.text
      next += width
      // After the last cell, the cursor stays on it.
      column = cell.text.isPlain && next < new.count ? next : nil
    }
    if isRestChanged {
      setStyle(.plain)
      move(to: row, end)
      text += Self.clearRest
    }
  }

  /// Returns the style in which the first of `cells` is written: that of the first character, if it is a blank that
  /// looks the same in it.
  private func style(of cells: ArraySlice<Cell>) -> TextStyle {
    guard let first = cells.first, first.text == " " else { return cells.first?.style ?? .plain }
    let next = cells.first { $0.text != " " }?.style ?? first.style
    return first.style.looksBlank(like: next) ? next : first.style
  }

  /// Moves the cursor to a cell.
  private mutating func move(to row: Int, _ column: Int) {
    defer { (self.row, self.column) = (row, column) }
    if row == self.row, let known = self.column, known <= column {
      if known < column { text += "\u{1B}[\(column - known == 1 ? "" : "\(column - known)")C" }
    } else if isInline {
      let down = row - (self.row ?? 0)
      if down != 0 { text += "\u{1B}[\(abs(down))\(down > 0 ? "B" : "A")" }
      text += "\u{1B}[\(column + 1)G"
    } else {
      text += "\u{1B}[\(row + 1)\(column > 0 ? ";\(column + 1)" : "")H"
    }
  }

  private mutating func setStyle(_ new: TextStyle) {
    let new = new.reduced(to: depth)
    guard new != style else { return }
    let codes = new.codes(after: style)
    style = new
    text += "\u{1B}[" + (codes == [0] ? "" : codes.map { "\($0)" }.joined(separator: ";")) + "m"
  }

  private mutating func draw(_ placed: PlacedPicture) {
    switch placed.picture.content {
    case .image(let image):
      move(to: placed.row, placed.column)
      text += image + "\u{1B}[0m"
      column = nil
    case .rows(let rows):
      for (index, row) in rows.enumerated() {
        move(to: placed.row + index, placed.column)
        text += row + "\u{1B}[0m"
        column = nil
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
