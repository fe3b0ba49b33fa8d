extension String {
  /// The text made fit to be written to a terminal: the one function through which all text passes that comes
  /// from a tag, a file's name or the network.
  ///
  /// The result holds no control character and nothing that could reorder or hide what stands around it:
  /// - a run of tabs, line breaks, and line and paragraph separators becomes one space;
  /// - other C0 controls and DEL are shown as their pictures (ESC as "␛"), C1 controls and bidirectional
  ///   embeddings, overrides and isolates by their number ("<U+202E>");
  /// - invisible format characters are removed (zero-width space, byte order mark, direction marks, ...), except
  ///   joiners inside an emoji or between letters of a script that needs them, and the tags of a flag;
  /// - of a pile of combining marks on one letter, the first 8 stay, and so of the parts of a Hangul syllable.
  ///
  /// Making a safe text safe again changes nothing.
  public var safeForTerminal: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    var writer = SafeWriter()
    let scalars = unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      writer.append(scalars[index], before: next < scalars.endIndex ? scalars[next] : nil)
      index = next
    }
    return String(writer.output)
  }
}

private struct SafeWriter {
  static let markLimit = 8

  private(set) var output = String.UnicodeScalarView()
  private var last: Unicode.Scalar?
  private var isInBreak = false
  private var isInFlag = false
  private var markCount = 0

  mutating func append(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
    if scalar.isLineBreakOrTab {
      if !isInBreak { emit(" ") }
      isInBreak = true
      return
    }
    isInBreak = false
    switch scalar.value {
    case 0x00...0x1F: emit(picture: 0x2400 + scalar.value)
    case 0x7F: emit(picture: 0x2421)
    case 0x80...0x9F, 0x202A...0x202E, 0x2066...0x2069: emitNumber(of: scalar)
    case 0x200C, 0x200D: if joins(last, next) { emit(scalar) }
    case 0xE0020...0xE007F: if isInFlag { emit(scalar, isFlag: true) }
    default: appendVisible(scalar)
    }
  }

  private mutating func appendVisible(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    if properties.isNoncharacterCodePoint { return emit("\u{FFFD}") }
    if properties.generalCategory == .format, !scalar.isVisibleFormat { return }
    guard scalar.isPartOfCluster else { return emit(scalar, isFlag: scalar.value == 0x1F3F4) }
    // A grapheme joiner draws nothing.
    guard scalar.value != 0x34F, markCount < Self.markLimit else { return }
    let count = markCount + 1
    emit(scalar)
    markCount = count
  }

  private mutating func emit(picture: UInt32) {
    emit(Unicode.Scalar(picture) ?? "\u{FFFD}")
  }

  private mutating func emitNumber(of scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    for part in "<U+\(padding)\(digits)>".unicodeScalars { emit(part) }
  }

  private mutating func emit(_ scalar: Unicode.Scalar, isFlag: Bool = false) {
    output.append(scalar)
    last = scalar
    isInFlag = isFlag
    markCount = 0
  }

  /// Whether a joiner between these two does its work: in an emoji, or in a script from Arabic onwards.
  private func joins(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
    guard let before, let after else { return false }
    if after.isPictographic { return before.isPictographic }
    return before.isInJoiningScript && after.isInJoiningScript
  }
}

extension Unicode.Scalar {
  fileprivate var isLineBreakOrTab: Bool {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether it takes no cell of its own: marks, and the vowels and finals of a Hangul syllable in parts.
  fileprivate var isPartOfCluster: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }
  }

  /// The format characters that draw something: Arabic, Syriac and Kaithi number signs.
  fileprivate var isVisibleFormat: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Whether it can stand in an emoji that is joined: a picture, its presentation selector or its skin.
  fileprivate var isPictographic: Bool {
    value == 0xFE0F || (value > 0xFF && (properties.isEmoji || properties.isEmojiModifier))
  }

  /// Whether it is a letter or mark of a script that joins its letters: Arabic to Indic, Mongolian, and beyond.
  fileprivate var isInJoiningScript: Bool {
    guard (0x600...0x1FFF).contains(value) || (0xA800...0xABFF).contains(value) || value >= 0x10A00 else {
      return false
    }
    switch properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }
}
