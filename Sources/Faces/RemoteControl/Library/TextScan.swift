/// Looks at many bytes at a time.
enum TextScan {
  /// The highest bit of each byte of a word.
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  /// The lowest bit of each.
  private static let lowest: UInt64 = 0x0101_0101_0101_0101

  /// How many control characters of ASCII `bytes` have, and whether they are ASCII.
  static func look(at bytes: UnsafeRawBufferPointer) -> (controlCount: Int, isASCII: Bool) {
    var controlCount = 0
    var seen: UInt64 = 0
    var index = 0
    while bytes.count &- index >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      seen |= word
      // No byte carries into the next one: each is below 0x80.
      let low = word & ~highest
      let isBelowSpace = ~((low &+ 0x60 &* lowest) | word)
      let isDelete = (low &+ lowest) & ~word
      let isControl = (isBelowSpace | isDelete) & highest
      // The product's highest byte is the sum of all.
      controlCount &+= Int(truncatingIfNeeded: ((isControl &>> 7) &* lowest) &>> 56)
      index &+= 8
    }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      seen |= UInt64(byte)
      if byte < 0x20 || byte == 0x7F { controlCount += 1 }
      index += 1
    }
    return (controlCount, seen & highest == 0)
  }

  /// Whether `bytes` are UTF-8.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
      let span = unsafe bytes.span
      return (try? UTF8Span(validating: span)) != nil
    }
  }
}
