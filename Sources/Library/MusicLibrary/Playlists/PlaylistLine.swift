/// How a place is written in one line of UTF-8, so that ``PlaylistLocation/init(line:)`` reads it back.
enum PlaylistLine {
  /// The line without its end.
  static func line(_ location: PlaylistLocation) -> [UInt8] {
    switch location {
    case .address(let address): return Array((PlaylistWords.line(address) ?? "").utf8)
    case .path(let path):
      if needsEscapes(path) { return FileURI.uri(of: path) }
      let isMistaken =
        path.first == UInt8(ascii: "#") || path.starts(with: [0xEF, 0xBB, 0xBF])
        || PlaylistLocation(line: path) != .path(path)
      return isMistaken ? Array("./".utf8) + path : path
    }
  }

  private static func needsEscapes(_ path: [UInt8]) -> Bool {
    guard let first = path.first, let last = path.last else { return true }
    if first == 0x20 || last == 0x20 { return true }
    var isASCII = true
    for byte in path {
      if byte < 0x20 || byte == 0x7F { return true }
      if byte >= 0x80 { isASCII = false }
    }
    return !isASCII && String(validating: path, as: UTF8.self) == nil
  }
}
