// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Testing
import UnicodeText

@testable import Terminal

struct CompletionKeyTests {
  @Test func `A unique completion is inserted, an ambiguous one is listed at the second press`() {
    var key = CompletionKey()
    let unique = LineCompletion(countBefore: 2, insertion: "play ", choices: ["play"])
    #expect(key.press(unique, line: "pl", cursor: 2) == .insert("play ", countBefore: 2, countAfter: 0))
    let ambiguous = LineCompletion(countBefore: 1, choices: ["play", "pause"])
    #expect(key.press(ambiguous, line: "p", cursor: 1) == .refuse)
    #expect(key.press(ambiguous, line: "p", cursor: 1) == .list(["play", "pause"]))
    #expect(key.press(ambiguous, line: "p", cursor: 1) == .refuse)
    #expect(key.press(ambiguous, line: "p", cursor: 0) == .refuse)
    #expect(key.press(LineCompletion(), line: "p", cursor: 0) == .refuse)
  }

  @Test func `Names are listed in columns that fit`() {
    let names = ["Blue", "夜曲", "Kind of Blue", "A\u{1B}[2J"]
    let size = TerminalSize(columns: 30, rows: 24)
    #expect(CompletionListing.lines(names, in: size) == ["Blue          Kind of Blue", "夜曲          A␛[2J"])
    let many = (1...100).map { "Name \($0)" }
    let lines = CompletionListing.lines(many, in: TerminalSize(columns: 20, rows: 10))
    #expect(lines.count == 8 && lines.last == "… and 86 more")
    for columns in 1...40 {
      let lines = CompletionListing.lines(names, in: TerminalSize(columns: columns, rows: 24))
      #expect(lines.allSatisfy { $0.cellWidth <= columns })
    }
  }
}
