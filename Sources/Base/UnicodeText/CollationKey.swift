/// What a text is sorted by: bytes that compare as people order names, byte by byte from the first (`memcmp`).
///
/// The order is that of a dictionary as far as it can be without knowing the language:
///
/// 1. *First level, letters.* Case, accents, width and compatibility forms do not count ("É" = "e", "ﬁ" = "fi", "Ⅳ" =
///    "iv"), nor do letters with a stroke ("Ø" = "o") and ligatures ("æ" = "ae"): as in folding. Scripts come in the
///    order of the Unicode Collation Algorithm's default table (DUCET): symbols, digits, Latin, Greek, Cyrillic,
///    Georgian, Armenian, Hebrew, Arabic, ..., the scripts of India, Thai, ..., Hangul, kana, Bopomofo, Yi, Han. Spaces
///    come before everything, so that words count ("New York" before "Newark"); punctuation does not count (the
///    algorithm's "shifted" setting). A text of nothing else is before all symbols. Numbers compare by value ("2"
///    before "10"; an addition of ours), in the digits of any script.
/// 2. *Within a script.* Latin letters from a to z, then those that no one decomposes, by code point. Greek, Cyrillic
///    and Arabic by their alphabets (with "й" behind "и", and the letters of Ukrainian, Serbian and Persian in their
///    places, as in DUCET; teh marbuta beside teh and alef maksura beside yeh, as CLDR has it for Arabic). Hebrew's
///    final letters equal the others. Thai and Lao vowels that are written before their consonant count behind it.
///    Scripts of India by code point, which is their alphabets' order. Hangul by syllable. Kana in gojūon order, as JIS
///    X 4061 has it: voicing, small letters, and whether it is hiragana, katakana or of half width do not count; the
///    prolonged sound mark equals the vowel before it; an iteration mark equals what it repeats. Han by code point,
///    which is by radical and strokes, those in the basic block first.
/// 3. *Second level:* accents, points, tone marks and kana voicing, from the first letter on, in the order of DUCET.
/// 4. *Ties* go by the text's own bytes: capitals before small letters, small kana before large, hiragana before
///    katakana. So equal keys mean equal texts.
///
/// There is no byte 0 in a key: keys of several texts may be put behind one another with a 0 between them, and compare
/// text by text. Making a key costs more than comparing two: make one a text, then sort.
public struct CollationKey: Sendable, Hashable, Comparable {
  /// The key: none of the bytes is 0, the first is at most 0xB2, and there are at least two.
  public let bytes: [UInt8]

  /// The key of `text`.
  public init(_ text: String) {
    let elements = CollationElements(text)
    var bytes = elements.primary
    bytes.reserveCapacity(bytes.count + elements.secondary.count + text.utf8.count + 2)
    bytes.append(1)
    bytes.append(contentsOf: elements.secondary)
    bytes.append(1)
    bytes.append(tie: text)
    self.bytes = bytes
  }

  /// The key of `text` with texts that match it: those that fold alike, and have the same letters on the first level,
  /// have one key.
  ///
  /// For the first of several things to sort by, which must not tell apart what is one to people ("Björk" and "Bjork").
  public init(matching text: String) {
    var bytes = CollationElements(text).primary
    bytes.append(1)
    bytes.append(1)
    bytes.append(tie: text.foldedForMatching)
    self.bytes = bytes
  }

  /// Whether `left` is sorted before `right`.
  public static func < (left: CollationKey, right: CollationKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension [UInt8] {
  /// Adds the bytes of a text, those below 2 in a form that is above 0 and keeps the order.
  fileprivate mutating func append(tie text: String) {
    if text.utf8.allSatisfy({ $0 > 1 }) {
      append(contentsOf: text.utf8)
      return
    }
    for byte in text.utf8 {
      if byte > 1 {
        append(byte)
      } else {
        append(1)
        append(byte + 1)
      }
    }
  }
}
