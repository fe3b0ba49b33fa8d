// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// Escapes in URIs (RFC 3986, section 2.1), and URIs of files (RFC 8089).
enum FileURI {
  /// Escapes all bytes of a path except slashes and those that never need to be escaped (letters, digits, `-._~`).
  static func escaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    escaped(bytes) { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }

  /// Escapes all bytes for which `isPlain` returns `false`.
  static func escaped(_ bytes: some Sequence<UInt8>, unless isPlain: (UInt8) -> Bool) -> [UInt8] {
    bytes.flatMap { isPlain($0) ? [$0] : [UInt8(ascii: "%"), hexadecimal($0 >> 4), hexadecimal($0 & 15)] }
  }

  /// Returns the URI of a path: `file:///...` for an absolute path. For a relative path, there is no standard; the
  /// result is `file:` and the escaped path.
  static func uri(of path: [UInt8]) -> [UInt8] {
    Array((path.first == UInt8(ascii: "/") ? "file://" : "file:").utf8) + escaped(path)
  }

  /// Returns the unescaped path in the part of a URI that follows `file:`.
  ///
  /// An empty host or `localhost` is dropped. With any other host, the result is a Windows path, `//host/share`.
  static func path(ofEscaped bytes: some Collection<UInt8>) -> [UInt8] {
    var rest = Array(bytes)[...]
    let slash = UInt8(ascii: "/")
    if rest.starts(with: [slash, slash]) {
      let host = rest.dropFirst(2).prefix { $0 != slash }
      if host.isEmpty || String(decoding: host, as: UTF8.self).lowercased() == "localhost" {
        rest = rest.dropFirst(2 + host.count)
      }
    }
    // Handle "/C:/Music", and "/C|/Music" in old URIs. An escaped colon is part of a file name instead.
    var path = PercentEscapes.decoded(rest)
    if WindowsPath.hasDrive(rest.dropFirst()), path.first == slash {
      path.removeFirst()
      path[1] = UInt8(ascii: ":")
    }
    return PlaylistLocation.withoutDot(path)
  }

  private static func hexadecimal(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

extension FilePath {
  /// The `file:///...` URI of an absolute path (RFC 8089).
  public var fileURI: String { String(decoding: FileURI.uri(of: systemBytes), as: UTF8.self) }

  /// Creates the path of a `file:///...` URI (RFC 8089), or returns `nil` if `text` is not one.
  public init?(fileURI text: String) {
    let scheme = "file://"
    guard text.utf8.count > scheme.utf8.count, text.prefix(scheme.count).lowercased() == scheme else { return nil }
    let bytes = FileURI.path(ofEscaped: Array(text.utf8.dropFirst(5)))
    guard bytes.first == UInt8(ascii: "/"), !bytes.starts(with: "//".utf8), !bytes.contains(0) else { return nil }
    self.init(systemBytes: bytes)
  }
}

/// Recognises Windows paths.
enum WindowsPath {
  /// Whether the path begins with a drive letter, `C:` or `C|`, and a slash of either kind.
  static func hasDrive(_ path: some Collection<UInt8>) -> Bool {
    let start = Array(path.prefix(3))
    guard start.count == 3, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(start[0] | 0x20) else {
      return false
    }
    return (start[1] == UInt8(ascii: ":") || start[1] == UInt8(ascii: "|"))
      && (start[2] == UInt8(ascii: "/") || start[2] == UInt8(ascii: "\\"))
  }
}
