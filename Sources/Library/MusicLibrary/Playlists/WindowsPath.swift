/// What tells paths of Windows from others.
enum WindowsPath {
  /// Whether the path begins with the letter of a drive, `C:` or `C|`, and a slash of either kind.
  static func hasDrive(_ path: some Collection<UInt8>) -> Bool {
    let start = Array(path.prefix(3))
    guard start.count == 3, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(start[0] | 0x20) else {
      return false
    }
    return (start[1] == UInt8(ascii: ":") || start[1] == UInt8(ascii: "|"))
      && (start[2] == UInt8(ascii: "/") || start[2] == UInt8(ascii: "\\"))
  }
}
