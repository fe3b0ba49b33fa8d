public import SystemPackage

extension FilePath {
  /// The path that the user means by `text`, which was an argument of the program, the end of one, or is typed in the
  /// REPL.
  ///
  /// `~` and what begins with `~/` lie in the user's home: not every shell, and no REPL, puts it there. Bytes of an
  /// argument that are no UTF-8, which a `String` replaces, are taken as they were given; what ``shown`` shows means
  /// the same. Within ``TypingPlace/current`` the words are those that were typed there, and the path is absolute.
  public init(typed text: String) {
    guard let place = TypingPlace.current else {
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
