import MusicModel

/// The beginning of a path below a library's directory.
struct QueryPath {
  /// Its bytes, without slashes at its beginning, nor at its end where it is a whole name.
  let bytes: [UInt8]
  /// Whether it ends where a name ends.
  let isWhole: Bool

  init(_ pattern: TextPattern) {
    let slash = UInt8(ascii: "/")
    var bytes = Array(pattern.text.utf8.drop { $0 == slash })
    isWhole = pattern.kind == .exact
    while isWhole, bytes.last == slash { bytes.removeLast() }
    self.bytes = bytes
  }

  /// What stands before its last slash, and what behind.
  var parts: (directory: [UInt8], name: [UInt8]) {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return ([], bytes) }
    return (Array(bytes[..<slash]), Array(bytes[(slash + 1)...]))
  }

  /// The least bytes that come behind all that begin with `prefix`; `nil` where there are none.
  static func end(of prefix: [UInt8]) -> [UInt8]? {
    var end = prefix
    while let last = end.popLast() {
      if last < .max {
        end.append(last + 1)
        return end
      }
    }
    return nil
  }
}
