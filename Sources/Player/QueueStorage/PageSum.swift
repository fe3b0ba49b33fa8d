/// A number by which damaged bytes are told from those that were written: eight bytes at a time by a multiplication,
/// like FNV.
enum PageSum {
  static func sum(_ bytes: [UInt8]) -> Int64 {
    unsafe bytes.withUnsafeBytes { buffer in
      var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(buffer.count)
      var place = 0
      while place &+ 8 <= buffer.count {
        mix(&sum, unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
        place &+= 8
      }
      while place < buffer.count {
        mix(&sum, UInt64(unsafe buffer[place]))
        place &+= 1
      }
      return Int64(bitPattern: sum)
    }
  }

  private static func mix(_ sum: inout UInt64, _ value: UInt64) {
    sum = (sum ^ value) &* 0x0000_0100_0000_01B3
    sum ^= sum >> 29
  }
}
