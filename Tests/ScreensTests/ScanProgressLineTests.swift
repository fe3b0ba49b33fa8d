// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Testing
import UnicodeText

@testable import PlayerFlow
@testable import Screens

struct ScanProgressLineTests {
  private static func state(_ progress: ScanProgress, _ elapsed: Duration) -> LibraryState {
    var state = LibraryState()
    _ = state.reduce(.scan(.everything))
    _ = state.reduce(.report(.began))
    _ = state.reduce(.report(.progressed(progress, elapsed: elapsed)))
    return state
  }

  private static func line(_ progress: ScanProgress, columns: Int) -> String {
    ScanProgressLine.text(ScanOutput(state(progress, .seconds(2))), columns: columns)
  }

  @Test func `The line shows counts, a bar, the percentage, the rate and the remaining time`() {
    let line = Self.line(ScanProgress(seenCount: 500, readCount: 400, totalCount: 1000), columns: 100)
    #expect(line.hasPrefix("500 of 1000 files, 400 read ━"))
    #expect(line.hasSuffix("─ 50%  250/s  0:02 left"))
  }

  @Test func `There is no percentage while the directories are being listed`() {
    let line = Self.line(ScanProgress(seenCount: 500, readCount: 400, totalCount: nil), columns: 100)
    #expect(line.hasPrefix("500 files, 400 read"))
    #expect(!line.contains("%"))
  }

  @Test(arguments: 1...120)
  func `One cell of the line is always free`(columns: Int) {
    let line = Self.line(
      ScanProgress(seenCount: 500_000, readCount: 400_000, totalCount: 1_000_000), columns: columns)
    #expect(line.cellWidth < max(columns, 1))
  }
}
