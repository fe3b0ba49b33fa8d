public import SystemPackage

extension FilePath {
  /// The path as a text from which it can be told, and typed: bytes that are no UTF-8, and characters that have no
  /// picture or would change how a terminal writes, stand as `\xHH`, and so does a backslash that would read as one of
  /// these.
  public var shown: String {
    var bytes = systemBytes[...]
    var text = ""
    while !bytes.isEmpty {
      let (scalar, count) = Self.firstScalar(of: bytes)
      let piece = bytes.prefix(count)
      bytes = bytes.dropFirst(count)
      if let scalar, scalar != "\\" || Self.hexadecimal(bytes) == nil, Self.hasPicture(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in piece { text += "\\x" + Self.digits(byte) }
      }
    }
    return text
  }

  /// The path that ``shown`` shows as `text`.
  init(shown text: String) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let value = Self.hexadecimal(rest) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    self.init(systemBytes: bytes)
  }

  /// The first character of `bytes`, and how many it takes; `nil`, and one, where they begin with none.
  private static func firstScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int) {
    for count in 1...4 where count <= bytes.count {
      if let text = String(validating: bytes.prefix(count), as: UTF8.self),
        let scalar = text.unicodeScalars.first
      {
        return (scalar, count)
      }
    }
    return (nil, 1)
  }

  private static func hasPicture(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    }
  }

  /// The value of `xHH`, with which `bytes` begin; `nil` where they do not. No name holds a NUL.
  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    let digits = bytes.prefix(3)
    guard digits.count == 3, digits.first == UInt8(ascii: "x") else { return nil }
    let text = String(decoding: digits.dropFirst(), as: UTF8.self)
    guard text.allSatisfy(\.isHexDigit), let value = UInt8(text, radix: 16), value > 0 else { return nil }
    return value
  }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
