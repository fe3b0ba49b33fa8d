/// Changes the first page of an Ogg file (RFC 3533), which holds an Opus header alone.
enum OggPage {
  /// Sets the output gain, in 256ths of a decibel.
  static func setOpusGain(_ gain: Int16, in bytes: inout [UInt8]) {
    let segments = Int(bytes[26])
    let body = 27 + segments
    let size = body + bytes[27..<body].reduce(0) { $0 + Int($1) }
    let value = UInt16(bitPattern: gain)
    bytes[body + 16] = UInt8(truncatingIfNeeded: value)
    bytes[body + 17] = UInt8(value >> 8)
    for index in 22..<26 { bytes[index] = 0 }
    let checksum = checksum(bytes[..<size])
    for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { sum, byte in
      var sum = sum ^ UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
      return sum
    }
  }
}
