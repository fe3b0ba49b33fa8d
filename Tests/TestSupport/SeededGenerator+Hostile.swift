extension SeededGenerator {
  /// So many bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// A text of letters, wide letters, pictures, marks, controls and whatever else spoils a layout.
  public mutating func hostileText() -> String {
    let pieces = [
      "a", "Blue", " ", "夜曲", "ｶﾅ", "👩‍👩‍👧‍👦", "🇯🇵", "🇯", "e\u{301}", "\u{301}\u{302}", "\u{1B}[2J", "\n", "\t",
      "\u{202E}", "\u{200D}", "\u{AD}", "각", "\u{1100}", "❤\u{FE0F}", "1️⃣", "\0", "\u{9B}", "العربية",
      "\u{FFFD}", "Ａ",
    ]
    return (0..<Int.random(in: 0...40, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }
      .joined()
  }
}
