// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
import Platform
package import Terminal
package import UserSettings

/// Draws a spectrum: a bar of cells for each band, and a line for its peak, in colours that depend on the height.
package struct SpectrumDrawing: Sendable, Equatable {
  /// The characters of which bars consist.
  package enum Form: Sendable, Hashable {
    /// Blocks in eighths of a cell.
    case bars
    /// Blocks in halves of a cell, which the fonts of consoles have.
    case halves
    /// Dots, two by four in a cell.
    case braille
    case ascii
  }

  /// The characters of a cell that is filled up to the eighth with this number.
  private static let eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let halves = [" ", " ", " ", "▄", "▄", "▄", "▄", "█", "█"]
  private static let letters = [" ", ".", ".", ":", ":", "|", "|", "#", "#"]
  /// The characters of a peak in the lower, middle and upper part of a cell.
  private static let peakLines = ["▁", "─", "▔"]
  private static let peakHalves = ["▄", "▄", "▀"]
  private static let peakLetters = ["_", "-", "-"]
  /// The dots of the left and right column of a braille cell, from the bottom.
  private static let dots: [[UInt32]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]

  package let columns: Int
  package let rows: Int
  package let form: Form

  /// Creates a drawing of at most this size.
  package init(columns: Int, rows: Int, form: Form) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    self.form = form
  }

  /// The number of bands for which there is room; at least 1.
  package var bandCount: Int {
    let count = form == .braille ? 2 * columns : (columns + gap) / (barColumns + gap)
    return max(1, min(count, SpectrumAnalyser.bandLimit))
  }

  private var barColumns: Int { columns >= 90 ? 2 : 1 }
  private var gap: Int { columns >= 40 ? 1 : 0 }

  /// Draws on `grid`, with the upper left corner at a cell.
  package func draw(_ spectrum: Spectrum, on grid: inout CellGrid, row: Int, column: Int, _ palette: Palette) {
    guard !spectrum.bands.isEmpty, spectrum.peaks.count == spectrum.bands.count else { return }
    let (body, peak) = (styles(palette), TextStyle(foreground: palette[.title].foreground))
    if form == .braille {
      drawBraille(spectrum, on: &grid, row, column, body, peak)
    } else {
      drawBars(spectrum, on: &grid, row, column, body, peak)
    }
  }

  private func drawBars(
    _ spectrum: Spectrum, on grid: inout CellGrid, _ row: Int, _ column: Int, _ body: [TextStyle],
    _ peakStyle: TextStyle
  ) {
    let (fills, peaks) =
      switch form {
      case .halves: (Self.halves, Self.peakHalves)
      case .ascii: (Self.letters, Self.peakLetters)
      case .bars, .braille: (Self.eighths, Self.peakLines)
      }
    let step = barColumns + gap
    let shown = min(spectrum.bands.count, bandCount)
    let left = column + max(0, columns - shown * step + gap) / 2
    for band in 0..<shown {
      let height = Self.steps(spectrum.bands[band], of: 8 * rows)
      let top = Self.steps(spectrum.peaks[band], of: 8 * rows)
      for level in 0..<rows {
        let filled = max(0, min(8, height - 8 * level))
        let isPeak = fills[filled] == " " && top > 8 * level && top <= 8 * level + 8
        guard isPeak || fills[filled] != " " else { continue }
        let text = isPeak ? peaks[min(2, (top - 8 * level - 1) / 3)] : fills[filled]
        for cell in 0..<barColumns {
          let style = isPeak ? peakStyle : body[level]
          grid.set(text, row: row + rows - 1 - level, column: left + band * step + cell, style)
        }
      }
    }
  }

  private func drawBraille(
    _ spectrum: Spectrum, on grid: inout CellGrid, _ row: Int, _ column: Int, _ body: [TextStyle],
    _ peakStyle: TextStyle
  ) {
    let count = spectrum.bands.count
    for cell in 0..<columns {
      let sides = (0...1).map { side in
        let band = min(count - 1, (2 * cell + side) * count / max(1, 2 * columns))
        return (
          height: Self.steps(spectrum.bands[band], of: 4 * rows), top: Self.steps(spectrum.peaks[band], of: 4 * rows)
        )
      }
      for level in 0..<rows {
        var (bits, isFilled) = (UInt32(0), false)
        for (side, dots) in zip(sides, Self.dots) {
          for (dot, bit) in dots.enumerated() {
            let number = 4 * level + dot + 1
            if number <= side.height { isFilled = true }
            if number <= side.height || number == side.top { bits |= bit }
          }
        }
        guard bits > 0, let scalar = Unicode.Scalar(0x2800 + bits) else { continue }
        let style = isFilled ? body[level] : peakStyle
        grid.set(String(Character(scalar)), row: row + rows - 1 - level, column: column + cell, style)
      }
    }
  }

  /// Returns which of `count` steps a loudness reaches.
  private static func steps(_ loudness: Float, of count: Int) -> Int {
    guard loudness > 0 else { return 0 }
    return Int((min(loudness, 1) * Float(count)).rounded())
  }

  // MARK: Colours

  /// The styles of the rows, from the bottom.
  private func styles(_ palette: Palette) -> [TextStyle] {
    let (low, high) = (palette[.progress].foreground, palette[.mark].foreground)
    // In the colours of a cover, both are the same.
    let stops = low == high ? [low, palette[.title].foreground] : [low, palette[.artist].foreground, high]
    return (0..<rows).map { row in
      let position = rows > 1 ? Double(row) / Double(rows - 1) * Double(stops.count - 1) : 0
      let index = min(Int(position), stops.count - 2)
      let part = position - Double(index)
      guard case .rgb(let red, let green, let blue)? = stops[index],
        case .rgb(let nextRed, let nextGreen, let nextBlue)? = stops[index + 1]
      else { return TextStyle(foreground: stops[part < 0.5 ? index : index + 1]) }
      func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
        UInt8(max(0, min(255, (Double(from) + (Double(to) - Double(from)) * part).rounded())))
      }
      return TextStyle(foreground: .rgb(mixed(red, nextRed), mixed(green, nextGreen), mixed(blue, nextBlue)))
    }
  }
}
