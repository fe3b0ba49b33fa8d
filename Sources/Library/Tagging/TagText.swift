// SPDX-License-Identifier: GPL-3.0-or-later

/// A value in a tag.
struct TagText: Equatable {
  /// The text; decoded as Latin-1 if its encoding is not stated.
  let text: String
  /// The bytes, if they are not ASCII and their encoding is not stated, or is not the stated one.
  let bytes: [UInt8]?

  private init(text: String, bytes: [UInt8]?) {
    self.text = text
    self.bytes = bytes
  }

  /// Creates a value whose encoding is stated.
  init(_ text: String) { self.init(text: text, bytes: nil) }

  /// Creates a value whose encoding is not stated.
  init(undecoded bytes: ArraySlice<UInt8>) {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      self.init(String(decoding: bytes, as: UTF8.self))
      return
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    self.init(text: text, bytes: Array(bytes))
  }

  /// Creates a value that should be UTF-8.
  init(utf8 bytes: ArraySlice<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) { self.init(text) } else { self.init(undecoded: bytes) }
  }
}
