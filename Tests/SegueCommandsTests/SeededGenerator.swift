/// Random numbers that are the same at every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// A text of letters, wide letters, pictures, marks, controls and whatever else spoils a layout.
  mutating func hostileText() -> String {
    let pieces = [
      "a", "Blue", " ", "夜曲", "ｶﾅ", "👩‍👩‍👧‍👦", "🇯🇵", "🇯", "e\u{301}", "\u{301}\u{302}", "\u{1B}[2J", "\n", "\t",
      "\u{202E}", "\u{200D}", "\u{AD}", "각", "\u{1100}", "❤\u{FE0F}", "1️⃣", "\0", "\u{9B}", "العربية",
      "\u{FFFD}", "Ａ",
    ]
    return (0..<Int.random(in: 0...40, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }
      .joined()
  }
}
