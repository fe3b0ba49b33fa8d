import Platform
public import SystemPackage

/// Writes playlists of all formats, such that ``PlaylistReader`` reads the same back.
///
/// M3U and PLS are written in UTF-8. A path stands as it is, unless it would not be read back as itself: where it
/// begins like a remark or an address, `./` comes before it; where it has control characters (line ends among them), a
/// space at an end, or is no UTF-8, it is a `file:` URI with escapes. Paths in XSPF are URIs throughout. Texts are
/// written in one line. What is lost: in M3U and PLS fractions of seconds, the number and the remark, further
/// locations, and where an artist with " - " in the name ends; in PLS album, genre and group; in XSPF the album's
/// artist, genre and group; in PLS and XSPF, which part of a file it is.
public enum PlaylistWriter {
  /// Writes the file at `path`, in one piece: whatever happens, the old file is there or the new one. Makes its
  /// directory where that is missing. Blocks while the file system does; any thread.
  ///
  /// Paths are written relative to the playlist, where the file and the playlist have a directory in common other than
  /// the root; such a playlist can be moved with its music.
  ///
  /// - Parameter format: by the suffix of `path` where it is `nil`, else M3U8.
  /// - Throws: `unwritable`.
  public static func write(
    _ playlist: Playlist, to path: FilePath, as format: PlaylistFormat? = nil
  ) throws(PlaylistError) {
    let path = (try? path.absolute()) ?? path
    do throws(Errno) {
      let directory = path.removingLastComponent()
      try AtomicFile.makeDirectories(
        directory, permissions: [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute])
      let text = bytes(of: playlist, as: format ?? PlaylistFormat(path) ?? .m3u8, below: directory)
      try AtomicFile.write(text, to: path, permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    } catch {
      throw .unwritable(path, error)
    }
  }

  /// The contents of a file of this format.
  ///
  /// - Parameter directory: the directory of the file, absolute and present, to which paths are made relative; `nil`
  ///   leaves them.
  public static func bytes(
    of playlist: Playlist, as format: PlaylistFormat, below directory: FilePath? = nil
  ) -> [UInt8] {
    let places = directory.map { RelativePlaces(below: $0) }
    func place(_ location: PlaylistLocation) -> PlaylistLocation {
      guard case .path(let path) = location else { return location }
      return .path(places?.place(of: path) ?? path)
    }
    switch format {
    case .m3u: return M3UWriter.bytes(of: playlist, saysEncoding: true, place)
    case .m3u8: return M3UWriter.bytes(of: playlist, saysEncoding: false, place)
    case .pls: return PLSWriter.bytes(of: playlist, place)
    case .xspf: return XSPFWriter.bytes(of: playlist, place)
    }
  }
}

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

/// Paths as they stand from one directory.
///
/// Going up from a directory leads above the target of a link, not above the link: where a link is in between, a path
/// stays absolute.
struct RelativePlaces {
  private static let slash = UInt8(ascii: "/")

  private let components: [ArraySlice<UInt8>]
  /// How many directories one can go up, so that names lead where the system goes.
  private let height: Int

  /// Paths as they stand from `directory`, which is absolute and present.
  init(below directory: FilePath) {
    components = directory.systemBytes.split(separator: Self.slash)
    var height = 0
    var above = directory
    if let real = try? directory.realPath() {
      var realAbove = real
      while height < components.count {
        // One level further up, if the way down from there has no link.
        guard above.lastComponent == realAbove.lastComponent else { break }
        _ = above.removeLastComponent()
        _ = realAbove.removeLastComponent()
        guard (try? above.realPath()) == realAbove else { break }
        height += 1
      }
    }
    self.height = height
  }

  /// The path from the directory, or `path` itself where that is relative already, or has nothing but the root in
  /// common with it.
  func place(of path: [UInt8]) -> [UInt8] {
    guard path.first == Self.slash, !path.starts(with: [Self.slash, Self.slash]) else { return path }
    let names = path.split(separator: Self.slash)
    // ".." and "." are for the system to follow.
    if names.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) { return path }
    var common = 0
    while common < components.count, common < names.count - 1, names[common] == components[common] {
      common += 1
    }
    let steps = components.count - common
    guard common > 0, steps <= height else { return path }
    var result: [UInt8] = []
    for _ in 0..<steps { result += "../".utf8 }
    result += names[common...].joined(separator: [Self.slash])
    return result
  }
}
