/// Cuts the expression of a filter into words, quoted texts and signs, from left to right.
struct FilterScanner {
  /// The most bytes that a quoted text may have.
  static let valueLimit = 4_096

  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether nothing is left.
  var isAtEnd: Bool { index == bytes.count }

  /// The sign that comes next.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Takes the signs of `text`, if they come next, and the space behind them.
  mutating func take(_ text: StaticString) -> Bool {
    guard bytes[index...].starts(with: "\(text)".utf8) else { return false }
    index += text.utf8CodeUnitCount
    skipSpace()
    return true
  }

  /// Takes the word that comes next with space behind it, in lower case, and that space, if `isWanted` says so of it.
  mutating func takeWord(_ isWanted: (String) -> Bool) -> Bool {
    let word = bytes[index...].prefix(while: Self.isOfWord)
    let text = String(decoding: word, as: UTF8.self).lowercased()
    guard !word.isEmpty, word.endIndex < bytes.count, Self.isSpace(bytes[word.endIndex]), isWanted(text) else {
      return false
    }
    index = word.endIndex
    skipSpace()
    return true
  }

  /// Takes a word of letters, and the space behind it.
  mutating func takeWord() throws(ProtocolError) -> String {
    let word = bytes[index...].prefix(while: Self.isOfWord)
    guard !word.isEmpty else { throw ProtocolError(.argument, "Word expected") }
    index = word.endIndex
    skipSpace()
    return String(decoding: word, as: UTF8.self)
  }

  /// Takes a text in quotes of either kind, and the space behind it. A backslash takes away the meaning of what follows
  /// it.
  mutating func takeQuoted() throws(ProtocolError) -> String {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw ProtocolError(.argument, "Quoted string expected")
    }
    index += 1
    var value: [UInt8] = []
    while let byte = next {
      index += 1
      if byte == quote {
        skipSpace()
        return String(decoding: value, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), let escaped = next {
        value.append(escaped)
        index += 1
      } else {
        value.append(byte)
      }
      guard value.count < Self.valueLimit else { throw ProtocolError(.argument, "Quoted value is too long") }
    }
    throw ProtocolError(.argument, "Closing quote not found")
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  private mutating func skipSpace() {
    while let next, Self.isSpace(next) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}
