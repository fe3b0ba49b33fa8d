extension String {
  /// The words of the text as they are searched: folded, each with a space before and behind it, so that a word is found by
  /// looking for " word ", and its beginning by looking for " wor". Empty where there is no word.
  ///
  /// A word is a run of letters, marks and digits. Of scripts that put no space between words (Chinese, Japanese, Thai and
  /// the like) every letter is a word. Of a text without any letter or digit, such as "!!!", what stands between spaces is.
  public var searchWords: String {
    let folded = foldedForMatching
    let words = folded.words(by: \.isPartOfWord)
    return words.isEmpty ? folded.words { $0 != " " } : words
  }

  private func words(by isPart: (Unicode.Scalar) -> Bool) -> String {
    let space = UInt8(ascii: " ")
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count + 2)
    var isWithin = false
    for scalar in unicodeScalars {
      guard isPart(scalar) else {
        isWithin = false
        continue
      }
      let standsAlone = scalar.isWordByItself
      if !isWithin || standsAlone { result.append(space) }
      if scalar.isASCII {
        result.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
      isWithin = !standsAlone
    }
    if !result.isEmpty { result.append(space) }
    return String(decoding: result, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var isPartOfWord: Bool {
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

  /// Whether it belongs to a script without spaces between words; its marks and length signs do, too.
  fileprivate var isWordByItself: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF,  // Thai, Lao, Myanmar, Khmer
      0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,  // kana
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:  // Han
      true
    default: false
    }
  }
}
