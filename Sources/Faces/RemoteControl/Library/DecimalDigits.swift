/// Numbers in digits, written into memory that has room for them.
enum DecimalDigits {
  /// The most bytes that a number takes.
  static let limit = 20

  /// Writes `number` at `end`, which it moves behind it.
  static func append(_ number: Int, _ end: inout UnsafeMutableRawPointer) {
    var rest = number.magnitude
    if number < 0 {
      unsafe end.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
      unsafe end += 1
    }
    var count = 1
    var bound: UInt = 10
    while rest >= bound, count < limit - 1 { (bound, count) = (bound &* 10, count + 1) }
    for index in stride(from: count - 1, through: 0, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      unsafe end.storeBytes(
        of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit), toByteOffset: index, as: UInt8.self)
      rest = quotient
    }
    unsafe end += count
  }

  /// Writes a number below 100 in two digits at `end`, which it moves behind them.
  static func append(twoOf number: Int, _ end: inout UnsafeMutableRawPointer) {
    let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
    unsafe end.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens), as: UInt8.self)
    unsafe end.storeBytes(
      of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ones), toByteOffset: 1, as: UInt8.self)
    unsafe end += 2
  }
}
