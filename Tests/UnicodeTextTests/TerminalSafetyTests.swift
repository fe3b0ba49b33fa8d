import Testing
import UnicodeText

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
  func `What people write stays`(text: String) {
    #expect(Array(text.safeForTerminal.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: ["\u{301}", "\u{93F}", "\u{1161}", "\u{FE0F}"])
  func `A pile of marks is cut down`(mark: String) {
    let pile = "a" + String(repeating: mark, count: 1000) + "b"
    #expect(pile.safeForTerminal.unicodeScalars.count == 10)
  }

  @Test func `No scalar leaves a control or a hidden reordering in the result, and none changes twice`() {
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
