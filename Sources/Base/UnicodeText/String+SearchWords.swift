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
    var words: [UInt8] = []
    // At most a space before each letter, and one at the end.
    words.reserveCapacity(2 * utf8.count + 1)
    var isWithin = false
    for scalar in unicodeScalars {
      guard isPart(scalar) else {
        isWithin = false
        continue
      }
      let standsAlone = scalar.value >= 0xE00 && scalar.isWordByItself
      if !isWithin || standsAlone { words.append(UInt8(ascii: " ")) }
      words.append(contentsOf: scalar.utf8)
      isWithin = !standsAlone
    }
    if !words.isEmpty { words.append(UInt8(ascii: " ")) }
    return String(decoding: words, as: UTF8.self)
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
