// SPDX-License-Identifier: GPL-3.0-or-later

/// A word with something between its letters, such as "AC/DC", "R.E.M." or "Don't", and its letters alone.
public struct JoinedWord: Sendable, Hashable {
  /// The longest word that is joined, in bytes. Longer ones are addresses and the like.
  private static let sizeLimit = 64
  /// The most parts of which every sequence is a word, too: "R.E.M./U2" is also found by "rem".
  private static let partLimit = 6

  /// The folded letters and digits, such as "acdc".
  public let joined: String
  /// The search words, separated by spaces, such as "ac dc".
  public let words: String

  /// Returns the words in `text` that have something between their letters, so that their search words differ from
  /// their letters. A symbol that looks like a letter is left out, and also read as that letter: "Ke$ha" is "keha" and
  /// "kesha". Words in scripts without spaces are not among them, because each of their letters is a search word.
  public static func all(in text: String) -> [JoinedWord] {
    guard text.mayJoin else { return [] }
    var found: [JoinedWord] = []
    for run in text.foldedForMatching.unicodeScalars.split(separator: " ") {
      for piece in run.split(whereSeparator: { $0.value >= 0xE00 && $0.isWordByItself }) { add(piece, to: &found) }
    }
    return found
  }

  private init?(_ joined: String.UnicodeScalarView, _ words: Substring.UnicodeScalarView) {
    guard joined.contains(where: \.isLetterInWord), joined.count > 1 else { return nil }
    self.joined = String(joined)
    self.words = String(String(Substring(words)).searchWords.dropFirst().dropLast())
    guard self.joined != self.words, self.joined.utf8.count <= Self.sizeLimit else { return nil }
  }

  private static func add(_ piece: Substring.UnicodeScalarView, to found: inout [JoinedWord]) {
    let parts = piece.split { !$0.isLetterOrDigit }
    guard let last = parts.indices.last else { return }
    if last > 0 {
      let isShort = parts.count <= partLimit
      for first in 0..<(isShort ? last : 1) {
        for end in (isShort ? first + 1 : last)...last {
          let isWhole = first == 0 && end == last
          let joined = String.UnicodeScalarView(parts[first...end].joined())
          let words = piece[parts[first].startIndex..<parts[end].endIndex]
          if isWhole || joined.count > 2, let word = JoinedWord(joined, words) { found.append(word) }
        }
      }
    }
    let read = letters(piece)
    if read.count > 2, read.count > parts.reduce(0, { $0 + $1.count }), let word = JoinedWord(read, piece) {
      found.append(word)
    }
  }

  /// Returns the letters and digits of `piece`, and the symbols that look like letters. An exclamation mark does so
  /// only between letters.
  private static func letters(_ piece: Substring.UnicodeScalarView) -> String.UnicodeScalarView {
    var letters = String.UnicodeScalarView()
    var isWithin = false
    var mark = false
    for scalar in piece {
      switch scalar {
      case "$": letters.append("s")
      case "@": letters.append("a")
      case "!":
        mark = isWithin
        isWithin = false
        continue
      default:
        guard scalar.isLetterOrDigit else { break }
        if mark { letters.append("i") }
        letters.append(scalar)
        isWithin = true
        mark = false
        continue
      }
      mark = false
      isWithin = scalar == "$" || scalar == "@"
    }
    return letters
  }
}

extension String {
  /// The search words of the string after what stands between the letters of a word has been left out: " acdc dont "
  /// for "AC/DC: Don't".
  public var joinedSearchWords: String {
    guard mayJoin else { return searchWords }
    let letters = foldedForMatching.unicodeScalars.filter { $0 == " " || $0.isLetterOrDigit }
    let words = String(String.UnicodeScalarView(letters)).searchWords
    return words.isEmpty ? searchWords : words
  }

  /// Whether the string may have something between the letters of a word: a fast test that most names do not pass.
  fileprivate var mayJoin: Bool {
    var previous = UInt8(ascii: " ")
    var isAfterSymbol = false
    for byte in utf8 {
      switch byte {
      case 0x09...0x0D, 0x20: isAfterSymbol = false
      // The first bytes of the scalars among which there are punctuation and symbols.
      case 0xC2, 0xCA, 0xCB, 0xCD, 0xD5...0xD8, 0xE1...0xE3, 0xEF, 0xF0: return true
      case UInt8(ascii: "$"), UInt8(ascii: "@"): return true
      case 0x80..., 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
        if isAfterSymbol { return true }
      case 0x21..<0x7F: isAfterSymbol = isAfterSymbol || previous > 0x20
      default: break
      }
      previous = byte
    }
    return false
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a letter, a mark or a digit, and not a symbol such as "★".
  var isLetterOrDigit: Bool { isPartOfWord && (value < 0x80 || properties.generalCategory != .otherSymbol) }

  /// Whether the scalar is a letter or a mark.
  var isLetterInWord: Bool { isLetterOrDigit && properties.numericType == nil }
}
