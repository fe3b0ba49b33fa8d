// SPDX-License-Identifier: GPL-3.0-or-later

/// Examines text eight bytes at a time.
enum TextScan {
  /// A word in which the highest bit of each byte is set.
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  /// A word in which the lowest bit of each byte is set.
  private static let lowest: UInt64 = 0x0101_0101_0101_0101

  /// Returns the number of ASCII control characters in `bytes`, and whether all bytes are ASCII.
  static func look(at bytes: UnsafeRawBufferPointer) -> (controlCount: Int, isASCII: Bool) {
    var controlCount = 0
    var combinedBits: UInt64 = 0
    var index = 0
    while bytes.count &- index >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      combinedBits |= word
      // No byte carries into the next one, since each is below 0x80.
      let low = word & ~highest
      let isBelowSpace = ~((low &+ 0x60 &* lowest) | word)
      let isDelete = (low &+ lowest) & ~word
      let isControl = (isBelowSpace | isDelete) & highest
      // The highest byte of the product is the sum of all bytes.
      controlCount &+= Int(truncatingIfNeeded: ((isControl &>> 7) &* lowest) &>> 56)
      index &+= 8
    }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      combinedBits |= UInt64(byte)
      if byte < 0x20 || byte == 0x7F { controlCount += 1 }
      index += 1
    }
    return (controlCount, combinedBits & highest == 0)
  }

  /// Returns whether `bytes` are valid UTF-8.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
      let span = unsafe bytes.span
      return (try? UTF8Span(validating: span)) != nil
    }
  }
}
