// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// Writes playlists of all formats in such a way that ``PlaylistReader`` can read them back.
///
/// M3U and PLS are written in UTF-8. A path is written as it is, unless it would be read back differently: if it looks
/// like a comment or a URL, `./` is put before it; if it contains control characters (such as line breaks), has a space
/// at either end, or is not valid UTF-8, it is written as an escaped `file:` URI. In XSPF, all paths are URIs. Text is
/// written on a single line.
///
/// The following is lost: in M3U and PLS, fractions of seconds, the track number, the comment, alternative locations,
/// and the boundary between artist and title if the artist contains " - "; in PLS, also album, genre and group; in
/// XSPF, the album artist, genre and group; in PLS and XSPF, the segment.
public enum PlaylistWriter {
  /// Writes the file at `path` atomically: after any failure, it is either the old file or the new one. Creates its
  /// directory if it is missing. Blocks until the disk has been written. Safe to call from any thread.
  ///
  /// Paths are written relative to the playlist, if the file and the playlist have a common directory other than the
  /// root. Such a playlist can be moved together with its music.
  ///
  /// - Parameter format: The format. If `nil`, it is that of the suffix of `path`, or M3U8 if there is no such suffix.
  /// - Throws: `unwritable`.
  public static func write(
    _ playlist: Playlist, to path: FilePath, as format: PlaylistFormat? = nil
  ) throws(PlaylistError) {
    let path = (try? path.absolute()) ?? path
    try write(to: path) { bytes(of: playlist, as: format ?? PlaylistFormat(path) ?? .m3u8, below: $0) }
  }

  /// Writes what `contents` returns for the directory of the file at the absolute path `path`, as ``write(_:to:as:)``
  /// does.
  static func write(to path: FilePath, _ contents: (FilePath) -> [UInt8]) throws(PlaylistError) {
    do throws(Errno) {
      // The playlist has the addresses without their passwords.
      try StreamSecrets.shared.flush()
      let directory = path.removingLastComponent()
      try AtomicFile.makeDirectories(
        directory, permissions: [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute])
      try AtomicFile.write(
        contents(directory), to: path, permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    } catch {
      throw .unwritable(path, error)
    }
  }

  /// Returns the contents of a playlist file in this format.
  ///
  /// - Parameter directory: The absolute path of the file's directory, which must exist. Paths are made relative to it;
  ///   if it is `nil`, they are left as they are.
  public static func bytes(
    of playlist: Playlist, as format: PlaylistFormat, below directory: FilePath? = nil
  ) -> [UInt8] {
    let paths = directory.map { RelativePaths(below: $0) }
    func relative(_ location: PlaylistLocation) -> PlaylistLocation { paths?.relative(location) ?? location }
    switch format {
    case .m3u: return M3UWriter.bytes(of: playlist, declaresEncoding: true, relative)
    case .m3u8: return M3UWriter.bytes(of: playlist, declaresEncoding: false, relative)
    case .pls: return PLSWriter.bytes(of: playlist, relative)
    case .xspf: return XSPFWriter.bytes(of: playlist, relative)
    }
  }
}

/// Writes a location as a line of UTF-8 that ``PlaylistLocation/init(line:)`` can read back.
enum PlaylistLine {
  static func line(_ location: PlaylistLocation) -> [UInt8] {
    switch location {
    case .url(let url): return Array((PlaylistTextFormat.line(url) ?? "").utf8)
    case .path(let path):
      if needsEscapes(path) { return FileURI.uri(of: path) }
      let isMisread =
        path.first == UInt8(ascii: "#") || path.starts(with: [0xEF, 0xBB, 0xBF])
        || PlaylistLocation(line: path) != .path(path)
      return isMisread ? Array("./".utf8) + path : path
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

/// Converts paths to paths relative to a directory.
///
/// If a directory is a symbolic link, `..` leads to the parent of the link's target, not of the link. So if `..` would
/// have to leave a link, the path stays absolute.
struct RelativePaths {
  private static let slash = UInt8(ascii: "/")

  private let components: [ArraySlice<UInt8>]
  /// The number of levels that `..` can go up without passing a link.
  private let height: Int

  /// Creates paths relative to `directory`, which must be absolute and exist.
  init(below directory: FilePath) {
    components = directory.systemBytes.split(separator: Self.slash)
    var height = 0
    var parent = directory
    if let real = try? directory.realPath() {
      var realParent = real
      while height < components.count {
        // Go up one more level, unless there is a link on the way down from there.
        guard parent.lastComponent == realParent.lastComponent else { break }
        _ = parent.removeLastComponent()
        _ = realParent.removeLastComponent()
        guard (try? parent.realPath()) == realParent else { break }
        height += 1
      }
    }
    self.height = height
  }

  func relative(_ location: PlaylistLocation) -> PlaylistLocation {
    guard case .path(let path) = location else { return location }
    return .path(relative(path))
  }

  /// Returns the path relative to the directory, or `path` unchanged if it already is relative or has only the root in
  /// common with the directory.
  func relative(_ path: [UInt8]) -> [UInt8] {
    guard path.first == Self.slash, !path.starts(with: [Self.slash, Self.slash]) else { return path }
    let names = path.split(separator: Self.slash)
    // Only the operating system can resolve ".." and ".".
    if names.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) { return path }
    var common = 0
    while common < components.count, common < names.count - 1, names[common] == components[common] {
      common += 1
    }
    let levels = components.count - common
    guard common > 0, levels <= height else { return path }
    var result: [UInt8] = []
    for _ in 0..<levels { result += "../".utf8 }
    result += names[common...].joined(separator: [Self.slash])
    return result
  }
}
