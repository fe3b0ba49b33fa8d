/// Where a playlist says that music is.
public enum PlaylistLocation: Sendable, Hashable {
  /// A path, byte for byte, without the escapes of a URI: relative to the playlist's directory, or absolute, or as
  /// Windows writes it (`C:\Music\a.mp3`). It need not be text, and may be of no use to the system.
  case path([UInt8])
  /// An address in the net, such as `https://radio.example/stream`.
  case address(String)

  /// What a line of a playlist names: a `file:` URI, an address with a scheme and two slashes, or a path as it stands.
  ///
  /// `./` at its beginning is dropped: it is how a path is written that would otherwise be something else.
  init(line: some Collection<UInt8>) {
    let bytes = Array(line)
    if let scheme = Self.scheme(of: bytes) {
      if scheme == "file" {
        self = .path(FileURI.path(ofEscaped: bytes[5...]))
        return
      }
      if bytes.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8) {
        self = .address(PlaylistWords.text(bytes) ?? "")
        return
      }
    }
    self = .path(Self.withoutDot(bytes))
  }

  /// The path without `./` at its beginning.
  static func withoutDot(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.starts(with: "./".utf8), rest.count > 2 {
      rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
    }
    return Array(rest)
  }

  /// The scheme before the first colon, in lower case (RFC 3986, section 3.1); one letter is a drive of Windows.
  static func scheme(of bytes: some Collection<UInt8>) -> String? {
    let scheme = bytes.prefix(20).prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard scheme.count > 1, bytes.dropFirst(scheme.count).first == UInt8(ascii: ":") else { return nil }
    guard let first = scheme.first, first >= UInt8(ascii: "A") else { return nil }
    return String(decoding: scheme, as: UTF8.self).lowercased()
  }
}
