/// Whether bytes that are no UTF-8 are Japanese text in Shift-JIS rather than some text in Windows-1252.
///
/// They are where all of them are valid Shift-JIS (JIS X 0208, the NEC and IBM extensions, half-width katakana), and of
/// the characters beyond ASCII more than half are what Japanese text has and Western text in Windows-1252 hardly ever
/// looks like:
/// - kana and full-width punctuation, letters and digits, whose first bytes are 0x81 to 0x83;
/// - kanji, where two or more characters of two bytes stand together, unless they are of an accented small letter and
///   an ASCII letter: 0xE9 0x6C alone is more likely "él" than one kanji, and 0xE5 0x62 0xE6 0x72 "åbær" than two;
/// - half-width katakana in a run of three or more characters: one or two are more likely accented letters.
struct ShiftJISEvidence {
  private var characters = 0
  private var plausible = 0
  private var run = Run()

  /// What stands together without ASCII between it.
  private struct Run {
    var kana = 0
    var kanji = 0
    var halfWidth = 0
    var others = 0
  }

  /// Whether the bytes are more likely Shift-JIS than Windows-1252; not where all are ASCII.
  static func isPlausible(_ bytes: some Sequence<UInt8>) -> Bool {
    var evidence = ShiftJISEvidence()
    var first: UInt8?
    for byte in bytes {
      if let lead = first {
        first = nil
        guard evidence.add(lead, byte) else { return false }
      } else {
        switch byte {
        case ...0x7F: evidence.endRun()
        case 0xA1...0xDF: evidence.run.halfWidth += 1
        case 0x81...0x84, 0x87...0x9F, 0xE0...0xEA, 0xED...0xEE, 0xFA...0xFC: first = byte
        default: return false
        }
      }
    }
    evidence.endRun()
    return first == nil && evidence.plausible * 2 > evidence.characters
  }

  /// Counts the character of these two bytes, of which the first is valid; says whether the second is, too.
  private mutating func add(_ lead: UInt8, _ trail: UInt8) -> Bool {
    guard (0x40...0xFC).contains(trail), trail != 0x7F else { return false }
    switch lead {
    case 0x81...0x83: run.kana += 1
    case 0x89...0x9F: run.kanji += 1
    case 0xE0...0xEA where trail >= 0x80: run.kanji += 1
    case 0x88 where trail >= 0x9F: run.kanji += 1
    default: run.others += 1
    }
    return true
  }

  private mutating func endRun() {
    let doubles = run.kana + run.kanji + run.others
    let all = doubles + run.halfWidth
    if all == 0 { return }
    characters += all
    plausible += run.kana
    if doubles >= 2 { plausible += run.kanji }
    if all >= 3 { plausible += run.halfWidth }
    run = Run()
  }
}
