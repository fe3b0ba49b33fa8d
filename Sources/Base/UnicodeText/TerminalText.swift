// SPDX-License-Identifier: GPL-3.0-or-later

import CUTF8Proc

extension String {
  /// The string made safe for output to a terminal. All text from tags, file names and the network must be converted
  /// this way.
  ///
  /// The result contains no control characters, and nothing that could reorder or hide the text around it:
  /// - a run of tabs, line breaks, and line and paragraph separators becomes one space;
  /// - other C0 controls and DEL become their pictures (ESC becomes "␛"), C1 controls and bidirectional embeddings,
  ///   overrides and isolates become their numbers ("<U+202E>");
  /// - invisible format characters are removed (zero-width space, byte order mark, direction marks, ...), except for
  ///   joiners within an emoji or between letters of a script that needs them, and the tags of a flag;
  /// - of several combining marks on one letter, or parts of one Hangul syllable, the first 8 are preserved.
  ///
  /// A string that is already safe is unchanged.
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
    // A grapheme joiner is invisible.
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

  /// Whether a joiner between these two characters has an effect: in an emoji, or in a script that joins its letters.
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

  /// Whether the scalar takes no cell of its own: a mark, or a vowel or final of a decomposed Hangul syllable.
  fileprivate var isPartOfCluster: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }
  }

  /// Whether the scalar is a visible format character: an Arabic, Syriac or Kaithi number sign.
  fileprivate var isVisibleFormat: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Whether the scalar can be part of a joined emoji: a picture, its presentation selector or its skin tone.
  fileprivate var isPictographic: Bool {
    value == 0xFE0F || (value > 0xFF && (properties.isEmoji || properties.isEmojiModifier))
  }

  /// Whether the scalar is a letter or mark of a script that joins its letters: Arabic to Indic, Mongolian, and beyond.
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

extension String {
  /// The number of terminal cells that the string takes. The string must be safe for terminals (``safeForTerminal``).
  ///
  /// Cells are counted by grapheme cluster: 2 for East Asian wide characters, emoji, emoji sequences and flags, 0 for
  /// combining marks, 1 for characters of ambiguous width.
  public var cellWidth: Int {
    if isPrintableASCII { return utf8.count }
    return reduce(0) { $0 + $1.cellWidth }
  }

  /// Whether the string is printable ASCII: every byte is one visible cell.
  var isPrintableASCII: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension Character {
  /// The number of terminal cells that this grapheme cluster takes: usually 0 to 2.
  public var cellWidth: Int {
    if let ascii = asciiValue { return (0x20...0x7E).contains(ascii) ? 1 : 0 }
    return isDrawnAsEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// Whether the cluster is drawn as a single emoji: by default, by selector U+FE0F, with a skin tone, or as a flag.
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
    // The vowels and finals of a decomposed Hangul syllable.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return value == 0xAD ? 1 : 0
    // A character newer than the table: those in the planes of ideographs and of pictures are wide.
    case .unassigned:
      return (0x1F300...0x1FAFF).contains(value) || (0x20000...0x3FFFD).contains(value) ? 2 : 1
    default:
      let width = Int(utf8proc_charwidth(Int32(bitPattern: value)))
      return width == 0 && properties.generalCategory != .spacingMark ? 1 : width
    }
  }
}

/// The alignment of text in a column that is wider than the text.
public enum CellAlignment: Sendable, Hashable {
  /// Left-aligned, padded with spaces on the right.
  case left
  /// Right-aligned, padded with spaces on the left.
  case right
}

extension String {
  /// Returns the string if it fits into `limit` cells, or else as much of its beginning as fits, followed by an
  /// ellipsis "…".
  ///
  /// The result is never wider than `limit` cells, and never cut within a grapheme cluster; it is empty for a limit
  /// below 1.
  public func truncated(toCells limit: Int) -> String {
    guard limit > 0 else { return "" }
    if utf8.count <= limit, isPrintableASCII { return self }
    var width = 0
    // The end of the longest prefix that leaves a cell for the ellipsis.
    var cut = startIndex
    for index in indices {
      width += self[index].cellWidth
      if width > limit { return self[..<cut] + "…" }
      if width < limit { cut = self.index(after: index) }
    }
    return self
  }

  /// Returns the string in exactly `cells` cells: truncated if it is wider, padded with spaces if it is narrower.
  ///
  /// A negative number counts as 0.
  public func padded(toCells cells: Int, _ alignment: CellAlignment = .left) -> String {
    let text = truncated(toCells: cells)
    let space = String(repeating: " ", count: max(0, cells - text.cellWidth))
    return alignment == .left ? text + space : space + text
  }
}

package enum ItemCount {
  /// Returns "no items", "1 item" or "5 items".
  package static func text(_ count: Int, _ noun: String = "item") -> String {
    count == 0 ? "no \(noun)s" : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
