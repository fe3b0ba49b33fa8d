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
