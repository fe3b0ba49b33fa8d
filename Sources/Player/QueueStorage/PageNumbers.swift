/// Numbers of pages as bytes: each as its distance from the one before, in as few bytes as it takes.
///
/// A distance is taken with its sign in the lowest bit, and stands in groups of 7 bits, the lowest first, of which all
/// but the last have the highest bit set.
enum PageNumbers {
  /// `numbers` as bytes.
  static func bytes(_ numbers: some Sequence<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    var last: Int64 = 0
    for number in numbers {
      let distance = number &- last
      var rest = UInt64(bitPattern: distance &<< 1 ^ distance &>> 63)
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
      last = number
    }
    return bytes
  }

  /// The numbers that were made `bytes`, or `nil` where none were.
  static func numbers(_ bytes: some Sequence<UInt8>) -> [Int64]? {
    var numbers: [Int64] = []
    var last: Int64 = 0
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      guard shift < 64 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      last = last &+ (Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
      numbers.append(last)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }
}
