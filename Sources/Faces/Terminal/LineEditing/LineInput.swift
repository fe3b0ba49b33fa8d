// SPDX-License-Identifier: GPL-3.0-or-later

/// A buffer of typed characters that have not been consumed yet.
struct LineInput {
  /// The number of bytes to read at once. It is 1 so that input typed after a line stays available to a command that
  /// reads keys itself.
  static let readSize = 1

  private var decoder = ScalarDecoder()
  private var scalars: [Unicode.Scalar] = []

  /// Appends typed bytes.
  mutating func take(_ bytes: [UInt8]) {
    for byte in bytes { scalars += decoder.take(byte) }
  }

  /// Removes and returns the next character; `nil` if none is complete.
  mutating func next() -> Unicode.Scalar? { scalars.isEmpty ? nil : scalars.removeFirst() }
}

/// Decodes typed bytes as UTF-8, one byte at a time. Invalid bytes become U+FFFD.
struct ScalarDecoder {
  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private var bytes: [UInt8] = []
  private var length = 0

  /// Returns the characters that are complete after `byte`; empty in the middle of a character.
  mutating func take(_ byte: UInt8) -> [Unicode.Scalar] {
    guard length > 0 else { return begin(byte) }
    guard byte & 0xC0 == 0x80 else {
      length = 0
      return [Self.replacement] + begin(byte)
    }
    bytes.append(byte)
    guard bytes.count == length else { return [] }
    length = 0
    return [String(validating: bytes, as: UTF8.self)?.unicodeScalars.first ?? Self.replacement]
  }

  private mutating func begin(_ byte: UInt8) -> [Unicode.Scalar] {
    switch byte {
    case 0x00..<0x80: return [Unicode.Scalar(byte)]
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return [Self.replacement]
    }
    bytes = [byte]
    return []
  }
}

/// Text that is pasted in the terminal's bracketed paste mode. Characters in it are not treated as keys.
struct PastedText {
  /// The maximum number of characters of a pasted text; the rest is dropped.
  static let limit = 1 << 16
  private static let end = Array("\u{1B}[201~".unicodeScalars)

  private var scalars: [Unicode.Scalar] = []
  /// Whether the end of the pasted text has been read.
  private(set) var isOver = false

  /// Appends a character from the terminal.
  mutating func take(_ scalar: Unicode.Scalar) {
    scalars.append(scalar)
    if scalar == "~", scalars.suffix(Self.end.count).elementsEqual(Self.end) {
      scalars.removeLast(Self.end.count)
      isOver = true
    } else if scalars.count > Self.limit + Self.end.count {
      // The last characters may be the start of the end marker.
      scalars.remove(at: Self.limit)
    }
  }

  /// The text to insert into the line: without control characters, and with line breaks only between lines.
  var text: String {
    var text = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in scalars.prefix(Self.limit) {
      switch scalar.value {
      case 0x0A where last == "\r": break
      case 0x0A, 0x0D: text.append("\n")
      case 0x09: text.append(" ")
      case 0x00...0x1F, 0x7F...0x9F: break
      default: text.append(scalar)
      }
      last = scalar
    }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
