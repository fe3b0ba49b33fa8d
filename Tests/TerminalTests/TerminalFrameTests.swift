// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import Testing

@testable import Terminal

struct TerminalFrameTests {
  private static let size = TerminalSize(columns: 20, rows: 5)

  private static func frame(_ lines: [String], _ size: TerminalSize = size) -> TerminalFrame {
    TerminalFrame(lines: lines, size: size)
  }

  @Test func `The first frame clears the screen and writes every line`() {
    #expect(
      Self.frame(["a", "b"]).text(after: nil)
        == "\u{1B}[H\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka\u{1B}[2;1H\u{1B}[Kb")
  }

  @Test func `An unchanged frame is not written`() {
    #expect(Self.frame(["a", "b"]).text(after: Self.frame(["a", "b"])) == nil)
  }

  @Test func `Only changed lines are written`() {
    #expect(Self.frame(["a", "c"]).text(after: Self.frame(["a", "b"])) == "\u{1B}[2;1H\u{1B}[Kc")
    #expect(Self.frame(["a", "b"]).text(after: Self.frame(["a"])) == "\u{1B}[2;1H\u{1B}[Kb")
  }

  @Test func `Lines below a shorter frame are cleared`() {
    #expect(
      Self.frame(["a"]).text(after: Self.frame(["a", "b", "c"])) == "\u{1B}[2;1H\u{1B}[K\u{1B}[3;1H\u{1B}[K")
  }

  @Test func `After a resize everything is redrawn`() {
    let wide = TerminalSize(columns: 30, rows: 5)
    #expect(
      Self.frame(["a"], wide).text(after: Self.frame(["a"])) == "\u{1B}[H\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka")
  }

  @Test func `A cover is drawn beside the lines, and not overwritten by them`() {
    let cover = DrawnCover(content: .rows(["AB", "CD"]), columns: 2, rows: 2)
    let first = TerminalFrame(lines: ["a", "b", "c"], cover: cover, size: Self.size)
    #expect(
      first.text(after: nil)
        == "\u{1B}[H\u{1B}[2J\u{1B}[1;1HAB\u{1B}[0m\u{1B}[2;1HCD\u{1B}[0m"
        + "\u{1B}[1;4H\u{1B}[Ka\u{1B}[2;4H\u{1B}[Kb\u{1B}[3;4H\u{1B}[Kc")
    let second = TerminalFrame(lines: ["a", "x"], cover: cover, size: Self.size)
    #expect(second.text(after: first) == "\u{1B}[2;4H\u{1B}[Kx\u{1B}[3;4H\u{1B}[K")
    #expect(Self.frame(["a"]).text(after: second)?.hasPrefix("\u{1B}[H\u{1B}[2J") == true)
  }
}
