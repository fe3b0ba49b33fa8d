// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import UnicodeText

struct CellTests {
  @Test(arguments: [
    ("", 0), ("Kind of Blue", 12), ("é", 1), ("e\u{301}", 1), ("夜曲", 4), ("ｶﾅ", 2), ("Ａ", 2), ("각", 2),
    ("\u{1100}\u{1161}\u{11A8}", 2), ("🎵", 2), ("👩‍👩‍👧‍👦", 2), ("🇯🇵", 2), ("🇯🇵🇫🇷", 4), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("👍🏽", 2),
    ("❤\u{FE0F}", 2), ("❤", 1), ("1️⃣", 2), ("…", 1), ("\u{301}", 0), ("♪", 1), ("a\u{200D}", 1), ("が", 2),
    ("\u{20000}", 2), ("Ж", 1), ("\u{FFFD}", 1), ("␛", 1), ("\u{1FAE8}", 2),
  ])
  func `A text takes this many cells`(text: String, cells: Int) {
    #expect(text.cellWidth == cells)
  }

  @Test(arguments: [
    ("Kind of Blue", 12, "Kind of Blue"), ("Kind of Blue", 11, "Kind of Bl…"), ("Kind of Blue", 1, "…"),
    ("Kind of Blue", 0, ""), ("Kind of Blue", -5, ""), ("夜曲", 4, "夜曲"), ("夜曲", 3, "夜…"), ("夜曲", 2, "…"),
    ("夜曲です", 6, "夜曲…"), ("夜a曲", 5, "夜a曲"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("👩‍👩‍👧‍👦abc", 4, "👩‍👩‍👧‍👦a…"), ("", 5, ""), ("é", 1, "é"), ("éé", 1, "…"),
  ])
  func `A text is truncated to cells`(text: String, limit: Int, truncated: String) {
    #expect(text.truncated(toCells: limit) == truncated)
  }

  @Test(arguments: ["Kind of Blue", "夜a曲bです🎵", "👩‍👩‍👧‍👦👍🏽🇯🇵x", "e\u{301}e\u{301}e\u{301}", ""], 0...16)
  func `A truncated text never exceeds its cells, and a padded one fills them`(text: String, cells: Int) {
    #expect(text.truncated(toCells: cells).cellWidth <= cells)
    #expect(text.padded(toCells: cells).cellWidth == cells)
    #expect(text.padded(toCells: cells, .right).cellWidth == cells)
  }

  @Test func `Padding is on the opposite side of the text`() {
    #expect("夜".padded(toCells: 5) == "夜   ")
    #expect("夜".padded(toCells: 5, .right) == "   夜")
    #expect("夜曲".padded(toCells: 3) == "夜…")
    #expect("夜曲".padded(toCells: -1) == "")
  }
}

struct TerminalSafetyTests {
  @Test(arguments: [
    ("Kind of Blue", "Kind of Blue"), ("", ""), ("Björk Ångström", "Björk Ångström"), ("夜曲", "夜曲"),
    ("\u{1B}[2Jgone", "␛[2Jgone"), ("bell\u{07}", "bell␇"), ("nul\0", "nul␀"), ("del\u{7F}", "del␡"),
    ("csi\u{9B}31m", "csi<U+009B>31m"), ("a\u{80}b", "a<U+0080>b"),
    ("a\tb", "a b"), ("a\r\nb", "a b"), ("a\n\n\nb", "a b"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ("\u{202E}cod.exe", "<U+202E>cod.exe"), ("a\u{2066}b\u{2069}", "a<U+2066>b<U+2069>"),
    ("zero\u{200B}width\u{FEFF}\u{200E}\u{200F}\u{61C}\u{AD}\u{2060}", "zerowidth"),
    ("a\u{FFFE}b", "a\u{FFFD}b"), ("\u{E0041}x", "x"), ("a\u{34F}b", "ab"),
    ("lone\u{200D}joiner", "lonejoiner"), ("end\u{200D}", "end"),
  ])
  func `A text is made safe`(text: String, safe: String) {
    #expect(Array(text.safeForTerminal.unicodeScalars) == Array(safe.unicodeScalars))
  }

  @Test(arguments: [
    "👩‍👩‍👧‍👦", "🏳️‍🌈", "👩🏽‍🚀", "❤️‍🔥", "🇯🇵", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "क्‍ष", "e\u{301}\u{323}", "葛\u{E0100}",
    "٣؀",
  ])
  func `Ordinary text is unchanged`(text: String) {
    #expect(Array(text.safeForTerminal.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: ["\u{301}", "\u{93F}", "\u{1161}", "\u{FE0F}"])
  func `Excessive combining marks are removed`(mark: String) {
    let pile = "a" + String(repeating: mark, count: 1000) + "b"
    #expect(pile.safeForTerminal.unicodeScalars.count == 10)
  }

  @Test func `No scalar leaves a control or a bidirectional override, and safe text is unchanged`() {
    for value in [UInt32(0)...0x1_FFFF, 0xE_0000...0xE_01FF].joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let safe = "a\(scalar)b".safeForTerminal
      let isHarmful = safe.unicodeScalars.contains {
        $0.properties.generalCategory == .control || $0.properties.isBidiControl
          || $0.properties.generalCategory == .lineSeparator
          || $0.properties.generalCategory == .paragraphSeparator
      }
      if isHarmful || safe.safeForTerminal.unicodeScalars.count != safe.unicodeScalars.count {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }
}
