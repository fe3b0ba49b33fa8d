// SPDX-License-Identifier: GPL-3.0-or-later

/// The sort key of a string: bytes whose order (`memcmp`) is the order in which people sort names.
///
/// The order is that of a dictionary, as far as possible without knowing the language:
///
/// 1. *First level, letters.* Case, accents, width and compatibility forms are ignored ("É" = "e", "ﬁ" = "fi", "Ⅳ" =
///    "iv"), and so are strokes ("Ø" = "o") and ligatures ("æ" = "ae"), as in folding. Scripts come in the order of the
///    Unicode Collation Algorithm's default table (DUCET): symbols, digits, Latin, Greek, Cyrillic, Georgian, Armenian,
///    Hebrew, Arabic, ..., the scripts of India, Thai, ..., Hangul, kana, Bopomofo, Yi, Han. Spaces come before
///    everything, so that strings are sorted word by word ("New York" before "Newark"); punctuation is ignored (the
///    algorithm's "shifted" setting). A string of punctuation alone comes before all symbols. Numbers compare by value
///    ("2" before "10"; not part of the algorithm), in the digits of any script.
/// 2. *Within a script.* Latin letters from a to z, then those without a decomposition, by code point. Greek, Cyrillic
///    and Arabic by their alphabets (with "й" after "и", and the letters of Ukrainian, Serbian and Persian in their
///    places, as in DUCET; teh marbuta beside teh and alef maksura beside yeh, as in CLDR for Arabic). Hebrew's final
///    letters equal the others. Thai and Lao vowels that are written before their consonant sort after it. Scripts of
///    India by code point, which is the order of their alphabets. Hangul by syllable. Kana in gojūon order, as in JIS X
///    4061: voicing, small letters, hiragana or katakana, and half width are ignored; the prolonged sound mark equals
///    the vowel before it; an iteration mark equals the character that it repeats. Han by code point, which is by
///    radical and strokes, those in the basic block first.
/// 3. *Second level:* accents, points, tone marks and kana voicing, from the first letter on, in the order of DUCET.
/// 4. *Ties* are broken by the string's own bytes: capitals before small letters, small kana before large, hiragana
///    before katakana. So equal keys mean equal strings.
///
/// A key contains no byte 0: the keys of several strings can be concatenated with a 0 between them, and compare string
/// by string. Creating a key costs more than comparing two: create one for each string, then sort.
public struct CollationKey: Sendable, Hashable, Comparable {
  /// The bytes of the key: none is 0, the first is at most 0xB2, and there are at least two.
  public let bytes: [UInt8]

  /// Creates the sort key of `text`.
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

  /// Creates a key that is the same for all strings that match `text`: those with the same folded form and the same
  /// letters on the first level.
  ///
  /// Use it for the first of several sort criteria, which must not distinguish names that people regard as the same
  /// ("Björk" and "Bjork").
  public init(matching text: String) {
    var bytes = CollationElements(text).primary
    bytes.append(1)
    bytes.append(1)
    bytes.append(tie: text.foldedForMatching)
    self.bytes = bytes
  }

  /// Whether `left` sorts before `right`.
  public static func < (left: CollationKey, right: CollationKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension [UInt8] {
  /// Appends the UTF-8 of `text`, with an order-preserving escape for bytes below 2.
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

/// The lead bytes of collation elements, by script, in the order of DUCET. Latin letters from a to z are their own lead
/// bytes.
enum CollationScript {
  static let space: UInt8 = 0x02
  static let punctuation: UInt8 = 0x03
  static let symbol: UInt8 = 0x04
  static let number: UInt8 = 0x05
  static let hangul: UInt8 = 0xA0
  static let kana: UInt8 = 0xA1
  static let other: UInt8 = 0xAE
  static let han: UInt8 = 0xB0
  static let rareHan: UInt8 = 0xB1
  static let unknown: UInt8 = 0xB2

  /// Returns the lead byte of a letter's script, and the weight of the letter within the script; the weight is `nil` if
  /// the code point must follow instead.
  static func weight(of letter: UInt32) -> (lead: UInt8, weight: UInt8?) {
    guard letter < 0x3400 else {
      switch letter {
      case 0x3400...0x4DBF, 0x20000...0x3FFFF: return (rareHan, nil)
      case 0xA000...0xA4CF: return (yi, nil)
      case 0xA640...0xA69F: return (cyrillic, nil)
      case 0xA720...0xA7FF, 0xAB30...0xAB6F: return (latin, nil)
      case 0xA8E0...0xA8FF: return (devanagari, nil)
      default: return (other, nil)
      }
    }
    if (0x370..<0x700).contains(letter) {
      let weight = alphabetWeights[Int(letter - 0x370)]
      return (leads[Int(letter >> 4)], weight == 0 ? nil : weight)
    }
    let lead = leads[Int(letter >> 4)]
    let offset = letter & 0x7F
    // Blocks of 128 code points that contain a whole script.
    return (lead, (bengali - 1...tibetan).contains(lead) && letter < 0x0F80 ? UInt8(offset) + 2 : nil)
  }

  private static let latin: UInt8 = 0x7B
  private static let cyrillic: UInt8 = 0x7F
  private static let devanagari: UInt8 = 0x89
  private static let bengali: UInt8 = 0x8A
  private static let tibetan: UInt8 = 0x95
  private static let yi: UInt8 = 0xA3

  /// The lead byte for each block of sixteen code points.
  private static let leads: [UInt8] = {
    var leads = [UInt8](repeating: other, count: 0x340)
    for (range, lead) in scripts {
      for block in (range.lowerBound >> 4)...(range.upperBound >> 4) { leads[block] = lead }
    }
    return leads
  }()

  private static let scripts: [(ClosedRange<Int>, UInt8)] = [
    (0x0000...0x036F, latin), (0x1D00...0x1DBF, latin), (0x1E00...0x1EFF, latin), (0x2C60...0x2C7F, latin),
    (0x0370...0x03FF, 0x7C), (0x1F00...0x1FFF, 0x7C),  // Greek
    (0x2C80...0x2CFF, 0x7D), (0x2C00...0x2C5F, 0x7E),  // Coptic, Glagolitic
    (0x0400...0x052F, cyrillic), (0x1C80...0x1C8F, cyrillic), (0x2DE0...0x2DFF, cyrillic),
    (0x10A0...0x10FF, 0x80), (0x1C90...0x1CBF, 0x80), (0x2D00...0x2D2F, 0x80),  // Georgian
    (0x0530...0x058F, 0x81), (0x0590...0x05FF, 0x82),  // Armenian, Hebrew
    (0x0600...0x06FF, 0x83), (0x0750...0x077F, 0x83), (0x0870...0x08FF, 0x83),  // Arabic
    (0x0700...0x074F, 0x84), (0x0860...0x086F, 0x84), (0x0780...0x07BF, 0x85),  // Syriac, Thaana
    (0x07C0...0x07FF, 0x86), (0x2D30...0x2D7F, 0x87),  // N'Ko, Tifinagh
    (0x1200...0x139F, 0x88), (0x2D80...0x2DDF, 0x88),  // Ethiopic
    (0x0900...0x097F, devanagari), (0x0980...0x09FF, bengali),
    (0x0A00...0x0A7F, 0x8B), (0x0A80...0x0AFF, 0x8C), (0x0B00...0x0B7F, 0x8D),  // Gurmukhi, Gujarati, Oriya
    (0x0B80...0x0BFF, 0x8E), (0x0C00...0x0C7F, 0x8F), (0x0C80...0x0CFF, 0x90),  // Tamil, Telugu, Kannada
    (0x0D00...0x0D7F, 0x91), (0x0D80...0x0DFF, 0x92),  // Malayalam, Sinhala
    (0x0E00...0x0E7F, 0x93), (0x0E80...0x0EFF, 0x94),  // Thai, Lao
    (0x0F00...0x0FFF, tibetan), (0x1000...0x109F, 0x96),  // Tibetan, Myanmar
    (0x1780...0x17FF, 0x97), (0x1800...0x18AF, 0x98),  // Khmer, Mongolian
    (0x13A0...0x13FF, 0x99), (0x1400...0x167F, 0x9A), (0x18B0...0x18FF, 0x9A),  // Cherokee, Canadian
    (0x1680...0x169F, 0x9B), (0x16A0...0x16FF, 0x9C),  // Ogham, Runic
    (0x1100...0x11FF, hangul), (0x3040...0x30FF, kana), (0x31F0...0x31FF, kana),
    (0x3100...0x312F, 0xA2), (0x31A0...0x31BF, 0xA2),  // Bopomofo
  ]

  /// The weights of the letters in the Greek, Cyrillic, Armenian, Hebrew and Arabic alphabets, starting at U+0370; 0
  /// for other letters.
  private static let alphabetWeights: [UInt8] = {
    var weights = [UInt8](repeating: 0, count: 0x390)
    for alphabet in alphabets {
      for (index, letter) in alphabet.unicodeScalars.enumerated() {
        weights[Int(letter.value) - 0x370] = UInt8(index) + 2
      }
    }
    for letter in 0x561...0x586 { weights[letter - 0x370] = UInt8(letter - 0x561) + 2 }
    for (variant, letter) in zip("ךםןףץةىیک".unicodeScalars, "כמנפצتييك".unicodeScalars) {
      weights[Int(variant.value) - 0x370] = weights[Int(letter.value) - 0x370]
    }
    return weights
  }()

  private static let alphabets = [
    "αβγδεϝϛζηθικλμνξοπϟρστυφχψωϡ",
    "абвгґдђеєжзѕиіјйклљмнњопрстћуфхцчџшщъыьэюя",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "ءابپتثجچحخدذرزژسشصضطظعغفقكگلمنهوي",
  ]
}

/// The order of kana: gojūon, as in JIS X 4061.
enum CollationKana {
  /// The code point from which kana are numbered.
  static let first: UInt32 = 0x3040

  /// Returns the large hiragana as which a decomposed kana is sorted; `nil` for any other character.
  static func letter(_ value: UInt32) -> UInt32? {
    switch value {
    case 0x3041...0x3096: return large(value)
    case 0x30A1...0x30F6: return large(value - 0x60)
    case 0x31F0...0x31FF: return ainu[Int(value - 0x31F0)]
    default: return nil
    }
  }

  /// Returns the vowel in which a kana ends; `nil` if there is none.
  static func vowel(of letter: UInt32) -> UInt32? {
    guard (0x3041...0x3096).contains(letter) else { return nil }
    let vowel = vowels[Int(letter - first)]
    return vowel == 0 ? nil : vowel
  }

  private static func large(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E: value + 1
    case 0x3095: 0x304B
    case 0x3096: 0x3051
    default: value
    }
  }

  private static let ainu = "くしすとぬはひふへほむらりるれろ".unicodeScalars.map(\.value)

  private static let vowels: [UInt32] = {
    var vowels = [UInt32](repeating: 0, count: 0x57)
    for column in ["あかさたなはまやらわ", "いきしちにひみりゐ", "うくすつぬふむゆる", "えけせてねへめれゑ", "おこそとのほもよろを"] {
      let letters = column.unicodeScalars.map(\.value)
      for letter in letters { vowels[Int(letter - first)] = letters[0] }
    }
    return vowels
  }()
}
