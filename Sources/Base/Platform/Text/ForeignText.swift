// SPDX-License-Identifier: GPL-3.0-or-later

/// Detection in fields that are known not to be in a Western language.
extension LegacyText.CharacterSet {
  /// The fraction of a field's characters that must be common in a character set.
  private static let commonShare = 0.7
  /// The number of characters from which text is Korean if all of them are hangul; they may also be Chinese characters.
  private static let hangulCount = 5

  /// Creates the character set of most of these fields, or returns `nil` if none is likely.
  ///
  /// libuchardet detects none in a few words. Then letters decide if they are capitals and small letters as in Russian
  /// words, or characters if nearly all are common ones.
  init?(ofForeign fields: [[UInt8]]) {
    // Text must not begin like UTF-16.
    let joined = fields.flatMap { [0x0A as UInt8] + $0 }
    func isLikely(_ set: Self) -> Bool { fields.count { set.fits($0) } * 2 > fields.count }
    let detected = unsafe joined.withUnsafeBufferPointer { unsafe Self(detectedIn: $0, isForeign: true) }
    if let detected, isLikely(detected) {
      self = detected
      return
    }
    let cyrillic = [Self.windows1251, .koi8R].map { ($0, CyrillicShape(of: joined, in: $0)) }
    let likeliest = cyrillic.filter { $0.1.isPlausible }.max { $0.1.points < $1.1.points }
    if let likeliest {
      self = likeliest.0
    } else if ShiftJISEvidence.isPlausible(joined), isLikely(.shiftJIS) {
      self = .shiftJIS
    } else if let set = Self(ofCommon: joined), isLikely(set) {
      self = set
    } else {
      return nil
    }
  }

  /// Creates the East Asian character set of which the text has the most common characters.
  private init?(ofCommon text: [UInt8]) {
    let korean = CommonCharacters(of: text, in: .eucKR)
    var sets = [Self.gb18030, .big5, .eucJP]
    if korean.count >= Self.hangulCount { sets.insert(.eucKR, at: 0) }
    var best: (set: Self, share: Double)?
    for set in sets {
      let share = CommonCharacters(of: text, in: set).share
      if share >= Self.commonShare, share > best?.share ?? 0 { best = (set, share) }
    }
    guard let best else { return nil }
    self = best.set
  }

  /// Whether a field is valid in this character set, or cut off, and looks like text in it.
  func fits(_ field: [UInt8]) -> Bool {
    let decoded = lossyText(of: field)
    guard decoded.flaws == 0 || decoded.isOnlyCut else { return false }
    switch self {
    case .windows1251, .koi8R: return CyrillicShape(of: field, in: self).isPlausible
    case .shiftJIS: return !Self.hasLetterAmongKana(decoded.text)
    case .gb18030, .big5, .eucKR, .eucJP: return CommonCharacters(of: field, in: self).share >= 0.5
    default: return true
    }
  }

  /// Whether a letter of ASCII is between two half-width kana. In other encodings, such bytes are one character.
  private static func hasLetterAmongKana(_ text: String) -> Bool {
    var (last, beforeLast): (Unicode.Scalar, Unicode.Scalar) = (" ", " ")
    func isKana(_ scalar: Unicode.Scalar) -> Bool { (0xFF66...0xFF9F).contains(scalar.value) }
    for scalar in text.unicodeScalars {
      if isKana(beforeLast), last.isASCII, last.properties.isAlphabetic, isKana(scalar) { return true }
      (beforeLast, last) = (last, scalar)
    }
    return false
  }

  func lossyText(of field: [UInt8]) -> LossyText {
    unsafe field.withUnsafeBufferPointer { unsafe lossyText(of: $0) }
  }
}

/// Counts the two-byte characters of text in an East Asian character set.
struct CommonCharacters {
  private(set) var count = 0
  private var common = 0

  /// The fraction of the characters that are among the most common ones of the character set; 0 if there are none.
  var share: Double { count == 0 ? 0 : Double(common) / Double(count) }

  init(of text: [UInt8], in set: LegacyText.CharacterSet) {
    var index = 0
    while index < text.count {
      let lead = text[index]
      index += 1
      guard lead >= 0x80 else { continue }
      count += 1
      guard index < text.count, text[index] >= 0x40 else { continue }
      if Self.isCommon(lead, text[index], set) { common += 1 }
      index += 1
    }
  }

  private static func isCommon(_ lead: UInt8, _ trail: UInt8, _ set: LegacyText.CharacterSet) -> Bool {
    switch set {
    // Punctuation, wide letters and the characters of level 1.
    case .gb18030: trail >= 0xA1 && (lead == 0xA1 || lead == 0xA3 || (0xB0...0xD7).contains(lead))
    case .big5: (trail <= 0x7E || trail >= 0xA1) && (lead == 0xA1 || (0xA4...0xC6).contains(lead))
    case .eucKR: trail >= 0xA1 && (0xB0...0xC8).contains(lead)
    // Also kana.
    case .eucJP: trail >= 0xA1 && (lead == 0xA1 || [0xA4, 0xA5].contains(lead) || (0xB0...0xCF).contains(lead))
    default: false
    }
  }
}

/// Decides whether text looks like words in a Cyrillic character set: they consist of letters alone, and no capital
/// follows a small letter.
struct CyrillicShape {
  private var words = 0
  private var flawed = 0
  /// The number of words in small letters, and twice the number of those with a capital.
  private(set) var points = 0

  /// Whether nearly all words are plausible.
  var isPlausible: Bool { words > 0 && flawed * 5 <= words }

  init(of text: [UInt8], in set: LegacyText.CharacterSet) {
    for run in text.split(whereSeparator: { Self.isBetweenWords($0, in: set) })
    where run.contains(where: { $0 >= 0x80 }) {
      words += 1
      let cases = run.map { Self.isSmall($0, in: set) }
      if cases.contains(nil) || zip(cases, cases.dropFirst()).contains(where: { $0.0 == true && $0.1 == false }) {
        flawed += 1
      } else if cases.last == true {
        points += cases.first == true ? 1 : 2
      }
    }
  }

  private static func isBetweenWords(_ byte: UInt8, in set: LegacyText.CharacterSet) -> Bool {
    byte < 0x80 ? !(0x41...0x5A).contains(byte & 0xDF) : set == .windows1251 && signs.contains(byte)
  }

  /// Quotation marks, dashes and similar signs of Windows-1251.
  private static let signs: Set<UInt8> = [0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xA0, 0xA9, 0xAB, 0xB9, 0xBB]

  /// Whether a byte is a small letter; `nil` if it is no letter.
  private static func isSmall(_ byte: UInt8, in set: LegacyText.CharacterSet) -> Bool? {
    if set == .koi8R {
      return byte >= 0xE0 || byte == 0xB3 ? false : byte >= 0xC0 || byte == 0xA3 ? true : nil
    }
    switch byte {
    case 0xE0...0xFF, 0xB8, 0xBA, 0xBF, 0xB3, 0xB4, 0xA2: return true
    case 0xC0...0xDF, 0xA8, 0xAA, 0xAF, 0xB2, 0xA5, 0xA1: return false
    default: return nil
    }
  }
}
