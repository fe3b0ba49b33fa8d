// SPDX-License-Identifier: GPL-3.0-or-later

import CUTF8Proc

extension String {
  /// The folded form of the string, for comparing names: two strings match if their folded forms are equal.
  ///
  /// Folding ignores case, diacritics, width and other compatibility forms ("ﬁ", "①", "Ａ"), invisible format
  /// characters, the shape of quotation marks, apostrophes and dashes, and the amount of white space; "ß" equals "ss",
  /// and letters with a stroke or a ligature equal the plain ones ("Ø" = "o", "æ" = "ae"). Marks that make a
  /// different letter are preserved: kana voicing marks and the vowel signs of Indic scripts.
  ///
  /// The result is composed and trimmed, and folding it again does not change it. It may be empty.
  public var foldedForMatching: String {
    foldedASCII ?? foldedUnicode
  }

  /// The folded form if the string is ASCII; `nil` for any other.
  private var foldedASCII: String? {
    var folded: [UInt8] = []
    folded.reserveCapacity(utf8.count)
    var pendingSpace = false
    for byte in utf8 {
      switch byte {
      case 0x09...0x0D, 0x20:
        pendingSpace = !folded.isEmpty
        continue
      case 0x00...0x1F, 0x7F: continue
      case 0x80...: return nil
      default: break
      }
      if pendingSpace {
        folded.append(0x20)
        pendingSpace = false
      }
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
      case UInt8(ascii: "`"): folded.append(UInt8(ascii: "'"))
      default: folded.append(byte)
      }
    }
    return String(decoding: folded, as: UTF8.self)
  }

  private var foldedUnicode: String {
    if let folded = FoldedLetters.text(self) { return folded }
    var folding = ScalarFolding()
    for scalar in unicodeScalars { folding.append(scalar) }
    return folding.composed
  }
}

/// Folds a string scalar by scalar.
struct ScalarFolding {
  /// The folded scalars so far, decomposed.
  private(set) var scalars: [Int32] = []
  private var pendingSpace = false

  /// A buffer for the decomposition of one scalar. The longest has 18 scalars; a scalar whose decomposition did not fit
  /// would be left unchanged.
  private var decomposition = [Int32](repeating: 0, count: 32)

  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isPlainLetter { return add(scalar) }
    if let punctuation = scalar.plainPunctuation { return emit(punctuation) }
    let options =
      UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
      | UTF8PROC_IGNORE.rawValue
    var boundary: Int32 = 0
    let count = unsafe decomposition.withUnsafeMutableBufferPointer { buffer in
      unsafe utf8proc_decompose_char(
        Int32(bitPattern: scalar.value), buffer.baseAddress, buffer.count,
        utf8proc_option_t(rawValue: options), &boundary)
    }
    guard (0...decomposition.count).contains(count) else { return emit(scalar) }
    for part in decomposition.prefix(count) {
      guard let part = Unicode.Scalar(UInt32(bitPattern: part)) else { continue }
      if part.isPlainLetter {
        add(part)
        continue
      }
      guard !part.isDiacritic else { continue }
      if let punctuation = part.plainPunctuation {
        emit(punctuation)
      } else if let letters = part.plainLetters {
        letters.unicodeScalars.forEach { emit($0) }
      } else {
        emit(part)
      }
    }
  }

  private mutating func emit(_ scalar: Unicode.Scalar) {
    if scalar.properties.isWhitespace {
      pendingSpace = !scalars.isEmpty
      return
    }
    guard scalar.properties.generalCategory != .control else { return }
    add(scalar)
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    if pendingSpace {
      scalars.append(0x20)
      pendingSpace = false
    }
    scalars.append(Int32(bitPattern: scalar.value))
  }

  /// The folded string, with kana, Hangul and Indic letters composed again, so that a prefix never ends within a
  /// letter.
  var composed: String {
    var buffer = scalars
    let options = UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue
    let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      unsafe utf8proc_normalize_utf32(
        buffer.baseAddress, buffer.count, utf8proc_option_t(rawValue: options))
    }
    var text: [UInt8] = []
    text.reserveCapacity(3 * buffer.count)
    for value in buffer.prefix(max(0, count)) {
      if value < 0x80 {
        text.append(UInt8(truncatingIfNeeded: value))
      } else if let scalar = Unicode.Scalar(UInt32(bitPattern: value)) {
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether folding leaves this letter unchanged: a fast test without Unicode tables, for the scripts of most names.
  var isPlainLetter: Bool {
    switch value {
    case 0x61...0x7A,  // Latin
      // Greek and Cyrillic, without final sigma and й
      0x3B1...0x3C1, 0x3C3...0x3C9, 0x430...0x438, 0x43A...0x44F,
      0x5D0...0x5EA, 0x621, 0x627...0x63A, 0x641...0x64A,  // Hebrew, Arabic
      // Thai, kana, Han, Hangul
      0xE01...0xE30, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
      true
    default: false
    }
  }

  /// Whether the scalar only modifies the letter before it: an accent, Hebrew point or Arabic vowel mark, according to
  /// its combining class. Kana voicing marks (8), nuktas (7), viramas (9) and vowel signs (0 and 84 to 132) count as
  /// letters.
  var isDiacritic: Bool {
    switch properties.generalCategory {
    case .enclosingMark: return true
    case .nonspacingMark:
      let rank = properties.canonicalCombiningClass.rawValue
      return rank == 1 || (10...36).contains(rank) || rank >= 200
    default: return false
    }
  }

  /// The ASCII equivalent of a typographic quotation mark, dash or slash; `nil` for any other character.
  var plainPunctuation: Unicode.Scalar? {
    switch value {
    case 0x60, 0xB4, 0x2B9, 0x2BB...0x2BD, 0x2C8, 0x2018...0x201B, 0x2032, 0x2035: "'"
    case 0xAB, 0xBB, 0x2BA, 0x201C...0x201F, 0x2033, 0x2036, 0x301D...0x301F: "\""
    case 0x2010...0x2015, 0x2043, 0x2212, 0xFE58, 0xFE63, 0xFF0D: "-"
    case 0x2044, 0x2215: "/"
    case 0x301C, 0x223C: "~"
    default: nil
    }
  }

  /// The plain letters that replace a lower-case letter which Unicode does not decompose; `nil` for any other
  /// character.
  var plainLetters: String? {
    switch value {
    case 0xE6: "ae"
    case 0xF0, 0x111, 0x256: "d"
    case 0xF8, 0x275: "o"
    case 0xFE: "th"
    case 0x127: "h"
    case 0x131, 0x268: "i"
    case 0x142, 0x19A: "l"
    case 0x14B: "n"
    case 0x153: "oe"
    case 0x167: "t"
    case 0x180: "b"
    case 0x1E5: "g"
    case 0x23C: "c"
    case 0x249: "j"
    default: nil
    }
  }
}

/// A fast path of folding, for the letters of most names, which fold independently of each other.
enum FoldedLetters {
  /// Returns the folded form of `text`; `nil` if it contains anything but ASCII and letters that fold independently of
  /// each other.
  static func text(_ text: String) -> String? {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count + 8)
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      var letter: UInt32
      switch scalar.value {
      case 0x09...0x0D, 0x20:
        pendingSpace = !folded.isEmpty
        continue
      case 0x00...0x1F, 0x7F: continue
      case 0x41...0x5A: letter = scalar.value | 0x20
      case 0x60: letter = 0x27
      case 0x21..<0x7F: letter = scalar.value
      case 0x80...0x17F: letter = latin[Int(scalar.value - 0x80)]
      case 0x400...0x45F: letter = cyrillic[Int(scalar.value - 0x400)]
      default: letter = scalar.isPlainLetter ? bytes(of: scalar) : 0
      }
      if letter == 0 { return nil }
      if pendingSpace {
        folded.append(0x20)
        pendingSpace = false
      }
      repeat {
        folded.append(UInt8(truncatingIfNeeded: letter))
        letter >>= 8
      } while letter != 0
    }
    return String(decoding: folded, as: UTF8.self)
  }

  /// The UTF-8 of each letter's folded form, the first byte in the lowest bits; 0 if it is longer than four bytes, or
  /// depends on adjacent characters.
  private static let latin = forms(of: 0x80...0x17F)
  private static let cyrillic = forms(of: 0x400...0x45F)

  private static func forms(of letters: ClosedRange<UInt32>) -> [UInt32] {
    letters.map { value in
      guard let scalar = Unicode.Scalar(value) else { return 0 }
      var folding = ScalarFolding()
      folding.append(scalar)
      var form: UInt32 = 0
      var shift: UInt32 = 0
      for case let part in folding.scalars.map({ Unicode.Scalar(UInt32(bitPattern: $0)) }) {
        // These letters do not compose with anything that folding leaves.
        guard let part, part.isPlainLetter || (0x21..<0x7F).contains(part.value) else { return 0 }
        let bytes = bytes(of: part)
        if shift + (bytes > 0xFF ? 24 : 8) > 32 { return 0 }
        form |= bytes << shift
        shift += bytes > 0xFFFF ? 24 : bytes > 0xFF ? 16 : 8
      }
      return form
    }
  }

  /// Returns the UTF-8 of a letter in the basic plane, the first byte in the lowest bits.
  private static func bytes(of scalar: Unicode.Scalar) -> UInt32 {
    let value = scalar.value
    if value < 0x80 { return value }
    if value < 0x800 { return 0xC0 | value >> 6 | (0x80 | value & 0x3F) << 8 }
    return 0xE0 | value >> 12 | (0x80 | value >> 6 & 0x3F) << 8 | (0x80 | value & 0x3F) << 16
  }
}
