// SPDX-License-Identifier: GPL-3.0-or-later

import CUTF8Proc

/// The collation elements of a string, from which a ``CollationKey`` is built.
struct CollationElements {
  /// The elements of the first level: the letters. No byte is below 2.
  private(set) var primary: [UInt8] = []
  /// The elements of the second level: each mark, preceded by the number of letters before it. No byte is below 2.
  private(set) var secondary: [UInt8] = []

  private var hasPendingSpace = false
  /// The index in `primary` of the length of the number that is being read; `nil` outside of a number.
  private var numberLength: Int?
  /// The index in `primary` at which the last letter starts, and that letter.
  private var lastStart = 0
  private var lastLetter: UInt32 = 0
  private var lettersSinceMark = 0
  /// A Thai or Lao vowel that is written before its consonant, and waits for it.
  private var leadingVowel: UInt32?

  init(_ text: String) {
    primary.reserveCapacity(2 * text.utf8.count + 8)
    if !appendASCII(text) {
      self = CollationElements()
      appendScalars(text)
    }
    if primary.isEmpty {
      // Folding leaves no control characters, and spaces only between other characters.
      let punctuation = text.foldedForMatching.utf8
      if !punctuation.isEmpty { primary = [CollationScript.punctuation] + punctuation }
    }
  }

  private init() {}

  /// Appends `text` if it is ASCII, and returns whether it is.
  private mutating func appendASCII(_ text: String) -> Bool {
    for byte in text.utf8 {
      guard byte < 0x80 else { return false }
      append(ascii: byte)
    }
    return true
  }

  private mutating func appendScalars(_ text: String) {
    primary.reserveCapacity(2 * text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value < 0x80 {
        flushLeadingVowel()
        append(ascii: UInt8(value))
      } else if (0x0E00...0x0EFF).contains(value) {
        append(thai: value)
      } else {
        flushLeadingVowel()
        switch value {
        case 0x4E00...0x9FFF: append(han: value)
        case 0xAC00...0xD7A3: append(syllable: Int(value - 0xAC00))
        default: appendDecomposed(scalar)
        }
      }
    }
    flushLeadingVowel()
  }

  // MARK: Letters

  private mutating func beginLetter(_ letter: UInt32) {
    if hasPendingSpace {
      primary.append(CollationScript.space)
      lettersSinceMark += 1
      hasPendingSpace = false
    }
    numberLength = nil
    lastStart = primary.count
    lastLetter = letter
    lettersSinceMark += 1
  }

  @inline(__always)
  private mutating func append(ascii byte: UInt8) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      beginLetter(UInt32(byte))
      primary.append(byte | 0x20)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): append(digit: byte)
    case 0x09...0x0D, 0x20:
      hasPendingSpace = !primary.isEmpty
      numberLength = nil
    case UInt8(ascii: "$"), UInt8(ascii: "+"), UInt8(ascii: "<")...UInt8(ascii: ">"):
      append(CollationScript.symbol, codePoint: UInt32(byte))
    default: numberLength = nil
    }
  }

  /// Appends a digit. A number is encoded as its length, without leading zeros, followed by its digits: so comparing
  /// bytes compares numbers.
  private mutating func append(digit byte: UInt8) {
    guard let length = numberLength else {
      beginLetter(UInt32(byte))
      primary.append(CollationScript.number)
      numberLength = primary.count
      primary.append(2)
      if byte != UInt8(ascii: "0") {
        primary[primary.count - 1] = 3
        primary.append(byte)
      }
      return
    }
    if primary[length] == 2, byte == UInt8(ascii: "0") { return }
    if primary[length] < .max { primary[length] += 1 }
    primary.append(byte)
  }

  private mutating func append(_ lead: UInt8, codePoint: UInt32) {
    beginLetter(codePoint)
    primary.append(lead)
    appendBytes(codePoint)
  }

  private mutating func appendBytes(_ codePoint: UInt32) {
    primary.append(UInt8(codePoint >> 14) + 2)
    primary.append(UInt8(codePoint >> 7 & 0x7F) + 2)
    primary.append(UInt8(codePoint & 0x7F) + 2)
  }

  private mutating func append(han value: UInt32) {
    beginLetter(value)
    primary.append(CollationScript.han)
    appendPair(Int(value - 0x4E00))
  }

  private mutating func appendPair(_ weight: Int) {
    primary.append(UInt8(weight >> 7) + 2)
    primary.append(UInt8(weight & 0x7F) + 2)
  }

  // MARK: Hangul

  /// Appends a Hangul syllable. One weight is reserved for each initial consonant, before its 588 syllables.
  private mutating func append(syllable index: Int) {
    beginLetter(UInt32(0xAC00 + index))
    primary.append(CollationScript.hangul)
    appendPair(index + index / 588 + 1)
  }

  private mutating func append(jamo value: UInt32) {
    switch value {
    case 0x1100...0x1112:
      beginLetter(value)
      primary.append(CollationScript.hangul)
      appendPair(Int(value - 0x1100) * 589)
    case 0x1161...0x1175 where isLast(0x1100...0x1112):
      replaceLast(syllable: Int(lastLetter - 0x1100) * 588 + Int(value - 0x1161) * 28)
    case 0x11A8...0x11C2 where isLast(0xAC00...0xD7A3) && (lastLetter - 0xAC00).isMultiple(of: 28):
      replaceLast(syllable: Int(lastLetter - 0xAC00) + Int(value - 0x11A7))
    default: append(CollationScript.hangul, codePoint: value)
    }
  }

  private func isLast(_ letters: ClosedRange<UInt32>) -> Bool {
    letters.contains(lastLetter) && !hasPendingSpace && lastStart < primary.count
  }

  private mutating func replaceLast(syllable index: Int) {
    primary.removeSubrange(lastStart...)
    lettersSinceMark -= 1
    append(syllable: index)
  }

  // MARK: Thai and Lao

  private mutating func append(thai value: UInt32) {
    switch value & 0x7F {
    case 0x40...0x44:
      flushLeadingVowel()
      leadingVowel = value
    case 0x01...0x2E:
      let vowel = leadingVowel
      leadingVowel = nil
      append(alphabet: value)
      if let vowel { append(alphabet: vowel) }
    case 0x47...0x4E:
      flushLeadingVowel()
      append(mark: value)
    default:
      flushLeadingVowel()
      if let scalar = Unicode.Scalar(value) { append(part: scalar) }
    }
  }

  private mutating func flushLeadingVowel() {
    guard let vowel = leadingVowel else { return }
    leadingVowel = nil
    append(alphabet: vowel)
  }

  // MARK: Other scripts

  private mutating func appendDecomposed(_ scalar: Unicode.Scalar) {
    if scalar.plainPunctuation != nil {
      numberLength = nil
      return
    }
    if (Self.latin).contains(scalar.value) {
      let parts = Self.latinParts[Int(scalar.value - Self.latin.lowerBound)]
      if let first = parts.first {
        append(part: first)
        if let second = parts.second { append(part: second) }
        return
      }
    }
    for part in Self.parts(of: scalar) ?? [scalar] { append(part: part) }
  }

  /// The accented letters of most names, decomposed; `first` is `nil` if there are more than two parts.
  private static let latin: ClosedRange<UInt32> = 0xC0...0x17F
  private static let latinParts = latin.map { value -> (first: Unicode.Scalar?, second: Unicode.Scalar?) in
    guard let scalar = Unicode.Scalar(value), let parts = parts(of: scalar), (1...2).contains(parts.count)
    else { return (nil, nil) }
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }

  /// Returns the decomposition of a scalar; `nil` if it cannot be determined.
  private static func parts(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    var parts = SIMD32<Int32>()
    let options =
      UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
      | UTF8PROC_IGNORE.rawValue
    var boundary: Int32 = 0
    let count = unsafe withUnsafeMutableBytes(of: &parts) { buffer in
      unsafe utf8proc_decompose_char(
        Int32(bitPattern: scalar.value), buffer.bindMemory(to: Int32.self).baseAddress, 32,
        utf8proc_option_t(rawValue: options), &boundary)
    }
    guard (0...32).contains(count) else { return nil }
    return (0..<count).compactMap { Unicode.Scalar(UInt32(bitPattern: parts[$0])) }
  }

  private mutating func append(part scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x80 { return append(ascii: UInt8(value)) }
    // The common accents, recognised without the Unicode tables.
    if (0x300...0x314).contains(value) || value == 0x323 || value == 0x327 || value == 0x328 {
      return append(mark: value)
    }
    if let letter = CollationKana.letter(value) {
      beginLetter(letter)
      primary.append(CollationScript.kana)
      primary.append(UInt8(letter - CollationKana.first) + 2)
      return
    }
    switch value {
    case 0x30FC: return appendProlongation()
    case 0x309D, 0x30FD, 0x3005, 0x303B: return repeatLast()
    case 0x1100...0x11FF: return append(jamo: value)
    case 0x4E00...0x9FFF: return append(han: value)
    case 0x0E00...0x0EFF where scalar.properties.generalCategory == .otherLetter:
      return append(alphabet: value)
    default: break
    }
    if let letters = scalar.plainLetters {
      for byte in letters.utf8 { append(ascii: byte) }
      return append(mark: 0x338)
    }
    if scalar.isPlainLetter { return append(alphabet: value) }
    guard scalar.plainPunctuation == nil, !scalar.properties.isWhitespace else {
      if scalar.properties.isWhitespace { hasPendingSpace = !primary.isEmpty }
      numberLength = nil
      return
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      let rank = scalar.properties.canonicalCombiningClass.rawValue
      if scalar.isDiacritic || rank == 7 || rank == 8 { append(mark: value) } else { append(alphabet: value) }
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark,
      .letterNumber, .otherNumber:
      append(alphabet: value)
    case .decimalNumber:
      if let digit = scalar.properties.numericValue, (0...9).contains(digit) {
        append(digit: UInt8(ascii: "0") + UInt8(digit))
      }
    case .otherSymbol, .currencySymbol, .mathSymbol: append(CollationScript.symbol, codePoint: value)
    case .unassigned, .privateUse: append(CollationScript.unknown, codePoint: value)
    default: numberLength = nil
    }
  }

  private mutating func append(alphabet value: UInt32) {
    let (lead, weight) = CollationScript.weight(of: value)
    beginLetter(value)
    primary.append(lead)
    if let weight {
      primary.append(weight)
    } else {
      primary.append(0xFE)
      appendBytes(value)
    }
  }

  private mutating func appendProlongation() {
    guard !hasPendingSpace, let vowel = CollationKana.vowel(of: lastLetter) else { return }
    beginLetter(vowel)
    primary.append(CollationScript.kana)
    primary.append(UInt8(vowel - CollationKana.first) + 2)
  }

  private mutating func repeatLast() {
    guard !hasPendingSpace, lastStart < primary.count else { return }
    let last = primary[lastStart...]
    beginLetter(lastLetter)
    primary.append(contentsOf: last)
  }

  // MARK: Marks

  /// Appends a mark, with the distance from the last one. The greater the distance to the next mark, the smaller the
  /// byte: a string whose mark comes later sorts first.
  private mutating func append(mark value: UInt32) {
    if value == 0x306, lastLetter == 0x438, !hasPendingSpace, lastStart < primary.count {
      primary.removeSubrange(lastStart...)
      lettersSinceMark -= 1
      return append(alphabet: 0x439)
    }
    while lettersSinceMark >= 250 {
      secondary.append(4)
      lettersSinceMark -= 250
    }
    secondary.append(UInt8(255 - lettersSinceMark))
    lettersSinceMark = 0
    if let weight = Self.marks.firstIndex(of: value) {
      secondary.append(UInt8(weight) + 0x10)
    } else {
      secondary.append(UInt8(value >> 7 & 0x3F) + 0x40)
      secondary.append(UInt8(value & 0x7F) + 2)
    }
  }

  /// Acute, grave, breve, circumflex, caron, ring, diaeresis, double acute, tilde, dot above, stroke, cedilla, ogonek,
  /// macron, voiced, half voiced: the order of DUCET.
  private static let marks: [UInt32] = [
    0x301, 0x300, 0x306, 0x302, 0x30C, 0x30A, 0x308, 0x30B, 0x303, 0x307, 0x338, 0x327, 0x328, 0x304, 0x3099,
    0x309A,
  ]
}
