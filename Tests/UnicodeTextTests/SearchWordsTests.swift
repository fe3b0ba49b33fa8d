// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import UnicodeText

struct SearchWordsTests {
  /// Ideographs, Hangul syllables and ancient scripts. Their characters behave alike, so one in seven is tested.
  private static let sampledRanges: [ClosedRange<UInt32>] = [0x3400...0x9FFF, 0xAC00...0xD7A3, 0x1_1000...0x1_CFFF]

  @Test(arguments: [
    ("Kind of Blue", " kind of blue "), ("  Björk!  ", " bjork "), ("AC/DC", " ac dc "), ("Don’t", " don t "),
    ("R.E.M.", " r e m "),
    ("24bit", " 24bit "), ("½", " 1 2 "), ("Simon & Garfunkel", " simon garfunkel "), ("", ""), (" \t", ""),
    ("\u{301}", ""),
    ("!!!", " !!! "), ("?? !", " ?? ! "), ("!!! (live)", " live "), ("I ♥ NY", " i ♥ ny "),
    ("a\0b\u{1F}c\u{1B}", " abc "),
    ("夜曲", " 夜 曲 "), ("夜のa24列車", " 夜 の a24 列 車 "), ("ガッキー", " ガ ッ キ ー "), ("ｶﾞ", " ガ "), ("ア・イ", " ア イ "),
    ("각 나", " 각 나 "),
    ("ไทย", " ไ ท ย "), ("Пётр Ильич", " петр ильич "), ("हिन्दी", " हिन्दी "), ("👩‍👩‍👧", " 👩👩👧 "), ("a\nb", " a b "),
    ("-", " - "),
  ])
  func `A text has these words`(text: String, words: String) {
    #expect(text.searchWords == words)
    #expect(words.searchWords == words)
  }

  @Test func `Words are separated by one space, and splitting them again changes nothing`() {
    for value in UInt32(1)...0x1_FFFF {
      let isSampled = Self.sampledRanges.contains { $0.contains(value) }
      guard !isSampled || value.isMultiple(of: 7), let scalar = Unicode.Scalar(value) else { continue }
      let words = "a\(scalar)b\(scalar) \(scalar)".searchWords
      let bytes = Array(words.utf8)
      var previous: UInt8 = 0
      var isCorrect = bytes.first == 0x20 && bytes.last == 0x20 && Array(words.searchWords.utf8) == bytes
      for byte in bytes {
        if byte == 0x1F || byte == 0x20 && previous == 0x20 { isCorrect = false }
        previous = byte
      }
      if !isCorrect { Issue.record("U+\(String(value, radix: 16)): \(words.debugDescription)") }
    }
  }

  @Test func `The words of a megabyte of text are found quickly`() {
    #expect(String(repeating: "a ", count: 500_000).searchWords.utf8.count == 1_000_001)
    #expect(String(repeating: "é", count: 500_000).searchWords.utf8.count == 500_002)
    #expect(String(repeating: "!", count: 1_000_000).searchWords.utf8.count == 1_000_002)
    #expect(String(repeating: "夜", count: 300_000).searchWords.utf8.count == 1_200_001)
  }
}
