// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Terminal

struct ProgressBarTests {
  @Test(arguments: [
    (0.0, 4, "────"), (0.5, 4, "━━──"), (0.99, 4, "━━━─"), (1, 4, "━━━━"), (2, 3, "━━━"), (-1, 3, "───"),
    (.nan, 3, "───"),
    (.infinity, 2, "━━"), (0.5, 0, ""), (0.5, -3, ""),
  ])
  func `A bar is filled in proportion`(fraction: Double, cells: Int, text: String) {
    #expect(ProgressBar.text(fraction: fraction, cells: cells) == text)
  }

  @Test func `An unknown fraction gives an empty bar`() {
    #expect(ProgressBar.text(fraction: nil, cells: 3) == "───")
  }
}

struct PlainProgressTests {
  @Test func `A line is printed every ten percent, but at most once a second`() {
    var progress = PlainProgress()
    var reported: [Int] = []
    // 50 percent per second at first, then 2.
    for (percent, tenths) in (0...50).map({ ($0, $0 / 5) }) + (51...100).map({ ($0, 10 + ($0 - 50) * 5) })
    where progress.isDue(fraction: Double(percent) / 100, after: .milliseconds(tenths * 100)) {
      reported.append(percent)
    }
    #expect(reported == [50, 60, 70, 80, 90, 100])
  }

  @Test func `Without progress, a line is printed every five seconds`() {
    for fraction in [nil, 0.42] as [Double?] {
      var progress = PlainProgress()
      let reported = (0...160).filter { progress.isDue(fraction: fraction, after: .milliseconds($0 * 100)) }
      #expect(reported.last.map { $0 >= 150 } == true && (3...4).contains(reported.count), "\(reported)")
    }
  }

  @Test func `Another scan starts over, and any fraction is accepted`() {
    var progress = PlainProgress()
    let reported = [(1, 60), (0, 0), (0.1, 1)].map { fraction, seconds in
      progress.isDue(fraction: fraction, after: .seconds(seconds))
    }
    #expect(reported == [true, false, true])
    for fraction in [Double.nan, -.infinity, .infinity] { _ = progress.isDue(fraction: fraction, after: .seconds(9)) }
  }
}
