// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Terminal

struct ProgressBarTests {
  @Test(arguments: [
    (0.0, 4, "────"), (0.5, 4, "━━──"), (0.99, 4, "━━━─"), (1, 4, "━━━━"), (2, 3, "━━━"), (-1, 3, "───"),
    (.nan, 3, "───"),
    (.infinity, 2, "━━"), (0.5, 0, ""), (0.5, -3, ""),
  ])
  func `A bar is filled in proportion`(share: Double, cells: Int, text: String) {
    #expect(ProgressBar.text(share: share, cells: cells) == text)
  }

  @Test func `An unknown fraction gives an empty bar`() {
    #expect(ProgressBar.text(share: nil, cells: 3) == "───")
  }
}

struct PlainProgressTests {
  @Test func `A line is printed every ten percent, but at most once a second`() {
    var progress = PlainProgress()
    var told: [Int] = []
    // 50 percent per second at first, then 2.
    for (percent, tenths) in (0...50).map({ ($0, $0 / 5) }) + (51...100).map({ ($0, 10 + ($0 - 50) * 5) })
    where progress.isDue(share: Double(percent) / 100, after: .milliseconds(tenths * 100)) {
      told.append(percent)
    }
    #expect(told == [50, 60, 70, 80, 90, 100])
  }

  @Test func `Without progress, a line is printed every five seconds`() {
    for share in [nil, 0.42] as [Double?] {
      var progress = PlainProgress()
      let told = (0...160).filter { progress.isDue(share: share, after: .milliseconds($0 * 100)) }
      #expect(told.last.map { $0 >= 150 } == true && (3...4).contains(told.count), "\(told)")
    }
  }

  @Test func `Another scan starts over, and any fraction is accepted`() {
    var progress = PlainProgress()
    let told = [(1, 60), (0, 0), (0.1, 1)].map { share, seconds in
      progress.isDue(share: share, after: .seconds(seconds))
    }
    #expect(told == [true, false, true])
    for share in [Double.nan, -.infinity, .infinity] { _ = progress.isDue(share: share, after: .seconds(9)) }
  }
}
