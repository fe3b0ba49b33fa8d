/// A hash that is the same at every run (FNV-1a of 64 bits, mixed at the end).
struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func combine(_ value: UInt64) {
    for index in 0..<8 { combine(byte: UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte: byte) }
    combine(byte: 0xFF)
  }

  /// The hash of what was combined.
  var value: UInt64 {
    var value = state
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }
}
