// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing
import UnicodeText

@testable import Screens

struct MeterLinesTests {
  private static func levels(_ peak: Float, _ rms: Float) -> SoundLevels {
    SoundLevels(
      peak: SoundLevels.Pair(left: peak, right: 0), rms: SoundLevels.Pair(left: rms, right: 0))
  }

  @Test func `The bar ends at the RMS level, its thin part at the peak`() {
    #expect(
      MeterLines.lines(Self.levels(1, 0.0316228), cells: 29) == [
        "L ━━━━━━━━━━┄┄┄┄┄┄┄┄┄┄    0.0", "R                           -",
      ])
    #expect(MeterLines.lines(Self.levels(0.502, 0.502), cells: 29)[0] == "L ━━━━━━━━━━━━━━━━━━     -6.0")
  }

  @Test(
    arguments: [Float.nan, .infinity, -1, 0, 1e-9, 40, .greatestFiniteMagnitude], [0, 3, 9, 10, 11, 80, 400])
  func `No level makes a line wider than the meter`(level: Float, cells: Int) {
    for line in MeterLines.lines(Self.levels(level, level), cells: cells) {
      #expect(line.cellWidth <= max(cells, 9))
    }
  }
}
