import TestSupport
import Testing

@testable import SegueCommands

/// What the editor makes of typed and of pasted bytes.
struct LineInputTests {
  private static func typed(_ bytes: some Sequence<UInt8>) -> String {
    var input = LineInput()
    var text = String.UnicodeScalarView()
    for byte in bytes {
      input.take([byte])
      while let scalar = input.next() { text.append(scalar) }
    }
    return String(text)
  }

  private static func pasted(_ text: String) -> String {
    var pasted = PastedText()
    for scalar in (text + "\u{1B}[201~").unicodeScalars where !pasted.isOver { pasted.take(scalar) }
    #expect(pasted.isOver)
    return pasted.text
  }

  @Test func `Characters of several bytes come whole`() {
    #expect(Self.typed("aé日👩‍🚀\u{1B}[A".utf8) == "aé日👩‍🚀\u{1B}[A")
  }

  @Test func `What is no UTF-8 swallows nothing behind it`() {
    #expect(Self.typed([0x61, 0xE9, 0x62]) == "a\u{FFFD}b")
    #expect(Self.typed([0xC0, 0x80, 0xE2, 0x82, 0x63]) == "\u{FFFD}\u{FFFD}\u{FFFD}c")
    #expect(Self.typed([0xED, 0xA0, 0x80, 0x64]) == "\u{FFFD}d")
  }

  @Test func `What is pasted keeps its lines, and runs none`() {
    #expect(Self.pasted("play a\r\nvolume 50\rnext\n\n") == "play a\nvolume 50\nnext")
    #expect(Self.pasted("a\tb\u{1B}[2J\u{7F}\u{9B}c\u{3}") == "a b[2Jc")
    #expect(Self.pasted("") == "")
  }

  @Test func `What is pasted has an end, however long it is`() {
    #expect(Self.pasted(String(repeating: "a", count: 200_000)).count == PastedText.limit)
  }
}
