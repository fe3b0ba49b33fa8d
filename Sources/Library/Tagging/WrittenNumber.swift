// SPDX-License-Identifier: GPL-3.0-or-later

/// A track number that is not written in digits alone: a side of a record, usually with the number on it ("A1", "b-02",
/// "C"), or a Roman number up to 39 ("IV").
struct WrittenNumber {
  /// The number by which tracks are in order: on sides, the side times 100, plus the number on it. From 1 to 2,699.
  let value: Int
  /// The number as it is written, without spaces around it.
  let text: String

  /// Reads a number that does not begin with a digit. "I", "V" and "X" alone are Roman numbers; any other single letter
  /// is a side, if `hasSides`.
  init?(_ text: Substring.UTF8View, hasSides: Bool) {
    let bytes = text.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
    guard bytes.endIndex == text.endIndex || text[bytes.endIndex...].allSatisfy({ $0 == UInt8(ascii: " ") }),
      let value = Self.roman(bytes) ?? (hasSides ? Self.side(bytes) : nil)
    else { return nil }
    self.value = value
    self.text = String(Substring(bytes))
  }

  private static func side(_ text: Substring.UTF8View) -> Int? {
    guard let letter = text.first.map({ $0 | 0x20 }), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
    else { return nil }
    let side = Int(letter - UInt8(ascii: "a")) + 1
    var rest = text.dropFirst()
    if rest.isEmpty { return side * 100 }
    if rest.count > 1, rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: ".") { rest = rest.dropFirst() }
    guard rest.count <= 2, rest.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(Substring(rest)),
      number > 0
    else { return nil }
    return side * 100 + number
  }

  private static func roman(_ text: Substring.UTF8View) -> Int? {
    guard (1...6).contains(text.count) else { return nil }
    let units = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    let written = Substring(text).lowercased()
    let tens = min(written.prefix { $0 == "x" }.count, 3)
    // "ix" and its like do not begin with the tens.
    guard let unit = units.firstIndex(of: String(written.dropFirst(tens))), tens + unit > 0 else { return nil }
    return tens * 10 + unit
  }
}
