import MusicModel
import Platform
import SystemPackage

/// The names of files in the protocol.
///
/// A file of the library is named by its path below the library's directory, another by its absolute path. A name that is no UTF-8, or
/// has a line's end in it, and so cannot stand in a line, is written as `path:` and its percent-encoded bytes: nothing is lost. A track that is
/// a part of its file is named like a file in a directory: `FILE/trackSTART`, by the CD frame with which it begins.
enum SongURI {
  static let encodedPrefix = "path:"
  /// What stands before the number of the part's first CD frame.
  static let segmentPrefix = "track"

  /// The name of `track`.
  static func text(_ track: Track, root: FilePath?) -> String {
    text(track.path, track.segment, root: root)
  }

  /// The name of the file at `path`, or of a part of it.
  static func text(_ path: FilePath, _ segment: TrackSegment?, root: FilePath?) -> String {
    let file = text(path, root: root)
    return segment.map { "\(file)/\(segmentPrefix)\($0.start)" } ?? file
  }

  /// The name of the file or directory at `path`.
  static func text(_ path: FilePath, root: FilePath?) -> String {
    var relative = path
    if let root, path != root, relative.removePrefix(root) { return text(relative) }
    return text(path)
  }

  private static func text(_ path: FilePath) -> String {
    let bytes = path.systemBytes
    if let text = String(validating: bytes, as: UTF8.self),
      !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      !text.hasPrefix(encodedPrefix)
    {
      return text
    }
    return encodedPrefix + PercentCoding.encoded(bytes)
  }

  /// The path that `text` names: relative to the library, or absolute. `nil` where it leads up, or is no name.
  static func path(_ text: String) -> FilePath? {
    var text = text[...]
    var bytes: [UInt8]
    if text.hasPrefix(encodedPrefix) {
      guard let decoded = PercentCoding.decoded(text.dropFirst(encodedPrefix.count)) else { return nil }
      bytes = decoded
    } else if text.hasPrefix("file://") {
      text = text.dropFirst("file://".count)
      guard text.hasPrefix("/") else { return nil }
      bytes = Array(text.utf8)
    } else {
      bytes = Array(text.utf8)
    }
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard !bytes.contains(0) else { return nil }
    let path = FilePath(systemBytes: bytes)
    return path.components.contains { $0.kind == .parentDirectory } ? nil : path
  }
}
