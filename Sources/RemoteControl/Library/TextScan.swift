/// Looks at many bytes at a time.
enum TextScan {
  private typealias Block = SIMD32<UInt8>
  /// So many blocks are counted before a lane of the counts could overflow.
  private static let blockCount = 255

  /// How many control characters of ASCII `bytes` have, and whether they are ASCII.
  static func look(at bytes: UnsafeRawBufferPointer) -> (controlCount: Int, isASCII: Bool) {
    var controlCount = 0
    var seen = Block()
    var index = 0
    while bytes.count - index >= Block.scalarCount {
      var counts = Block()
      let end = min(bytes.count - Block.scalarCount, index + (blockCount - 1) * Block.scalarCount)
      while index <= end {
        let block = unsafe bytes.loadUnaligned(fromByteOffset: index, as: Block.self)
        seen |= block
        let isControl = (block .< Block(repeating: 0x20)) .| (block .== Block(repeating: 0x7F))
        counts.replace(with: counts &+ Block(repeating: 1), where: isControl)
        index += Block.scalarCount
      }
      controlCount += Int(SIMD32<UInt16>(truncatingIfNeeded: counts).wrappedSum())
    }
    var bits = seen.indices.reduce(0 as UInt8) { $0 | seen[$1] }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      bits |= byte
      if byte < 0x20 || byte == 0x7F { controlCount += 1 }
      index += 1
    }
    return (controlCount, bits < 0x80)
  }

  /// Whether `bytes` are UTF-8.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
      let span = unsafe bytes.span
      return (try? UTF8Span(validating: span)) != nil
    }
  }
}
