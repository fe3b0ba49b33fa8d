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
  func `A text is cut to cells`(text: String, limit: Int, cut: String) {
    #expect(text.truncated(toCells: limit) == cut)
  }

  @Test(arguments: ["Kind of Blue", "夜a曲bです🎵", "👩‍👩‍👧‍👦👍🏽🇯🇵x", "e\u{301}e\u{301}e\u{301}", ""], 0...16)
  func `A cut text never exceeds its cells, and a padded one fills them`(text: String, cells: Int) {
    #expect(text.truncated(toCells: cells).cellWidth <= cells)
    #expect(text.padded(toCells: cells).cellWidth == cells)
    #expect(text.padded(toCells: cells, .right).cellWidth == cells)
  }

  @Test func `Padding stands on the side away from the text`() {
    #expect("夜".padded(toCells: 5) == "夜   ")
    #expect("夜".padded(toCells: 5, .right) == "   夜")
    #expect("夜曲".padded(toCells: 3) == "夜…")
    #expect("夜曲".padded(toCells: -1) == "")
  }
}
