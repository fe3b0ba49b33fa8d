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
      (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", ["TMUX": "x"]),
      (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", ["STY": "x"]), ("\u{1B}[?62;22c", [:]),
      (nameAnswer("kitty(0.32)") + "\u{1B}[?62c", ["TERM": "screen-256color"]), ("", [:]),
    ] as [(String, [String: String])])
  func `The second query is only sent to terminals that sent their name, and not to screen`(
    text: String, environment: [String: String]
  ) {
    #expect(!TerminalAnswers.query.contains("\u{1B}_"))
    var answers = TerminalAnswers()
    _ = answers.take([UInt8](text.utf8))
    #expect(answers.nextQuery { environment[$0] } == nil)
    #expect(answers.isComplete == !text.isEmpty)
  }

  @Test func `Kitty's query is not sent to tmux`() throws {
    var answers = TerminalAnswers()
    _ = answers.take([UInt8]((Self.nameAnswer("tmux 3.3a") + "\u{1B}[?1;2c").utf8))
    let query = try #require(answers.nextQuery { ["TMUX": "x"][$0] })
    #expect(!query.contains("\u{1B}_") && query.contains("]11;?"))
    #expect(!answers.isComplete)
  }

  @Test(
    arguments: [
      ("rgb:ffff/ffff/ffff", true), ("rgb:0000/0000/0000", false), ("rgb:f/f/e", true), ("rgb:30/20/10", false),
      ("rgb:1e1e/ffff/1e1e", true), ("rgb:ff/ff", nil), ("rgb:fffff/0/0", nil), ("#ffffff", nil), ("rgb:-1/0/0", nil),
    ] as [(String, Bool?)])
  func `The answer for the background says whether it is light`(colour: String, isLight: Bool?) {
    for end in ["\u{7}", "\u{1B}\\"] {
      var answers = TerminalAnswers()
      let keys = answers.take([UInt8]("a\u{1B}]11;\(colour)\(end)b".utf8))
      #expect(answers.hasLightBackground == isLight)
      #expect(keys == [UInt8]("ab".utf8))
    }
  }

  @Test(
    arguments: [
      ("ghostty 1.2.0", [:], true), ("WezTerm 20250101", [:], true), ("VTE(7900)", [:], true),
      ("VTE(7600)", [:], false),
      ("iTerm2 3.6.6", [:], true), ("iTerm2 3.10.0", [:], true), ("iTerm2 3.5.14", [:], false),
      ("kitty(0.40)", [:], false),
      ("foot(1.20)", [:], false), ("ghostty 1.2.0", ["TMUX": "x"], false), ("", ["WT_SESSION": "x"], true),
    ] as [(String, [String: String], Bool)])
  func `Progress is only sent to terminals that do not take it for a notification`(
    name: String, environment: [String: String], isShown: Bool
  ) {
    var answers = TerminalAnswers()
    _ = answers.take([UInt8](Self.nameAnswer(name).utf8))
    #expect(answers.showsProgress { environment[$0] } == isShown)
  }

  @Test func `The title and the progress of the window are sent when they change, and made safe`() {
    var status = WindowStatus(title: "So What\u{1B}]0;x\u{7}")
    let text = status.text(replacing: nil)
    #expect(text.hasPrefix("\u{1B}]2;So What") && text.hasSuffix("\u{1B}\\"))
    #expect(text.unicodeScalars.count { $0.value < 0x20 } == 2)
    #expect(status.text(replacing: status).isEmpty)
    let before = status
    status.progress = WindowStatus.Progress(percent: 40, isPaused: false)
    #expect(status.text(replacing: before) == "\u{1B}]9;4;1;40\u{1B}\\")
    #expect(before.text(replacing: status) == "\u{1B}]9;4;0;0\u{1B}\\")
    #expect(WindowStatus.hasTitle("xterm-256color") && !WindowStatus.hasTitle("linux") && !WindowStatus.hasTitle(nil))
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
