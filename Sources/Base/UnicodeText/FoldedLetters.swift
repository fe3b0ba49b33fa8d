/// What folding makes of the letters that most names consist of, each of which it folds by itself.
enum FoldedLetters {
  /// The folded form of a text of nothing but such letters and ASCII; `nil` for any other.
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

  /// The UTF-8 of each letter's folded form, the first byte the lowest; 0 where it depends on what stands beside it, or
  /// is longer.
  private static let latin = forms(of: 0x80...0x17F)
  private static let cyrillic = forms(of: 0x400...0x45F)

  private static func forms(of letters: ClosedRange<UInt32>) -> [UInt32] {
    letters.map { value in
      guard let scalar = Unicode.Scalar(value) else { return 0 }
      var folding = ScalarFolding()
      folding.append(scalar)
      var form: UInt32 = 0
      var place: UInt32 = 0
      for case let part in folding.scalars.map({ Unicode.Scalar(UInt32(bitPattern: $0)) }) {
        // Neither composes with anything that folding leaves.
        guard let part, part.isPlainLetter || (0x21..<0x7F).contains(part.value) else { return 0 }
        let bytes = bytes(of: part)
        if place + (bytes > 0xFF ? 24 : 8) > 32 { return 0 }
        form |= bytes << place
        place += bytes > 0xFFFF ? 24 : bytes > 0xFF ? 16 : 8
      }
      return form
    }
  }

  /// The UTF-8 of a letter in the basic plane.
  private static func bytes(of scalar: Unicode.Scalar) -> UInt32 {
    let value = scalar.value
    if value < 0x80 { return value }
    if value < 0x800 { return 0xC0 | value >> 6 | (0x80 | value & 0x3F) << 8 }
    return 0xE0 | value >> 12 | (0x80 | value >> 6 & 0x3F) << 8 | (0x80 | value & 0x3F) << 16
  }
}
