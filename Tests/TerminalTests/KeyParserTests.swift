// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Terminal
@testable import UserSettings

struct KeyParserTests {
  private static func keys(_ pieces: [[UInt8]]) -> [Key] {
    var parser = KeyParser()
    return pieces.flatMap { parser.keys($0) }
  }

  private static func keys(_ text: String) -> [Key] { keys([Array(text.utf8)]) }

  @Test(arguments: [
    ("q", [Key.character("q")]), (" n+", [.character(" "), .character("n"), .character("+")]),
    ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]),
    ("\u{1B}OD", [.left]),
    ("\u{1B}[1;5C", [.right]), ("é夜🎵", [.character("é"), .character("夜"), .character("🎵")]), ("", []),
    ("\r\n\t\u{7F}\u{8}\u{4}", [.enter, .enter, .tab, .backspace, .backspace, .control("d")]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
    ("\u{1B}[3~\u{1B}[3;5~", [.delete, .delete]), ("\u{1B}[Z\u{12}", [.backTab, .control("r")]),
    ("\u{1B}OP\u{1B}[15~\u{1B}[24~", [.function(1), .function(5), .function(12)]),
    ("\u{1B}[[A\u{1B}[[E", [.function(1), .function(5)]),
  ])
  func `Bytes become keys`(text: String, keys: [Key]) {
    #expect(Self.keys(text) == keys)
  }

  @Test(arguments: [
    "\u{1B}[99~", "\u{1B}[1;2R", "\u{1B}OX", "\u{1B}[?1;2c", "\u{1B}[202~", "\u{1B}[<1;2X", "\u{1B}[<0;0;0M",
  ])
  func `An unknown sequence is skipped as a whole`(sequence: String) {
    #expect(Self.keys("\(sequence)n") == [.character("n")])
  }

  @Test func `The mouse is reported in cells counted from 0`() {
    var parser = KeyParser()
    let text = "\u{1B}[<0;5;3M\u{1B}[<0;5;3m\u{1B}[<32;6;3M\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<2;400;120Mq"
    #expect(
      parser.inputs(Array(text.utf8)) == [
        .mouse(MouseEvent(.press, row: 2, column: 4)), .mouse(MouseEvent(.release, row: 2, column: 4)),
        .mouse(MouseEvent(.drag, row: 2, column: 5)), .mouse(MouseEvent(.wheelUp, row: 0, column: 0)),
        .mouse(MouseEvent(.wheelDown, row: 0, column: 0)), .mouse(MouseEvent(.press, button: 2, row: 119, column: 399)),
        .key(.character("q")),
      ])
    for text in [
      "\u{1B}[<0;5M", "\u{1B}[<0;99999999999999999999;3M", "\u{1B}[<35;5;3M", "\u{1B}[<128;5;3M",
      "\u{1B}[<\(String(repeating: "9", count: 99));1;1M",
    ] {
      #expect(parser.inputs(Array(text.utf8)) == [], "\(text)")
    }
  }

  @Test func `Escape alone is no key, and does not swallow the next key`() {
    #expect(Self.keys("\u{1B}q") == [.character("q")])
    #expect(Self.keys("\u{1B}\u{1B}q") == [.character("q")])
    #expect(Self.keys("\u{1B}\u{1B}[C") == [.right])
    #expect(Self.keys("\u{1B}é") == [.character("é")])
  }

  @Test func `Escape is a key if nothing follows it`() {
    var parser = KeyParser()
    #expect(parser.keysAndEscape(Array("a\u{1B}".utf8)) == [.character("a"), .escape])
    #expect(parser.keysAndEscape(Array("\u{1B}[Aq".utf8)) == [.up, .character("q")])
    #expect(parser.keysAndEscape(Array("\u{1B}[".utf8)).isEmpty)
    #expect(parser.keysAndEscape(Array("B".utf8)) == [.down])
  }

  @Test func `An incomplete sequence does not affect the next one`() {
    #expect(Self.keys("\u{1B}[\u{1B}[Aq") == [.up, .character("q")])
    #expect(Self.keys("\u{1B}O\u{1B}[A") == [.up])
    #expect(Self.keys([[0xE5, 0xA4], [0x1B, 0x5B, 0x43]]) == [.right])
    #expect(Self.keys([[0xC3, 0x71]]) == [.character("q")])
  }

  @Test(arguments: ["\u{1B}[Ané夜\u{1B}[1;5D🎵\u{1B}OC ", "夜夜\u{1B}[5~q"])
  func `Splitting the input anywhere changes nothing`(text: String) {
    let bytes = Array(text.utf8)
    let expected = Self.keys(text)
    #expect(!expected.isEmpty)
    #expect(Self.keys(bytes.map { [$0] }) == expected)
    for split in bytes.indices { #expect(Self.keys([Array(bytes[..<split]), Array(bytes[split...])]) == expected) }
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x80, 0xC0, 0xC1], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80],
      [0xF0, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `Invalid UTF-8 yields no keys`(bytes: [UInt8]) {
    #expect(Self.keys([bytes]).isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Random input never traps, and keys are parsed afterwards`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var parser = KeyParser()
    for _ in 0..<500 { _ = parser.keys(generator.bytes(Int.random(in: 0...64, using: &generator))) }
    // A terminator ends whatever sequence is open.
    _ = parser.keys(Array("\u{1B}[~".utf8))
    #expect(parser.keys(Array("\u{1B}[Aq".utf8)) == [.up, .character("q")])
  }

  @Test func `Pasted text is one input, and what it contains is no key`() {
    var parser = KeyParser()
    let bytes = Array("a\u{1B}[200~q\n\u{1B}[Aä\u{1B}[201~b".utf8)
    let expected: [TerminalInput] = [.key(.character("a")), .paste("q\n\u{1B}[Aä"), .key(.character("b"))]
    #expect(parser.inputs(bytes) == expected)
    #expect(bytes.flatMap { parser.inputs([$0]) } == expected)
    // Of a very long text, the beginning is stored, and its end is found.
    let long = Array("\u{1B}[200~".utf8) + Array(repeating: UInt8(ascii: "x"), count: 300_000)
    let inputs = parser.inputs(long + Array("\u{1B}[201~c".utf8))
    #expect(inputs.count == 2 && inputs.last == .key(.character("c")))
  }

  @Test(arguments: [
    "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}P>|tmux 3.4\u{1B}\\",
  ])
  func `A late answer of the terminal is no sequence of keys`(answer: String) {
    var parser = KeyParser()
    #expect(parser.keys(Array("a\(answer)b".utf8)) == [.character("a"), .character("b")])
    #expect(Array("a\(answer)b".utf8).flatMap { parser.keys([$0]) } == [.character("a"), .character("b")])
  }

  @Test func `Keys still arrive after Alt and a bracket, and after an endless answer`() {
    var parser = KeyParser()
    #expect(parser.keysAndEscape(Array("\u{1B}]".utf8)).isEmpty)
    #expect(parser.keysAndEscape(Array("q".utf8)) == [.character("q")])
    #expect(parser.keys(Array("\u{1B}]11;rgb\u{1B}[Aq".utf8)) == [.up, .character("q")])
    let endless = Array("\u{1B}]".utf8) + Array(repeating: UInt8(ascii: "x"), count: 1_000)
    #expect(parser.keys(endless).count > 700)
  }
}
