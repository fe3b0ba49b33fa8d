// SPDX-License-Identifier: GPL-3.0-or-later

/// Packs a MusicBrainz identifier (32 lower-case hexadecimal digits and four dashes) into 16 bytes.
enum PackedIdentifier {
  private static let dashes: [Int] = [8, 13, 18, 23]

  /// Returns the 16 bytes of an identifier, or `nil` if `text` is not an identifier in lower case.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var highDigit: UInt8?
    for (index, character) in text.utf8.enumerated() {
      if dashes.contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = digit(character) else { return nil }
      if let high = highDigit {
        bytes.append(high << 4 | digit)
        highDigit = nil
      } else {
        highDigit = digit
      }
    }
    return bytes
  }

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for byte in bytes {
      if dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
      for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
