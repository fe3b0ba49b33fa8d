/// The paths where an entry of a playlist may be, best first, all absolute.
///
/// 1. The path byte for byte, from the playlist's directory where it is relative.
/// 2. Where it is relative, below the library's directories: so MPD writes it.
/// 3. Where it has backslashes: the same with slashes.
/// 4. Where it is one of Windows from a root (`C:\...`, `\\host\...`, `\...`), the longest end of it that is there
///    below the playlist's directory, or below the library: `Music\Low\a.mp3`, `Low\a.mp3`, `a.mp3`.
/// 5. Where it has escapes of URIs: the same without them.
struct PlaylistCandidates {
  /// How many names of a path of Windows are looked for.
  static let tailLimit = 16

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")

  /// The directory of the playlist, and further ones below which relative paths and those of Windows may be found.
  let directory: [UInt8]
  let others: [[UInt8]]

  /// Gives `body` one after the other, until it says that it has found it.
  func search(_ path: [UInt8], _ body: ([UInt8]) -> Bool) {
    if searchRelative(path, body) { return }
    let drive =
      WindowsPath.hasDrive(path)
      ? 2 : path.first == Self.slash && WindowsPath.hasDrive(path.dropFirst()) ? 3 : 0
    let isWindows = drive > 0 || path.contains(Self.backslash) || path.starts(with: [Self.slash, Self.slash])
    let turned = isWindows ? path.map { $0 == Self.backslash ? Self.slash : $0 } : path
    if isWindows, searchWindows(turned.dropFirst(drive), path, body) { return }
    if path.contains(UInt8(ascii: "%")) {
      let plain = FileURI.unescaped(turned)
      if plain != turned, !plain.contains(0) { _ = searchRelative(plain, body) }
    }
  }

  private func searchWindows(_ turned: ArraySlice<UInt8>, _ path: [UInt8], _ body: ([UInt8]) -> Bool) -> Bool {
    if turned.first != Self.slash { return turned != path[...] && searchRelative(Array(turned), body) }
    let names = turned.split(separator: Self.slash).suffix(Self.tailLimit)
    // An end never begins by going up.
    for start in names.indices where !names[start...].contains(where: { $0.elementsEqual("..".utf8) }) {
      let tail = Array(names[start...].joined(separator: [Self.slash]))
      for base in [directory] + others where body(base + [Self.slash] + tail) { return true }
    }
    return false
  }

  /// A path from a root as it is, and any other below each of the directories.
  private func searchRelative(_ path: [UInt8], _ body: ([UInt8]) -> Bool) -> Bool {
    if path.first == Self.slash { return body(path) }
    return ([directory] + others).contains { body($0 + [Self.slash] + path) }
  }
}
