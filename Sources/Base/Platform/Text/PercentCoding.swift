// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes bytes as a word of text: a byte that is not a visible ASCII character becomes `%` and two hexadecimal digits.
package enum PercentCoding {
  /// Returns `bytes` as a word without spaces; "%" if there are none.
  package static func encoded(_ bytes: some Collection<UInt8>) -> String {
    if bytes.isEmpty { return "%" }
    var text = ""
    for byte in bytes {
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\""),
        byte != UInt8(ascii: "\\")
      {
        text.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }

  /// Returns the bytes that `text` encodes; `nil` if a `%` is not followed by two hexadecimal digits.
  package static func decoded(_ text: Substring) -> [UInt8]? {
    if text == "%" { return [] }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      // The integer initializer would also accept a sign.
      guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, digits.utf8.first != UInt8(ascii: "+"),
        digits.utf8.first != UInt8(ascii: "-"), let number = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(number)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
