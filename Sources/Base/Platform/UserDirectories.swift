import SystemPackage

/// The directories that a desktop has made for a user, as `user-dirs.dirs` names them (xdg-user-dirs).
enum UserDirectories {
  /// No such file is longer, in bytes.
  static let limit = 1 << 16

  /// The directory of music that `bytes`, the content of the file, names; `nil` where it names none, or, which means
  /// the same, `home` itself.
  ///
  /// A line is `XDG_MUSIC_DIR="$HOME/Music"`, or has an absolute path; of a shell, the file knows backslashes alone.
  static func music(in bytes: [UInt8], home: FilePath) -> FilePath? {
    var music: FilePath?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      let beginning = Array("XDG_MUSIC_DIR=\"".utf8)
      guard line.starts(with: beginning), let value = unquoted(line.dropFirst(beginning.count)) else { continue }
      music = path(value, home: home)
    }
    return music
  }

  /// What stands before the closing quotation mark; `nil` where there is none.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var value: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return value }
      guard byte == UInt8(ascii: "\\") else {
        value.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      value.append(escaped)
    }
    return nil
  }

  private static func path(_ value: [UInt8], home: FilePath) -> FilePath? {
    if value.contains(0) { return nil }
    let variable = Array("$HOME".utf8)
    let path: FilePath
    if value.starts(with: variable) {
      let rest = value.dropFirst(variable.count)
      guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
      path = FilePath(systemBytes: home.systemBytes + rest)
    } else {
      path = FilePath(systemBytes: value)
    }
    return path.isAbsolute && path != home ? path : nil
  }
}
