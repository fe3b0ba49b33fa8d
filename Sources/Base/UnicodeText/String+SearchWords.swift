// SPDX-License-Identifier: GPL-3.0-or-later

extension String {
  /// The words of the string in the form that is used for searching: folded, with a space before and after each. Thus
  /// " word " finds a word, and " wor" finds its beginning. Empty if there is no word.
  ///
  /// A word is a run of letters, marks and digits. In scripts without spaces between words (Chinese, Japanese, Thai and
  /// the like) every letter is a word. If the string has no letter or digit, like "!!!", its words are separated by
  /// spaces alone.
  public var searchWords: String {
    let folded = foldedForMatching
    let words = folded.words(by: \.isPartOfWord)
    return words.isEmpty ? folded.words { $0 != " " } : words
  }

  private func words(by isPart: (Unicode.Scalar) -> Bool) -> String {
    var text = self
    return text.withUTF8 { bytes in
      // At most a space before each letter, and one at the end.
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * bytes.count + 1) { result in
        let count = unsafe Self.write(bytes, into: result, by: isPart)
        return unsafe String(decoding: result[..<count], as: UTF8.self)
      }
    }
  }

  /// Writes the words of `text` to `result`; returns the number of bytes written.
  private static func write(
    _ text: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>,
    by isPart: (Unicode.Scalar) -> Bool
  ) -> Int {
    var count = 0
    var isWithin = false
    var offset = 0
    while offset < text.count {
      let (scalar, length) = unsafe scalar(text, at: offset)
      defer { offset += length }
      guard isPart(scalar) else {
        isWithin = false
        continue
      }
      let standsAlone = scalar.value >= 0xE00 && scalar.isWordByItself
      if !isWithin || standsAlone {
        unsafe result[count] = UInt8(ascii: " ")
        count += 1
      }
      for index in offset..<offset + length {
        unsafe result[count] = unsafe text[index]
        count += 1
      }
      isWithin = !standsAlone
    }
    if count > 0 {
      unsafe result[count] = UInt8(ascii: " ")
      count += 1
    }
    return count
  }

  /// Returns the scalar at `offset` in well-formed UTF-8, and its number of bytes.
  private static func scalar(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> (Unicode.Scalar, Int) {
    let first = unsafe text[offset]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first & (0x7F >> UInt8(length)))
    for index in offset + 1..<offset + length { value = value << 6 | UInt32(unsafe text[index] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a letter, a mark, a digit or a symbol other than punctuation, currency and mathematics.
  var isPartOfWord: Bool {
    if isASCII {
      return (0x30...0x39).contains(value) || (0x61...0x7A).contains(value) || (0x41...0x5A).contains(value)
    }
    if isPlainLetter { return true }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .privateUse:
      return true
    default: return false
    }
  }

  /// Whether the scalar belongs to a script without spaces between words, including marks and length signs.
  var isWordByItself: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF,  // Thai, Lao, Myanmar, Khmer
      0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,  // kana
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:  // Han
      true
    default: false
    }
  }
}
