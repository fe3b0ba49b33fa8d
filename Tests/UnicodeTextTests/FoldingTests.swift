import Testing
import UnicodeText

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
  func `A letter does not begin with another letter`(letter: String, base: String) {
    #expect(!letter.foldedForMatching.utf8.starts(with: base.foldedForMatching.utf8))
  }

  @Test(arguments: [
    ("  A \t\n B  ", "a b"), ("A\u{A0}\u{2003}B", "a b"), (" é  è ", "e e"), ("", ""), (" \t", ""),
    ("\u{300}", ""),
    ("\u{3000}", ""), ("a\r\nb", "a b"),
  ])
  func `White space collapses and is trimmed`(text: String, folded: String) {
    #expect(text.foldedForMatching == folded)
  }

  @Test(arguments: ["Kind of Blue", "Ｂｊöｒｋ™", "ｶﾞｯｷｰ", "각 ﬃ Ⅳ İ ẞ Œ", "Don´t “go” – now…", "ΐ", "ᾳ", "ǅ", "ŉ"])
  func `Folding twice is folding once`(text: String) {
    let once = text.foldedForMatching
    #expect(Array(once.foldedForMatching.unicodeScalars) == Array(once.unicodeScalars))
  }

  @Test func `Every scalar folds without harm, and to a folded text`() {
    for value in UInt32(0)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = String(scalar).foldedForMatching
      let twice = once.foldedForMatching
      #expect(Array(once.unicodeScalars) == Array(twice.unicodeScalars), "U+\(String(value, radix: 16))")
    }
  }
}
