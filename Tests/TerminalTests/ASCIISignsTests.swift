import Testing
import UnicodeText

@testable import Terminal

struct ASCIISignsTests {
  @Test(arguments: [
    ("", ""), ("So What", "So What"), ("FLAC · bit-perfect", "FLAC - bit-perfect"),
    ("a long ti…", "a long ti~"),
    ("0:10 ━━━──── -0:07", "0:10 ===---- -0:07"), ("/ elise▏", "/ elise_"), ("a␛b", "a?b"),
    ("Für Elise · 日本", "Für Elise - 日本"),
  ])
  func `Signs of ours become ASCII, and what is the user's stays`(text: String, ascii: String) {
    #expect(text.withASCIISigns == ascii)
    #expect(text.cellWidth == ascii.cellWidth)
  }

  @Test func `What makes ASCII safe and fits it is ASCII`() {
    for value in 0...0x7F as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)bcdef".safeForTerminal.truncated(toCells: 4).withASCIISigns
      #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(value)")
      #expect(text.cellWidth <= 4)
    }
  }

  @Test func `Only a manner of ASCII changes signs`() {
    var manner = OutputStyle()
    manner.isASCII = false
    #expect(manner.signed("a…") == "a…")
    manner.isASCII = true
    #expect(manner.signed("a…") == "a~")
  }
}
