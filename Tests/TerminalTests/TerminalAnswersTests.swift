// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Testing

@testable import Terminal
@testable import UserSettings

struct TerminalAnswersTests {
  private static let kittyAnswer = "\u{1B}_Gi=31;OK\u{1B}\\"

  /// Returns the answer of a terminal with this name and version.
  private static func nameAnswer(_ name: String) -> String { "\u{1B}P>|\(name)\u{1B}\\" }

  /// Returns the graphics support that a terminal's answers to the first and the second query indicate, whether they
  /// are complete, and the bytes that are left for keys.
  private static func read(_ first: String, then second: String? = nil, _ environment: [String: String] = [:])
    -> (TerminalGraphics, isComplete: Bool, keys: [UInt8])
  {
    var answers = TerminalAnswers()
    var keys = answers.take([UInt8](first.utf8))
    // The second query is answered after the name and the attributes.
    if answers.nextQuery(variable: { environment[$0] }) != nil, let second {
      keys += answers.take([UInt8](second.utf8))
    }
    return (answers.graphics { environment[$0] }, answers.isComplete, keys)
  }

  private static let kittySupport = kittyAnswer + "\u{1B}[?62;c"

  @Test(arguments: [
    (nameAnswer("kitty(0.32)") + "\u{1B}[?62;c", kittySupport, [:], TerminalGraphics.kitty),
    (nameAnswer("XTerm(390)") + "\u{1B}[?64;1;4;22c", "\u{1B}[?64;1;4;22c", [:], .sixels),
    (nameAnswer("iTerm2 3.5.0") + "\u{1B}[?62;4c", "\u{1B}[?62;4c", [:], .iTerm2),
    (nameAnswer("WezTerm 2024") + "\u{1B}[?65;4;6c", "", [:], .iTerm2),
    ("\u{1B}[?62;4c", "", ["LC_TERMINAL": "iTerm2"], .iTerm2),
    ("\u{1B}[?62;22c", "", ["TERM_PROGRAM": "iTerm.app"], .iTerm2),
    ("", "", ["TERM_PROGRAM": "iTerm.app"], .symbols),
    (nameAnswer("tmux 3.3a") + "\u{1B}[?1;2c", "", ["LC_TERMINAL": "iTerm2"], .symbols),
    (nameAnswer("tmux 3.5") + "\u{1B}[?1;2;4c", "", ["TMUX": "x"], .sixels),
    (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", kittySupport, ["TMUX": "x"], .symbols),
    (nameAnswer("foot") + "\u{1B}[?62c", "\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?62;44;14c", [:], .symbols),
    ("\u{1B}[?62;22c", "", [:], .symbols), ("", "", [:], .symbols),
  ])
  func `The answers determine the graphics support`(
    first: String, second: String, environment: [String: String], graphics: TerminalGraphics
  ) {
    #expect(Self.read(first, then: second, environment).0 == graphics)
  }

  @Test(
    arguments: [
      (nameAnswer("tmux 3.3a") + "\u{1B}[?1;2c", [:]), (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", ["TMUX": "x"]),
      (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", ["STY": "x"]), ("\u{1B}[?62;22c", [:]),
      (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", ["TERM": "screen-256color"]), ("", [:]),
    ] as [(String, [String: String])])
  func `Kitty's query is only sent to terminals that sent their name and are not multiplexers`(
    text: String, environment: [String: String]
  ) {
    #expect(!TerminalAnswers.query.contains("\u{1B}_"))
    var answers = TerminalAnswers()
    _ = answers.take([UInt8](text.utf8))
    #expect(answers.nextQuery { environment[$0] } == nil)
    #expect(answers.isComplete == !text.isEmpty)
  }

  @Test func `Keys between answers stay keys, and no part of an answer becomes a key`() {
    let text = "a\u{1B}[A" + Self.nameAnswer("q n p") + "ü\u{1B}[?62;4c"
    let (_, isComplete, keys) = Self.read(text, then: Self.kittyAnswer + "\u{1B}[?62;4cq")
    #expect(isComplete)
    #expect(keys == [UInt8]("a\u{1B}[Aü\u{1B}[?62;4c\u{1B}[?62;4cq".utf8))
    var parser = KeyParser()
    #expect(parser.keys(keys) == [.character("a"), .up, .character("ü"), .character("q")])
  }

  @Test func `An Escape alone is a key at once`() {
    var answers = TerminalAnswers()
    #expect(answers.take([0x1B]) == [0x1B])
    #expect(answers.take([UInt8]("q".utf8)) == [UInt8]("q".utf8))
  }

  @Test func `An answer may arrive in pieces`() {
    var answers = TerminalAnswers()
    var keys: [UInt8] = []
    var queryCount = 0
    for piece in [
      "\u{1B}P>|ki", "tty\u{1B}", "\\\u{1B}[?6", "2c", "\u{1B}_Gi=3", "1;OK\u{1B}", "\\\u{1B}[?6", "2;4", "c",
    ] {
      keys += answers.take([UInt8](piece.utf8))
      if answers.nextQuery(variable: { _ in nil }) != nil { queryCount += 1 }
    }
    #expect(answers.isComplete && answers.hasKitty && answers.hasSixels && queryCount == 1)
    #expect(keys == [UInt8]("\u{1B}[?62c\u{1B}[?62;4c".utf8))
  }

  @Test func `An endless answer does not block the keyboard`() {
    var answers = TerminalAnswers()
    let typed = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
    #expect(answers.take([0x1B, UInt8(ascii: "P")] + typed).count > 700)
  }
}
