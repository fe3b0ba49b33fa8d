import CUTF8Proc

extension String {
  /// How many cells of a terminal the text takes, which is to be safe for terminals.
  ///
  /// It counts by grapheme cluster: 2 for East Asian wide characters, emoji, emoji sequences and flags, 0 for
  /// combining marks, 1 for characters of ambiguous width.
  public var cellWidth: Int {
    if isPrintableASCII { return utf8.count }
    return reduce(0) { $0 + $1.cellWidth }
  }

  /// Whether every byte of it is one visible cell.
  var isPrintableASCII: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension Character {
  /// How many cells of a terminal this grapheme cluster takes: usually 0 to 2.
  public var cellWidth: Int {
    if let ascii = asciiValue { return (0x20...0x7E).contains(ascii) ? 1 : 0 }
    return isDrawnAsEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// Whether the cluster is one picture: by its own nature, by selector U+FE0F, with a skin colour, or a flag.
  private var isDrawnAsEmoji: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.properties.isEmojiPresentation {
      // Half a flag is a letter in a box.
      return !first.isRegionalIndicator || unicodeScalars.count > 1
    }
    guard first.properties.isEmoji else { return false }
    return unicodeScalars.dropFirst().contains { $0.value == 0xFE0F || $0.properties.isEmojiModifier }
  }
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  fileprivate var cellWidth: Int {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: return 0
    case 0x20..<0x7F: return 1
    // The vowels and finals of a Hangul syllable that is written in parts.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return value == 0xAD ? 1 : 0
    // Younger than the table: the planes of ideographs and of pictures are wide.
    case .unassigned:
      return (0x1F300...0x1FAFF).contains(value) || (0x20000...0x3FFFD).contains(value) ? 2 : 1
    default:
      let width = Int(utf8proc_charwidth(Int32(bitPattern: value)))
      return width == 0 && properties.generalCategory != .spacingMark ? 1 : width
    }
  }
}
