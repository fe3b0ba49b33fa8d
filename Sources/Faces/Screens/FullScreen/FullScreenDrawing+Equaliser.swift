// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Platform
import Terminal
import UnicodeText
import UserSettings

/// The bands of the equaliser, with the curve.
extension FullScreenDrawing {
  /// The width of a band, and that of everything where there is room, in cells.
  private static let (bandCells, equaliserColumns) = (7, 84)
  /// The largest and the smallest height of the curve, with its scale.
  private static let curveRows = 6...18

  /// Draws the editor in the middle of the screen. Where there is little room, the selected band remains.
  mutating func draw(_ editor: EqualiserEditor) {
    let body = layout.bodyRows
    guard body.count >= 3 else {
      grid.clear(row: body.lowerBound)
      put(selectedBand(editor), body.lowerBound, 1)
      return
    }
    let columns = min(layout.size.columns, Self.equaliserColumns)
    let room = columns - 4
    let hints = hintLines(room)
    // The selected band, a frame, the bands, keys, and the curve, in the order of importance.
    var rows = body.count - 3
    let showsBands = rows >= 2
    rows -= showsBands ? 2 : 0
    let hintRows = min(hints.count, max(0, rows))
    rows -= hintRows
    let curve = curve(editor, columns: room, rows: rows - 1)
    let height = min(body.count, 3 + (showsBands ? 2 : 0) + hintRows + (curve.isEmpty ? 0 : curve.count + 1))
    let area = CellArea(
      row: body.lowerBound + (body.count - height) / 2, column: (layout.size.columns - columns) / 2, columns: columns,
      rows: height)
    drawFrame(area, title(editor))
    var row = area.row + 1
    for line in curve {
      put(line, row, area.column + 2, width: room, .progress)
      row += 1
    }
    if !curve.isEmpty { row += 1 }
    if showsBands {
      drawBands(editor, row, area.column + 2, room)
      row += 2
    }
    put(selectedBand(editor), row, area.column + 2, width: room)
    for line in hints.prefix(hintRows) {
      row += 1
      put(line, row, area.column + 2, width: room, .keys)
    }
  }

  private func title(_ editor: EqualiserEditor) -> String {
    "Equalizer: \(editor.name ?? "new profile") on \(editor.output)\(editor.isBypassed ? " (bypassed)" : "")"
  }

  private func curve(_ editor: EqualiserEditor, columns: Int, rows: Int) -> [String] {
    // The last mark of the scale is beyond its end.
    let columns = columns - 5
    guard rows >= Self.curveRows.lowerBound, columns >= EqualiserCurve.minimumColumns else { return [] }
    return EqualiserCurve.lines(
      editor.profile, columns: columns, rows: min(rows, Self.curveRows.upperBound) / 2 * 2, isASCII: isASCII)
  }

  /// Draws the frequencies and gains of the bands around the selected one.
  private mutating func drawBands(_ editor: EqualiserEditor, _ row: Int, _ column: Int, _ room: Int) {
    let filters = editor.profile.filters
    let count = min(filters.count, max(1, room / Self.bandCells))
    let first = max(0, min(editor.band - count / 2, filters.count - count))
    for index in first..<first + count {
      let start = column + (index - first) * Self.bandCells
      let filter = filters[index]
      putRight(Self.hertz(filter.frequency), row, before: start + Self.bandCells - 1, .heading)
      let gain = filter.kind.hasGain ? Self.gain(filter.gain) : filter.kind.rawValue
      putRight(gain, row + 1, before: start + Self.bandCells - 1)
      if index == editor.band {
        for row in row...row + 1 {
          grid.paint(row: row, columns: start..<start + Self.bandCells, style: palette[.selection])
        }
      }
    }
  }

  /// Everything about the selected band, and the gain before the filters.
  private func selectedBand(_ editor: EqualiserEditor) -> String {
    guard let filter = editor.filter else { return "no bands" }
    var words = [
      "\(editor.band + 1)/\(editor.profile.filters.count)", filter.kind.rawValue,
      "\(EqualiserWriter.number(filter.frequency)) Hz",
    ]
    if filter.kind.hasGain { words.append(EqualiserListing.decibels(filter.gain)) }
    words.append(filter.width.text)
    return words.joined(separator: " ") + "  preamp \(EqualiserListing.decibels(editor.preamp))"
  }

  /// The keys of the editor, in lines of at most `columns` cells.
  private func hintLines(_ columns: Int) -> [String] {
    let keys = { (actions: [ScreenAction]) in
      actions.compactMap { model.bindings.keys(of: $0, isASCII: isASCII).first }.joined(separator: "/")
    }
    let hints: [([ScreenAction], String)] = [
      ([.left, .right], "band"), ([.up, .down], "gain"), ([.play], "save"), ([.quit], "cancel"),
      ([.bypassEqualizer], "bypass"), ([.remove], "0 dB"), ([.moveDown, .moveUp], "frequency"),
      ([.findPrevious, .findNext], "width"), ([.add], "new band"),
    ]
    var lines = [""]
    for (actions, word) in hints {
      let hint = "\(keys(actions)) \(word)"
      let line = lines[lines.count - 1]
      let joined = line.isEmpty ? hint : "\(line)  \(hint)"
      if joined.cellWidth > columns, !line.isEmpty { lines.append(hint) } else { lines[lines.count - 1] = joined }
    }
    return lines
  }

  /// Returns a frequency such as "125", "1.5k" or "16k".
  private static func hertz(_ frequency: Double) -> String {
    guard frequency >= 1_000 else { return EqualiserWriter.number((frequency * 10).rounded() / 10) }
    return EqualiserWriter.number((frequency / 100).rounded() / 10) + "k"
  }

  private static func gain(_ gain: Double) -> String {
    let text = EqualiserWriter.number((gain * 10).rounded() / 10)
    return gain > 0 ? "+" + text : text
  }
}
