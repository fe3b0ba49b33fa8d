// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@testable import Commands

struct SeekTargetTests {
  @Test(arguments: [
    ("90", SeekTarget.to(.seconds(90))), ("1:30", .to(.seconds(90))), ("+10", .by(.seconds(10))),
    ("-10", .by(.seconds(-10))), ("-1:30", .by(.seconds(-90))), ("+0:00.5", .by(.milliseconds(500))),
    ("0", .to(.zero)),
  ])
  func `A seek target is a time or a step`(text: String, target: SeekTarget) {
    #expect(SeekTarget(parsing: text) == target)
  }

  @Test(arguments: ["", "+", "-", "--1", "+-1", "1:", "x", "+x", "−10"])
  func `An invalid seek target is refused`(text: String) {
    #expect(SeekTarget(parsing: text) == nil)
  }
}
