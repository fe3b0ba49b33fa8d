// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import UnicodeText

@testable import Terminal

struct ASCIISymbolsTests {
  @Test(arguments: [
    ("", ""), ("So What", "So What"), ("FLAC · bit-perfect", "FLAC - bit-perfect"),
    ("a long ti…", "a long ti~"),
    ("0:10 ━━━──── -0:07", "0:10 ===---- -0:07"), ("/ elise▏", "/ elise_"), ("a␛b", "a?b"),
    ("Für Elise · 日本", "Für Elise - 日本"),
  ])
  func `Segue's symbols become ASCII, and the user's characters are unchanged`(text: String, ascii: String) {
    #expect(text.withASCIISymbols == ascii)
    #expect(text.cellWidth == ascii.cellWidth)
  }

  @Test func `ASCII text that is made safe and truncated stays ASCII`() {
    for value in 0...0x7F as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)bcdef".safeForTerminal.truncated(toCells: 4).withASCIISymbols
      #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(value)")
      #expect(text.cellWidth <= 4)
    }
  }

  @Test func `Symbols are only replaced in an ASCII style`() {
    var style = OutputStyle()
    style.isASCII = false
    #expect(style.withSupportedSymbols("a…") == "a…")
    style.isASCII = true
    #expect(style.withSupportedSymbols("a…") == "a~")
  }
}
