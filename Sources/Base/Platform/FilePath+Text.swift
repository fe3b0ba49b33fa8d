// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

extension FilePath {
  /// The path as text that can be read, typed, and converted back. Bytes that are not UTF-8, and characters that are
  /// invisible or affect the terminal, are escaped as `\xHH`; so is a backslash that would look like such an escape. If
  /// the path stands for an address, that is returned.
  public var shown: String {
    if let address = StreamAddress(self) { return address.description }
    var bytes = systemBytes[...]
    var text = ""
    while !bytes.isEmpty {
      let (scalar, count) = Self.firstScalar(of: bytes)
      let piece = bytes.prefix(count)
      bytes = bytes.dropFirst(count)
      if let scalar, scalar != "\\" || Self.hexadecimal(bytes) == nil, Self.isDisplayable(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in piece { text += "\\x" + Self.digits(byte) }
      }
    }
    return text
  }

  /// Creates the path whose ``shown`` form is `text`.
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

  /// Returns the first Unicode scalar of `bytes` and its length in bytes; `nil` and 1 if they do not begin with valid
  /// UTF-8.
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

  private static func isDisplayable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    }
  }

  /// Returns the value of `xHH` at the start of `bytes`; `nil` if there is none, or if the value is 0, which no name
  /// contains.
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

extension FilePath {
  /// The last component as text: unchanged if it is valid UTF-8, otherwise escaped as in ``shown``, so that different
  /// names look different. `nil` if the path has no last component.
  public var shownName: String? { lastComponent?.shown }

  /// The last component as text, without its extension: ``shownName`` up to the last dot.
  public var shownStem: String? {
    guard let component = lastComponent, let name = shownName else { return nil }
    guard component.extension != nil, let dot = name.lastIndex(of: ".") else { return name }
    return String(name[..<dot])
  }
}

extension FilePath.Component {
  fileprivate var shown: String {
    let path = FilePath(root: nil, [self])
    return String(validating: path.systemBytes, as: UTF8.self) ?? path.shown
  }
}

extension FilePath {
  /// Creates the path that the user means by `text`: an argument of the program, the end of one, or a path typed in the
  /// REPL.
  ///
  /// `~`, alone or before a slash, is the user's home directory: not every shell expands it, and the REPL does not.
  /// Bytes of an argument that are not UTF-8, which a `String` replaces, are used as they were given. The escapes of
  /// ``shown`` are resolved. If there is a ``CallerContext/current``, its arguments are used, and relative paths start
  /// in its directory.
  public init(typed text: String) {
    guard let caller = CallerContext.current else {
      self.init(typed: text, arguments: CommandLine.argumentBytes)
      return
    }
    self.init(typed: text, arguments: caller.words)
    if !isAbsolute, !isEmpty { self = caller.directory.pushing(self) }
  }

  /// Creates the path that the user means by `text`, in a program with these arguments.
  init(typed text: String, arguments: [[UInt8]]) {
    var path = FilePath(text)
    if text.unicodeScalars.contains("\u{FFFD}"), let bytes = Self.bytes(of: text, in: arguments) {
      path = FilePath(systemBytes: bytes)
    }
    // An escaped name can be typed as it is shown, unless a file really has that name.
    if text.contains("\\x"), (try? FileStatus(of: path, followingLinks: false)) == nil {
      path = FilePath(shown: text)
    }
    if text.utf8.first == UInt8(ascii: "~"), path.components.first?.string == "~" {
      path = Environment.home.pushing(FilePath(root: nil, path.components.dropFirst()))
    }
    self = path
  }

  /// Returns the bytes at the end of one of `arguments` that decode to `text`; `nil` if there are none.
  private static func bytes(of text: String, in arguments: [[UInt8]]) -> ArraySlice<UInt8>? {
    for argument in arguments {
      let ends = argument.indices.lazy.map { argument[$0...] }
      if let end = ends.first(where: { String(decoding: $0, as: UTF8.self) == text }) { return end }
    }
    return nil
  }
}

extension CommandLine {
  /// The arguments of the program, without its name, byte for byte.
  public static var words: [[UInt8]] { Array(argumentBytes.dropFirst()) }

  /// The arguments of the program, including its name, as the system passed them.
  fileprivate static var argumentBytes: [[UInt8]] {
    unsafe UnsafeBufferPointer(start: unsafeArgv, count: Int(argc)).compactMap { argument in
      unsafe argument.map { unsafe bytes($0) }
    }
  }

  private static func bytes(_ name: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = unsafe name
    while unsafe next.pointee != 0 {
      unsafe bytes.append(UInt8(bitPattern: next.pointee))
      unsafe next = next.successor()
    }
    return bytes
  }
}

/// The working directory and the arguments of a command that was typed in another process of the same user and runs in
/// this one.
public struct CallerContext: Sendable {
  /// The context of the running command; `nil` unless it was typed in another process.
  @TaskLocal public static var current: CallerContext?

  /// The working directory, in which relative paths start; an absolute path.
  public let directory: FilePath
  /// The arguments of the command, byte for byte.
  public let words: [[UInt8]]

  public init(directory: FilePath, words: [[UInt8]]) {
    self.directory = directory
    self.words = words
  }
}

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
