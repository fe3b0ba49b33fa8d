extension String {
  /// The number that the text begins with, where it is written as it mostly is: "-7.32 dB", "0.988553"; `nil` where it
  /// is not, which does not mean that there is none.
  ///
  /// It is the nearest one, since a number of 15 digits and the power of ten that divides it are exact (W. D. Clinger,
  /// 1990).
  var plainDecimal: Double? {
    var digits: Int64 = 0
    var count = 0
    var scale: Double?
    var isNegative = false
    for (place, byte) in utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if count == 15 { return nil }
        count += 1
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        scale = scale.map { $0 * 10 }
      case UInt8(ascii: "."):
        if count == 0 || scale != nil { return nil }
        scale = 1
      case UInt8(ascii: "-") where place == 0: isNegative = true
      case UInt8(ascii: "+") where place == 0: break
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "e"), UInt8(ascii: "E"):
        return nil
      default: return count == 0 || scale == 1 ? nil : Self.quotient(digits, scale, isNegative)
      }
    }
    return count == 0 || scale == 1 ? nil : Self.quotient(digits, scale, isNegative)
  }

  private static func quotient(_ digits: Int64, _ scale: Double?, _ isNegative: Bool) -> Double {
    let value = Double(digits) / (scale ?? 1)
    return isNegative ? -value : value
  }

  /// The number that the text begins with, in any form, also with a comma.
  var leadingDecimal: Double? {
    var number: [UInt8] = []
    scan: for byte in utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        number.append(byte)
      case UInt8(ascii: ","): number.append(UInt8(ascii: "."))
      case UInt8(ascii: "+"): if !number.isEmpty { number.append(byte) }
      default: break scan
      }
    }
    return Double(String(decoding: number, as: UTF8.self))
  }
}
