/// Kana in gojūon order, after JIS X 4061.
enum CollationKana {
  /// What letters are counted from.
  static let first: UInt32 = 0x3040

  /// The large hiragana that a decomposed kana counts as; `nil` for anything else.
  static func letter(_ value: UInt32) -> UInt32? {
    switch value {
    case 0x3041...0x3096: return large(value)
    case 0x30A1...0x30F6: return large(value - 0x60)
    case 0x31F0...0x31FF: return ainu[Int(value - 0x31F0)]
    default: return nil
    }
  }

  /// The vowel on which a letter ends.
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
