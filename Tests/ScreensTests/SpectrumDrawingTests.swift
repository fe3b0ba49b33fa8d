// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Terminal
import Testing
import UserSettings

@testable import Screens

@Suite struct SpectrumDrawingTests {
  private static func grid(
    _ spectrum: Spectrum, columns: Int, rows: Int, _ form: SpectrumDrawing.Form, _ palette: Palette = .plain
  ) -> CellGrid {
    var grid = CellGrid(TerminalSize(columns: columns, rows: rows))
    SpectrumDrawing(columns: columns, rows: rows, form: form).draw(spectrum, on: &grid, row: 0, column: 0, palette)
    return grid
  }

  /// A spectrum that rises from nothing to full, with peaks above.
  private static func slope(_ count: Int) -> Spectrum {
    let bands = (0..<count).map { Float($0) / Float(max(1, count - 1)) }
    return Spectrum(bands: bands, peaks: bands.map { min(1, $0 + 0.25) })
  }

  @Test func `Bars end at an eighth of a cell, and a line above them is the peak`() {
    #expect(Self.grid(Self.slope(9), columns: 9, rows: 2, .bars).lines == ["   ▁─▂▄▆█", "─▂▄▆█████"])
  }

  @Test func `Wide bars have gaps`() {
    let spectrum = Spectrum(bands: [1, 0.5], peaks: [1, 0.5])
    #expect(Self.grid(spectrum, columns: 100, rows: 1, .bars).lines == [String(repeating: " ", count: 47) + "██ ▄▄"])
  }

  @Test(arguments: [SpectrumDrawing.Form.bars, .halves, .braille, .ascii])
  func `Every number of cells, and every spectrum, fits into its area`(form: SpectrumDrawing.Form) {
    let hostile: [Float] = [.nan, .infinity, -.infinity, -1, 2, 0, 1e-30]
    for (columns, rows) in [(0, 0), (1, 1), (1, 9), (2, 1), (39, 3), (40, 4), (90, 2), (400, 100), (700, 2)] {
      let drawing = SpectrumDrawing(columns: columns, rows: rows, form: form)
      #expect((1...SpectrumAnalyser.bandLimit).contains(drawing.bandCount))
      for count in [0, 1, drawing.bandCount, 300] {
        let values = (0..<count).map { hostile[$0 % hostile.count] }
        var grid = CellGrid(TerminalSize(columns: columns + 4, rows: rows + 2))
        drawing.draw(Spectrum(bands: values, peaks: values.reversed()), on: &grid, row: 1, column: 2, .plain)
        for row in 0..<grid.size.rows {
          for column in 0..<grid.size.columns
          where !(1..<rows + 1).contains(row) || !(2..<columns + 2).contains(column) {
            #expect(grid[row, column] == .blank, "\(columns) \(rows) \(count)")
          }
        }
      }
    }
    #expect(SpectrumDrawing(columns: .min, rows: .min, form: form).bandCount == 1)
  }

  @Test func `The colours go from that of the progress to that of marks, or to that of the title in those of a cover`()
  {
    let spectrum = Spectrum(bands: [1], peaks: [1])
    func colours(_ palette: Palette) -> [TextStyle.Colour?] {
      let grid = Self.grid(spectrum, columns: 1, rows: 9, .bars, palette)
      return (0..<9).map { grid[$0, 0].style.foreground }
    }
    let dark = Settings().palette(.dark)
    let shown = colours(dark)
    #expect(shown.last == dark[.progress].foreground && shown.first == dark[.mark].foreground)
    #expect(shown[4] == dark[.artist].foreground && Set(shown).count == 9)
    let cover = Settings().palette(.dark, accent: (200, 30, 30))
    #expect(colours(cover).last == cover[.progress].foreground && colours(cover).first == cover[.title].foreground)
    let terminal = Settings().palette(.terminal)
    #expect(Set(colours(terminal)).count == 3)
    #expect(Set(colours(Settings().palette(.contrast))) == [nil])
  }

  @Test func `A console gets blocks that its font has, and a terminal without UTF-8 letters`() {
    #expect(SpectrumDrawing.Form(.braille, type: "xterm", isASCII: false) == .braille)
    #expect(SpectrumDrawing.Form(.bars, type: "xterm", isASCII: false) == .bars)
    #expect(SpectrumDrawing.Form(.braille, type: "linux", isASCII: false) == .halves)
    #expect(SpectrumDrawing.Form(.braille, type: "linux", isASCII: true) == .ascii)
    let ascii = Self.grid(Self.slope(20), columns: 20, rows: 4, .ascii).lines.joined()
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 } && ascii.contains("#"))
  }

  @Test func `Braille has two bands in a cell, in steps of a quarter`() {
    let spectrum = Spectrum(bands: [0.25, 1, 0, 0.5], peaks: [0.25, 1, 0.5, 0.5])
    #expect(Self.grid(spectrum, columns: 2, rows: 1, .braille).lines == ["⣸⢤"])
  }
}
