/// Numbers and texts as bytes, as compact as they are small.
struct ByteWriter {
  /// What was written.
  private(set) var bytes: [UInt8] = []

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Signed numbers, small ones of either sign in few bytes.
  mutating func append(_ value: Int64) { append(Self.zigzag(value)) }

  /// A number of things.
  mutating func append(count: Int) { append(UInt64(max(0, count))) }

  /// One byte as it is.
  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Bytes as they are, without their number.
  mutating func append(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  /// A text, its length before it.
  mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// A text that may be missing.
  mutating func append(_ text: String?) {
    guard let text else { return append(byte: 0) }
    append(count: text.utf8.count + 1)
    bytes.append(contentsOf: text.utf8)
  }

  /// Texts, their number before them.
  mutating func append(_ texts: [String]) {
    append(count: texts.count)
    texts.forEach { append($0) }
  }

  /// A number that may be missing.
  mutating func append(_ value: Int?) {
    guard let value else { return append(byte: 0) }
    append(byte: 1)
    append(Int64(value))
  }

  /// The number in which the sign is the lowest bit.
  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }
}
