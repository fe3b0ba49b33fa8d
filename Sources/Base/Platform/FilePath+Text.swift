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

extension FilePath {
  /// The name of what is there: as it is where it is text, or else as ``shown`` shows it, so that names that differ are
  /// shown differently.
  public var shownName: String? { lastComponent?.shown }

  /// ``shownName`` without its suffix.
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
  /// The path that the user means by `text`, which was an argument of the program, the end of one, or is typed in the
  /// REPL.
  ///
  /// `~` and what begins with `~/` lie in the user's home: not every shell, and no REPL, puts it there. Bytes of an
  /// argument that are no UTF-8, which a `String` replaces, are taken as they were given; what ``shown`` shows means
  /// the same. Within ``CallerContext/current`` the words are those that were typed there, and the path is absolute.
  public init(typed text: String) {
    guard let place = CallerContext.current else {
      self.init(typed: text, arguments: CommandLine.argumentBytes)
      return
    }
    self.init(typed: text, arguments: place.words)
    if !isAbsolute, !isEmpty { self = place.directory.pushing(self) }
  }

  /// The same for a program with these arguments.
  init(typed text: String, arguments: [[UInt8]]) {
    var path = FilePath(text)
    if text.unicodeScalars.contains("\u{FFFD}"), let bytes = Self.bytes(of: text, in: arguments) {
      path = Self.path(bytes)
    }
    // What is shown of a name can be typed, unless that is the name of a file itself.
    if text.contains("\\x"), (try? FileStatus(of: path, followingLinks: false)) == nil {
      path = FilePath(shown: text)
    }
    if text.utf8.first == UInt8(ascii: "~"), path.components.first?.string == "~" {
      path = Environment.home.pushing(FilePath(root: nil, path.components.dropFirst()))
    }
    self = path
  }

  /// The bytes at the end of an argument that read as `text`.
  private static func bytes(of text: String, in arguments: [[UInt8]]) -> ArraySlice<UInt8>? {
    for argument in arguments {
      let ends = argument.indices.lazy.map { argument[$0...] }
      if let end = ends.first(where: { String(decoding: $0, as: UTF8.self) == text }) { return end }
    }
    return nil
  }

  private static func path(_ bytes: ArraySlice<UInt8>) -> FilePath {
    unsafe (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      unsafe name.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
    }
  }
}

extension CommandLine {
  /// The words behind the program's name, byte for byte.
  public static var words: [[UInt8]] { Array(argumentBytes.dropFirst()) }

  /// The arguments as the system gave them.
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

/// Where words were typed that are obeyed in this process: in another process of the same user.
public struct CallerContext: Sendable {
  /// The place of the words that the running code obeys, where that is not this process.
  @TaskLocal public static var current: CallerContext?

  /// Where relative paths begin; absolute.
  public let directory: FilePath
  /// The words, byte for byte.
  public let words: [[UInt8]]

  /// A place in `directory`.
  public init(directory: FilePath, words: [[UInt8]]) {
    self.directory = directory
    self.words = words
  }
}
