/// What was typed and not asked for yet.
struct LineInput {
  /// How many bytes are read at once: what is typed behind a line may be for a command that reads keys itself.
  static let piece = 1

  private var decoder = ScalarDecoder()
  private var scalars: [Unicode.Scalar] = []

  /// Adds `bytes` that were typed.
  mutating func take(_ bytes: [UInt8]) {
    for byte in bytes { scalars += decoder.take(byte) }
  }

  /// The next character, if it is complete.
  mutating func next() -> Unicode.Scalar? { scalars.isEmpty ? nil : scalars.removeFirst() }
}

/// Makes characters of the bytes that are typed, which are UTF-8. What is none becomes U+FFFD.
struct ScalarDecoder {
  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private var bytes: [UInt8] = []
  private var length = 0

  /// The characters that `byte` completes; none while one is incomplete.
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

/// What was pasted, as the terminal marks it: nothing of it is a key.
struct PastedText {
  /// The most characters that are kept.
  static let limit = 1 << 16
  private static let end = Array("\u{1B}[201~".unicodeScalars)

  private var scalars: [Unicode.Scalar] = []
  /// Whether its end was seen.
  private(set) var isOver = false

  /// Adds a character that the terminal sends.
  mutating func take(_ scalar: Unicode.Scalar) {
    scalars.append(scalar)
    if scalar == "~", scalars.suffix(Self.end.count).elementsEqual(Self.end) {
      scalars.removeLast(Self.end.count)
      isOver = true
    } else if scalars.count > Self.limit + Self.end.count {
      // The end may have begun.
      scalars.remove(at: Self.limit)
    }
  }

  /// What is put into the line: without control characters, ends of lines only between lines.
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
