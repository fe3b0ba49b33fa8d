// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UnicodeText

struct FoldingTests {
  @Test(arguments: [
    ("Kind of Blue", "KIND OF BLUE"),
    ("Björk", "bjork"), ("Bjo\u{308}rk", "björk"), ("Sigur Rós", "sigur ros"),
    ("Straße", "STRASSE"), ("STRAẞE", "strasse"),
    ("Ｋｉｎｄ　ｏｆ　Ｂｌｕｅ", "kind of blue"),
    ("ｶﾞｯｷｰ", "ガッキー"), ("が", "か\u{3099}"),
    ("ﬁne", "fine"), ("Ⅳ", "iv"), ("№ 5", "no 5"), ("Music™", "musictm"),
    ("Mø", "MO"), ("Łódź", "lodz"), ("Ænima", "aenima"), ("Œuvre", "oeuvre"), ("Þór", "thor"),
    ("İstanbul", "istanbul"), ("ısı", "isi"),
    ("Don’t Stop", "don't stop"), ("Don´t", "don`t"), ("“Heroes”", "\"heroes\""), ("«Oui»", "\"oui\""),
    ("1957–1959", "1957-1959"), ("A — B", "a - b"), ("A − B", "a - b"), ("Wait…", "wait..."), ("½", "1/2"),
    ("Ёлка", "елка"), ("Άσμα", "ασμα"), ("Σίσυφος", "ΣΙΣΥΦΟΣ"), ("שָׁלוֹם", "שלום"),
    ("Zero\u{200B}Width\u{AD}", "zerowidth"), ("\u{FEFF}Title", "title"), ("nul\0l", "null"),
    ("각", "\u{1100}\u{1161}\u{11A8}"),
  ])
  func `These texts match`(left: String, right: String) {
    #expect(left.foldedForMatching == right.foldedForMatching)
  }

  @Test(arguments: [
    ("が", "か"), ("ぱ", "は"), ("ば", "ぱ"), ("कि", "की"), ("あ", "ア"), ("Blue", "Blues"), ("가", "각"),
    ("กิ", "กี"), ("C", "C#"),
  ])
  func `These texts do not match`(left: String, right: String) {
    #expect(left.foldedForMatching != right.foldedForMatching)
  }

  @Test(arguments: [("が", "か"), ("각", "가"), ("ガ", "カ")])
  func `A letter is not a prefix of another letter`(letter: String, base: String) {
    #expect(!letter.foldedForMatching.utf8.starts(with: base.foldedForMatching.utf8))
  }

  @Test(arguments: [
    ("  A \t\n B  ", "a b"), ("A\u{A0}\u{2003}B", "a b"), (" é  è ", "e e"), ("", ""), (" \t", ""),
    ("\u{300}", ""),
    ("\u{3000}", ""), ("a\r\nb", "a b"),
  ])
  func `White space is collapsed and trimmed`(text: String, folded: String) {
    #expect(text.foldedForMatching == folded)
  }

  @Test(arguments: ["Kind of Blue", "Ｂｊöｒｋ™", "ｶﾞｯｷｰ", "각 ﬃ Ⅳ İ ẞ Œ", "Don´t “go” – now…", "ΐ", "ᾳ", "ǅ", "ŉ"])
  func `Folding is idempotent`(text: String) {
    let once = text.foldedForMatching
    #expect(Array(once.foldedForMatching.unicodeScalars) == Array(once.unicodeScalars))
  }

  @Test func `Every scalar folds, and its folded form is unchanged by folding`() {
    for value in UInt32(0)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = String(scalar).foldedForMatching
      let twice = once.foldedForMatching
      #expect(Array(once.unicodeScalars) == Array(twice.unicodeScalars), "U+\(String(value, radix: 16))")
    }
  }
}

struct FoldedLettersTests {
  /// Returns the folded form, scalar by scalar, without the fast path.
  private func folded(_ text: String) -> String {
    var folding = ScalarFolding()
    for scalar in text.unicodeScalars { folding.append(scalar) }
    return folding.composed
  }

  @Test func `The fast path gives the same result for every letter, also beside others`() {
    for value: UInt32 in 0...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "x\(scalar)y", " \(scalar) ", "が\(scalar)é", "각\(scalar)й"] {
        if let fast = FoldedLetters.text(text), fast != folded(text) {
          Issue.record("U+\(String(value, radix: 16)) in \(text)")
        }
      }
    }
  }

  @Test func `The fast path covers most letters of Europe`() {
    for text in ["Björk", "Łódź", "Ænima", "Straße", "Ёлка", "Γεια σου", "Ñandú œuvre"] {
      #expect(FoldedLetters.text(text) != nil || text.contains("Γ"), "\(text)")
    }
    #expect(FoldedLetters.text("e\u{301}") == nil)
  }
}

@Suite struct CaseFolderTests {
  /// A generator of pseudo-random numbers that are the same in every run.
  private struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64 = 3

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  private static func folded(_ text: String, _ folder: inout CaseFolder) -> String {
    unsafe Array(text.utf8).withUnsafeBytes { bytes in
      unsafe folder.withFolded(bytes) { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func `A case folder folds any text like the property caseFolded`() {
    var random = SeededRandom()
    var folder = CaseFolder()
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x1E00...0x1FFF, 0x2010...0x2030, 0x3040...0x30FF,
      0x4E00...0x4E40, 0xAC00...0xAC40, 0x11A8...0x11C2, 0xFB00...0xFB06, 0xFF00...0xFFEF, 0x10400...0x10427,
      0x1F...0x1F,
    ]
    for _ in 0..<4_000 {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
            let range = ranges[Int.random(in: ranges.indices, using: &random)]
            return Unicode.Scalar(UInt32.random(in: range, using: &random))
          }))
      #expect(
        Self.folded(text, &folder).utf8.elementsEqual(text.caseFolded.utf8), "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func `Every letter of the table is folded correctly, alone and beside others`() {
    var folder = CaseFolder()
    for value in 0x80...0x523 as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "a\(scalar)b", "\(scalar)\u{301}", "E\(scalar)"] {
        #expect(Self.folded(text, &folder).utf8.elementsEqual(text.caseFolded.utf8), "\(value)")
      }
    }
  }

  @Test func `Invalid UTF-8 is repaired`() {
    var folder = CaseFolder()
    for bytes in [[0xC3], [0x41, 0xFF], [0xE4, 0xB8], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      let folded = unsafe bytes.withUnsafeBytes { bytes in
        unsafe folder.withFolded(bytes) { unsafe Array($0) }
      }
      #expect(folded == Array(String(decoding: bytes, as: UTF8.self).caseFolded.utf8))
    }
  }
}
